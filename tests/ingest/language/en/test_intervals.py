"""From when to when, in the speaker's day."""

from datetime import date, timedelta

import pytest
from saying import AT

from reverie.pipelines.ingest.language.en.intervals import Setting, find


@pytest.mark.parametrize(
    ("text", "past", "since", "until"),
    [
        ("from March 2019 to October 2022", True, "2019-03", "2022-10"),
        ("from 2015 to 2018", True, "2015", "2018"),
        ("from March to May 2024", True, "2024-03", "2024-05"),
        ("between 2015 and 2018", True, "2015", "2018"),
        ("2026-07-25/26", False, "2026-07-25", "2026-07-26"),
        ("July 25-27", False, "2026-07-25", "2026-07-27"),
        ("from the 8th to the 14th of June", False, "2026-06-08", "2026-06-14"),
        ("since February", True, "2026-02", None),
        ("since the 2nd of February", True, "2026-02-02", None),
        ("until the end of June", False, None, "2026-06-30"),
        ("till the 7th", False, None, "2026-06-07"),
        ("at the end of the month", False, "2026-05-31", None),
        ("three hours ago", True, "2026-05-07", None),
        ("36 hours ago", True, "2026-05-06", None),
        ("three years now", True, "2023", None),
        ("the Monday after that", False, "2026-05-18", None),
        ("on the 26th", False, "2026-05-26", None),
        ("on the 3rd floor", False, None, None),
        ("from Monday to Friday", False, None, None),
        ("from 9 to 5", False, None, None),
        ("from Kassel to Erfurt", True, None, None),
    ],
)
def test_a_time_is_an_interval(text: str, past: bool, since: str | None, until: str | None) -> None:
    found = find(text, Setting(AT, past, before=date(2026, 5, 15)))
    when = None if found is None else found.when
    assert (when and when.since and when.since.iso) == since
    assert (when and when.until and when.until.iso) == until


def test_an_end_is_the_last_instant_of_what_was_told() -> None:
    found = find("until the end of June", Setting(AT, past=False))
    assert found is not None
    assert found.when.until is not None
    there = found.when.until.at.astimezone(AT.tzinfo)
    assert there.date() == date(2026, 6, 30)
    assert (there + timedelta(microseconds=1)).date() == date(2026, 7, 1)


def test_how_long_something_lasted_is_no_date_of_it() -> None:
    found = find("for two years", Setting(AT, past=True, perfect=False))
    assert found is not None
    assert found.when.since is None
