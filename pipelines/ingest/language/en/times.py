"""Time phrases, resolved against the moment a message was sent.

Everything is worked out in the message's own offset: its day, its week (Monday to Sunday), its year. The clock and the
time zone of the machine play no part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import dateparser

from reverie.knowledge.claims import Moment

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTED = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NUMBERS = {word: number for number, word in enumerate(_COUNTED)} | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}
UNIT_MONTHS = {"month": 1, "year": 12, "decade": 120}

NUMBER_WORD = r"(?:\d{1,3}|(?:a\s+)?(?:couple|few)(?:\s+of)?|" + "|".join(NUMBERS) + r")"
_UNIT = r"(?:minute|hour|day|night|week|fortnight|weekend|month|year|decade)s?"
DAY_NAME = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_PART = r"(?:\s+(?:morning|afternoon|evening|night))?"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
_CLOCK = r"(?:\s*,?\s*(?:at|around|by)?\s*\d{1,2}(?::\d\d)?\s*(?:am|pm|a\.m\.|p\.m\.)|\s+at\s+\d{1,2}:\d\d)?"


@dataclass(frozen=True)
class When:
    """A stretch of time: `phrase` as written, `iso` at its own precision, and its bounds in UTC (`end` exclusive).

    `since` and `until` say from when and up to when something holds, where the words around the phrase tell it.
    """

    phrase: str
    iso: str | None
    start: datetime | None
    end: datetime | None
    since: Moment | None = None
    until: Moment | None = None


@dataclass(frozen=True)
class _Span:
    first: date
    after: date | None
    precision: int = 10  # characters of the ISO date that are meant


@dataclass(frozen=True)
class _Found:
    """A phrase in its setting: the moment of the message, and whether the clause tells of the past."""

    match: re.Match[str]
    at: datetime
    past: bool

    @property
    def today(self) -> date:
        """The day of the message, where it was sent."""
        return self.at.date()

    def __getitem__(self, group: str) -> str:
        return self.match[group] or ""


_Resolver = Callable[[_Found], _Span | None]


def _day(value: date) -> _Span:
    return _Span(value, value + timedelta(days=1))


def _month_start(value: date, months: int) -> date:
    index = value.year * 12 + value.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def shift_months(value: date, months: int) -> date:
    """The same day so many months on, or the last day of that month when it is shorter."""
    first = _month_start(value, months)
    last = _month_start(first, 1) - timedelta(days=1)
    return min(first.replace(day=min(value.day, last.day)), last)


def _month(value: date) -> _Span:
    first = value.replace(day=1)
    return _Span(first, _month_start(first, 1), 7)


def _year(year: int, precision: int = 4) -> _Span:
    return _Span(date(year, 1, 1), date(year + 1, 1, 1), precision)


def _week(value: date) -> _Span:
    monday = value - timedelta(days=value.weekday())
    return _Span(monday, monday + timedelta(days=7))


def _season(name: str, year: int) -> _Span:
    first = date(year, SEASONS[name], 1)
    return _Span(first, _month_start(first, 3), 7)


def _count(words: str) -> int:
    for word in reversed(words.lower().split()):
        if word.isdigit():
            return int(word)
        if word in NUMBERS:
            return NUMBERS[word]
    return 1


def of_day(value: date, phrase: str, at: datetime) -> When:
    """A whole day of the calendar in the zone of `at`."""
    start = datetime(value.year, value.month, value.day, tzinfo=at.tzinfo)
    return When(phrase, value.isoformat(), start.astimezone(UTC), (start + timedelta(days=1)).astimezone(UTC))


def day_index(word: str) -> int:
    return next(index for index, name in enumerate(DAYS) if name.startswith(word.lower()[:3]))


def _month_index(word: str) -> int:
    return next(index for index, name in enumerate(MONTHS, 1) if name.startswith(word.lower()[:3]))


def _moved(today: date, count: int, unit: str, sign: int) -> _Span:
    unit = unit.lower().rstrip("s")
    if unit in ("minute", "hour"):
        return _day(today)
    if unit in UNIT_MONTHS:
        there = shift_months(today, sign * count * UNIT_MONTHS[unit])
        return _month(there) if unit == "month" else _year(there.year)
    if unit == "weekend":
        return _weekend(today, sign * count)
    return _day(today + timedelta(days=sign * count * UNIT_DAYS.get(unit, 1)))


def _weekend(today: date, steps: int) -> _Span:
    """The weekend of this week (0), of the last (-1) or of the next (1); on a weekend, "this" is the one we are in."""
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=5 + 7 * steps)
    return _Span(saturday, saturday + timedelta(days=2))


def _word(found: _Found) -> _Span | None:
    steps = {
        "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0,
        "this evening": 0, "earlier today": 0, "tomorrow": 1, "the day before yesterday": -2,
        "the day after tomorrow": 2, "the other day": None,
    }  # fmt: skip
    text = re.sub(r"\s+(morning|afternoon|evening|night)$", "", found["word"].lower())
    step = steps.get(found["word"].lower(), steps.get(text))
    return None if step is None else _day(found.today + timedelta(days=step))


def _ago(found: _Found) -> _Span | None:
    unit = found["unit"].lower().rstrip("s")
    if unit in ("minute", "hour"):
        return _day((found.at - _count(found["n"]) * timedelta(**{f"{unit}s": 1})).date())
    return _moved(found.today, _count(found["n"]), found["unit"], -1)


def _ahead(found: _Found) -> _Span | None:
    unit = found["unit"].lower().rstrip("s")
    if unit in ("minute", "hour") and not found.past:
        return _day((found.at + _count(found["n"]) * timedelta(**{f"{unit}s": 1})).date())
    return None if found.past else _moved(found.today, _count(found["n"]), found["unit"], 1)


def _relative(found: _Found) -> _Span | None:
    step = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1, "this": 0}[
        found["which"].lower()
    ]
    unit = found["unit"].lower()
    if unit == "week":
        return _week(found.today + timedelta(days=7 * step))
    if unit == "weekend":
        return _weekend(found.today, step)
    if unit == "month":
        return _month(_month_start(found.today, step))
    if unit == "year":
        return _year(found.today.year + step)
    if unit in SEASONS:
        return _season_near(unit, found.today, step, found.past)
    if re.fullmatch(MONTH_NAME, unit, re.I):
        return _month_near(_month_index(unit), found.today, step, found.past)
    return _weekday(day_index(unit), found.today, step)


def _weekday(wanted: int, today: date, step: int) -> _Span:
    """The latest such day before today (-1), the first one after it (1), or the one of this week (0)."""
    if step == 0:
        return _day(today + timedelta(days=wanted - today.weekday()))
    if step < 0:
        return _day(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))
    return _day(today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1))


def _season_near(name: str, today: date, step: int, past: bool) -> _Span:
    begins = date(today.year, SEASONS[name], 1)
    if step < 0 or (step == 0 and past and begins > today):
        ended = [_season(name, year) for year in (today.year, today.year - 1, today.year - 2)]
        return next(span for span in ended if span.after is not None and span.after <= today)
    if step > 0:
        return _season(name, today.year if begins > today else today.year + 1)
    return _season(name, today.year)


def _month_near(index: int, today: date, step: int, past: bool) -> _Span:
    year = today.year
    if step < 0 or (step == 0 and past):
        year -= index > today.month or (index == today.month and step < 0)
    elif step > 0 or not past:
        year += index < today.month or (index == today.month and step > 0)
    return _month(date(year, index, 1))


def _bare_day(found: _Found) -> _Span | None:
    return _weekday(day_index(found["day"]), found.today, -1 if found.past else 1)


def _bare_month(found: _Found) -> _Span | None:
    return _month_near(_month_index(found["month"]), found.today, 0, found.past)


def _bare_season(found: _Found) -> _Span | None:
    return _season_near(found["season"].lower(), found.today, 0, found.past)


def _date(found: _Found) -> _Span | None:
    month, day, year = _month_index(found["month"]), int(found["d"]), found["y"]
    try:
        if year:
            return _day(date(int(year), month, day))
        there = date(found.today.year, month, day)
    except ValueError:
        return None
    if found.past and there > found.today:
        there = shift_months(there, -12)
    elif not found.past and there < found.today:
        there = shift_months(there, 12)
    return _day(there)


def _month_year(found: _Found) -> _Span | None:
    return _month(date(int(found["y"]), _month_index(found["month"]), 1))


def _season_year(found: _Found) -> _Span | None:
    return _season(found["season"].lower(), int(found["y"]))


def _bare_year(found: _Found) -> _Span | None:
    return _year(int(found["y"]))


def _decade(found: _Found) -> _Span | None:
    year = int(found["y"])
    return _Span(date(year, 1, 1), date(year + 10, 1, 1), 3)


def _iso(found: _Found) -> _Span | None:
    try:
        return _day(date.fromisoformat(found["iso"]))
    except ValueError:
        return None


def _numeric(found: _Found) -> _Span | None:
    parsed = dateparser.parse(found.match[0], languages=["en"], settings={"RETURN_AS_TIMEZONE_AWARE": False})
    return None if parsed is None else _day(parsed.date())


def _lasting(found: _Found) -> _Span | None:
    began = _moved(found.today, _count(found["n"]), found["unit"], -1)
    return _Span(began.first, None, began.precision)


# The first rule that fits at the earliest place wins; a phrase that resolves to nothing still counts as the phrase.
RULES: tuple[tuple[str, _Resolver | None], ...] = (
    (rf"(?:every|each)\s+(?:other\s+|single\s+)?(?:{DAY_NAME}|{_UNIT}|{MONTH_NAME}|{_SEASON}|morning|evening){_PART}",
     None),
    (rf"on\s+(?:weekends|weekdays|(?:{'|'.join(DAYS)})s)\b", None),
    (r"(?:since|when|until)\s+(?:I|he|she|we|they|\w+)\s+(?:was|were)\s+(?:a\s+)?(?:\d+|[a-z]+)(?:\s+years\s+old)?",
     None),
    (rf"for\s+(?:(?:over|about|around|almost|nearly|the\s+(?:last|past))\s+)*(?P<n>{NUMBER_WORD})\s+(?P<unit>{_UNIT})",
     _lasting),
    (r"(?P<iso>\d{4}-\d\d-\d\d)", _iso),
    (r"\d{1,2}[/.]\d{1,2}[/.]\d{4}", _numeric),
    (r"(?P<word>the\s+day\s+(?:before\s+yesterday|after\s+tomorrow)|yesterday(?:\s+(?:morning|afternoon|evening))?|"
     r"tomorrow(?:\s+(?:morning|afternoon|evening|night))?|last\s+night|earlier\s+today|today|tonight|"
     r"this\s+(?:morning|afternoon|evening)|the\s+other\s+day)", _word),
    (rf"(?:(?:about|around|almost|over|nearly|just)\s+)?(?P<n>{NUMBER_WORD})\s+(?P<unit>{_UNIT})\s+(?:ago|back|earlier)",
     _ago),
    (rf"(?:in|within)\s+(?:(?:about|around)\s+)?(?P<n>{NUMBER_WORD})\s+(?P<unit>{_UNIT})(?:'s?\s+time)?", _ahead),
    (rf"(?P<n>{NUMBER_WORD})\s+(?P<unit>{_UNIT})\s+from\s+(?:now|today)", _ahead),
    (rf"(?:on\s+|since\s+|until\s+|by\s+)?(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{MONTH_NAME})\b\.?,?"
     rf"(?:\s+(?P<y>{_YEAR}))?{_CLOCK}", _date),
    (rf"(?:on\s+|since\s+|until\s+|by\s+)?(?P<month>{MONTH_NAME})\b\.?\s+(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*%)"
     rf"(?:,?\s+(?P<y>{_YEAR}))?{_CLOCK}", _date),
    (rf"(?:in\s+|since\s+|until\s+|by\s+)?(?:early\s+|late\s+|mid-?)?(?P<month>{MONTH_NAME})\b\.?,?\s+(?:of\s+)?(?P<y>{_YEAR})",
     _month_year),
    (rf"(?:in\s+|since\s+)?(?:the\s+)?(?P<season>{_SEASON})\s+(?:of\s+)?(?P<y>{_YEAR})", _season_year),
    (rf"(?:(?:on|since|until|by|earlier|later)\s+)?(?:the\s+)?(?P<which>last|past|previous|next|coming|following|this)\s+"
     rf"(?P<unit>weekend|week|month|year|{_SEASON}|{DAY_NAME}|{MONTH_NAME})\b{_PART}{_CLOCK}", _relative),
    (rf"(?:on|by|since|until)\s+(?P<day>{DAY_NAME})\b(?!s){_PART}{_CLOCK}", _bare_day),
    (rf"(?P<day>{'|'.join(DAYS)})\b{_PART}{_CLOCK}", _bare_day),
    (rf"(?:in|since|until|by)\s+(?:early\s+|late\s+|mid-?)?(?P<month>{MONTH_NAME})\b", _bare_month),
    (rf"(?:in|during|over)\s+(?:the\s+)?(?P<season>{_SEASON})\b", _bare_season),
    (r"(?:in|during|since)\s+the\s+(?P<y>(?:19|20)\d0)'?s", _decade),
    (rf"(?:in|since|until|by|back\s+in|around)\s+(?P<y>{_YEAR})\b(?!\s*%)", _bare_year),
    (rf"(?P<which>last|this|next)\s+(?P<unit>{_SEASON})", _relative),
    (r"(?:recently|lately|these\s+days|nowadays|one\s+day|someday|soon|all\s+(?:day|week|month|year))", None),
)  # fmt: skip

_COMPILED = tuple((re.compile(rf"\b{pattern}", re.I), resolve) for pattern, resolve in RULES)


def find(text: str, at: datetime, past: bool) -> When | None:
    """The first time phrase of `text`, or None. `past` tells which Saturday "on Saturday" means.

    A phrase that names no date ("every Thursday", "since I was ten") comes back with its bounds None.
    """
    best: tuple[re.Match[str], _Resolver] | None = None
    unresolved: re.Match[str] | None = None
    taken: list[tuple[int, int]] = []
    for pattern, resolve in _COMPILED:
        for match in pattern.finditer(text):
            if any(first < match.end() and match.start() < last for first, last in taken):
                continue
            taken.append(match.span())
            if resolve is None:
                unresolved = unresolved or match
            elif best is None or _weight(resolve, match) < _weight(best[1], best[0]):
                best = (match, resolve)
    if best is not None:
        try:
            return _when(best[0], best[1](_Found(best[0], at, past)), at)
        except (OverflowError, ValueError):  # "300 decades ago" lies outside the calendar
            return When(best[0][0].strip(), None, None, None)
    return None if unresolved is None else When(unresolved[0], None, None, None)


def _weight(resolve: _Resolver, match: re.Match[str]) -> tuple[bool, int]:
    return resolve is _lasting, match.start()


def _when(match: re.Match[str], span: _Span | None, at: datetime) -> When:
    phrase = match[0].strip()
    if span is None:
        return When(phrase, None, None, None)
    zone = at.tzinfo
    start = datetime(span.first.year, span.first.month, span.first.day, tzinfo=zone).astimezone(UTC)
    after = span.after
    if re.match(r"since\b", phrase, re.I):
        after = None
    end = None if after is None else datetime(after.year, after.month, after.day, tzinfo=zone).astimezone(UTC)
    return When(phrase, span.first.isoformat()[: span.precision], start, end)
