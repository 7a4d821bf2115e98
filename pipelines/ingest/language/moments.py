"""Time phrases in any language, read against the moment of their message."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from dateparser.conf import SettingValidationError
from dateparser.date import DateDataParser

from reverie.pipelines.ingest.language.en import intervals
from reverie.pipelines.ingest.language.en.times import When, shift_months

_MOST_WORDS_BEFORE = 3
"""Prepositions before a time ("a partir de") that are left out until the rest is one."""
_LENGTHS = {"year": 4, "month": 7}
"""Characters of an ISO date that were told."""


def moment(phrase: str, language: str | None, at: datetime, *, past: bool, before: date | None = None) -> When | None:
    """The time of a phrase in a language (a code, None when unknown: read as English); None when it is none.

    `past`: of things past. `before`: the day that was told last, from which "the Monday after that" is counted.
    """
    setting = intervals.Setting(at, past, before=before)
    for lead in ("", "on ", "at "):
        found = intervals.find(f"{lead}{phrase}", setting)
        if found is not None:
            return found.when
    if language == "en" or (phrase.isascii() and language is None):
        return None
    words = phrase.split()
    for start in range(min(len(words), _MOST_WORDS_BEFORE + 1)):
        when = _foreign(" ".join(words[start:]), language, at, past)
        if when is not None:
            return when
    return None


def _foreign(phrase: str, language: str | None, at: datetime, past: bool) -> When | None:
    settings = {
        "RELATIVE_BASE": at.replace(tzinfo=None),
        "PREFER_DATES_FROM": "past" if past else "future",
        "PREFER_DAY_OF_MONTH": "first",
    }
    try:
        found = DateDataParser(languages=None if language is None else [language], settings=settings).get_date_data(
            phrase
        )
    except (ValueError, SettingValidationError):
        return None
    if found.date_obj is None:
        return None
    first = found.date_obj.date()
    if found.period == "week":
        first -= timedelta(days=first.weekday())
        after = first + timedelta(days=7)
    elif found.period == "month":
        first = first.replace(day=1)
        after = shift_months(first, 1)
    elif found.period == "year":
        first = first.replace(month=1, day=1)
        after = first.replace(year=first.year + 1)
    else:
        after = first + timedelta(days=1)
    start, end = (datetime(d.year, d.month, d.day, tzinfo=at.tzinfo).astimezone(UTC) for d in (first, after))
    return When(phrase, first.isoformat()[: _LENGTHS.get(found.period, 10)], start, end)
