"""Time phrases, against the moment of the message."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.pipelines.ingest.language.en.times import find

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)  # a Friday


@pytest.mark.parametrize(
    ("phrase", "iso"),
    [
        ("yesterday", "2024-03-14"),
        ("last night", "2024-03-14"),
        ("the day before yesterday", "2024-03-13"),
        ("this morning", "2024-03-15"),
        ("two weeks ago", "2024-03-01"),
        ("3 days ago", "2024-03-12"),
        ("a couple of days ago", "2024-03-13"),
        ("three months ago", "2023-12"),
        ("five years ago", "2019"),
        ("last Tuesday", "2024-03-12"),
        ("last Friday", "2024-03-08"),
        ("on Saturday", "2024-03-09"),
        ("last week", "2024-03-04"),
        ("last weekend", "2024-03-09"),
        ("last month", "2024-02"),
        ("last year", "2023"),
        ("last summer", "2023-06"),
        ("in January", "2024-01"),
        ("in October", "2023-10"),
        ("in 2021", "2021"),
        ("since 2019", "2019"),
        ("in May 2020", "2020-05"),
        ("on 3 May 2020", "2020-05-03"),
        ("on May 3rd, 2020", "2020-05-03"),
        ("on June 4th", "2023-06-04"),
        ("2023-11-05", "2023-11-05"),
        ("in the summer of 2018", "2018-06"),
        ("in the 1990s", "199"),
        ("for twelve years", "2012"),
        ("every Thursday", None),
        ("on Sundays", None),
        ("since I was ten", None),
    ],
)
def test_phrases_of_the_past(phrase: str, iso: str | None) -> None:
    found = find(f"I was there {phrase}.", AT, past=True)
    assert found is not None
    assert found.iso == iso


@pytest.mark.parametrize(
    ("phrase", "iso"),
    [
        ("tomorrow", "2024-03-16"),
        ("next month", "2024-04"),
        ("next year", "2025"),
        ("on Saturday", "2024-03-16"),
        ("next Friday", "2024-03-22"),
        ("in two weeks", "2024-03-29"),
        ("next summer", "2024-06"),
        ("on January 2nd", "2025-01-02"),
        ("in January", "2025-01"),
    ],
)
def test_phrases_of_the_future(phrase: str, iso: str) -> None:
    found = find(f"I will be there {phrase}.", AT, past=False)
    assert found is not None
    assert found.iso == iso


def test_no_phrase_no_time() -> None:
    assert find("I may march in there, and it cost 2020 dollars.", AT, past=True) is None


@given(
    st.datetimes(AT.replace(year=1990, tzinfo=None), AT.replace(year=2090, tzinfo=None)),
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(["yesterday", "last Monday", "two months ago", "last winter", "in May", "on Sunday", "last week"]),
)
def test_the_past_is_before_the_message_and_whole_days_of_its_own_zone(
    moment: datetime, offset: int, phrase: str
) -> None:
    zone = timezone(timedelta(minutes=offset))
    at = moment.replace(tzinfo=zone)
    found = find(f"I went {phrase}", at, past=True)
    assert found is not None
    assert found.start is not None
    assert found.end is not None
    assert found.start < found.end
    assert found.start <= at
    assert found.start.astimezone(zone).time() == datetime.min.time()


@given(
    st.datetimes(datetime(1, 1, 2), datetime(2254, 12, 31)),  # noqa: DTZ001  # its zone is drawn beside it
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(["yesterday", "last month", "300 decades ago", "in 999 decades", "on 31 December", "last weekend"]),
    st.booleans(),
)
def test_no_phrase_leads_out_of_the_calendar(moment: datetime, offset: int, phrase: str, past: bool) -> None:
    found = find(phrase, moment.replace(tzinfo=timezone(timedelta(minutes=offset))), past=past)
    assert found is not None
    assert (found.start is None) or found.start.tzinfo is UTC
