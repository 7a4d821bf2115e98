"""The stretch of time that a question names, counted from when it is asked.

Single phrases are read as in messages; ranges, bounds on one side and what only questions say are read here. What only
looks like a time ("Sunday roast recipe") is none.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.recall import foreign_dates, occasions

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
"""Where a stretch begins that has no beginning."""
_MONTH = rf"(?:{'|'.join(times.MONTHS)})"
_DAY = "|".join(times.DAYS)
_YEAR = r"(?:1[89]|20)\d\d"
_UNIT = r"(?:hour|day|night|week|fortnight|month|year|decade)s?"
_NUMBER = rf"(?:\d{{1,3}}|(?:couple|few)(?:\s+of)?|{'|'.join(word for word in times.NUMBERS if len(word) > 2)})"
_TO = r"\s*(?:and|to|until|till|through|-|\u2013)\s*"
_POINT = r"[\w/.,' -]{2,40}?"


@dataclass(frozen=True)
class Calendar:
    """What the words of a question do not tell of the times in it."""

    day_first: bool = True
    """Whether 10.01.2024 is in January."""
    southern: bool = False
    """Whether seasons and school terms are those of the southern half of the earth."""


USUAL = Calendar()


@dataclass(frozen=True)
class Window:
    """The time a question names, `end` exclusive and None when open. `yearless`: that time of any year ("in May")."""

    start: datetime
    end: datetime | None
    yearless: bool = False
    assumed: tuple[str, ...] = ()
    """What the question leaves open and was taken for granted, a sentence each."""

    def holds(self, at: datetime) -> bool:
        if self.yearless and self.end is not None:
            # In another zone, or across the new year, a moment's own year is not always that of the start.
            return any(start <= at < start + (self.end - self.start) for start in self.starts(at.year + 1, 3))
        return self.start <= at and (self.end is None or at < self.end)

    def just_before(self, at: datetime, within: timedelta = timedelta(days=14)) -> bool:
        """Whether `at` comes shortly after the window, when people speak of what happened in it."""
        if self.end is None or self.yearless:
            return False
        return self.end <= at < self.end + within

    def starts(self, latest: int, years: int) -> list[datetime]:
        """When that time began in each of so many years up to `latest`, the latest first."""
        return [_in_year(self.start, latest - back) for back in range(years) if latest - back > 1]


def read(text: str, at: datetime, calendar: Calendar = USUAL) -> Window | None:
    """The window of a question asked at `at`, in whose zone its days begin and end; None when it names no time."""
    text, assumed = _ordered(text, calendar.day_first)
    found = _read(text, at, calendar)
    return replace(found, assumed=(*assumed, *found.assumed)) if found is not None else None


def _read(text: str, at: datetime, calendar: Calendar) -> Window | None:
    occasion = occasions.read(text, at.date(), calendar.southern)
    if occasion is not None:
        (first, after), yearless = occasion
        return Window(_midnight(first, at), _midnight(after, at), yearless)
    for pattern, resolve in _FORMS:
        for match in pattern.finditer(text):
            try:
                window = resolve(match, at)
            except (OverflowError, ValueError):  # outside the calendar
                window = None
            if window is not None:
                return window
    found = _single(text, at, calendar)
    if found is None and (phrase := foreign_dates.english(text, at.year)) is not None:
        return _single(phrase, at, calendar)
    return found


_NUMBERS_ONLY = re.compile(
    r"(?<![\d./-])(?P<a>\d{1,2})(?P<mark>[./])(?P<b>\d{1,2})(?P=mark)(?P<y>(?:19|20)\d\d)(?![\d/])"
)


def _ordered(text: str, day_first: bool) -> tuple[str, list[str]]:
    """The text with dates of numbers alone written year first, and which of them could be read in another order."""
    assumed: list[str] = []

    def year_first(match: re.Match[str]) -> str:
        day, month = (int(match["a"]), int(match["b"])) if day_first else (int(match["b"]), int(match["a"]))
        if month > len(times.MONTHS):
            day, month = month, day
        try:
            read_as = date(int(match["y"]), month, day)
        except ValueError:
            return match[0]
        if day <= len(times.MONTHS) and day != month:
            assumed.append(f"{match[0]} is read as {read_as.isoformat()}, {'day' if day_first else 'month'} first")
        return read_as.isoformat()

    return _NUMBERS_ONLY.sub(year_first, text), assumed


_LASTING = re.compile(r"^for\b(?!.*\b(?:last|past)\b)", re.I | re.S)
"""How long something lasts ("hungry for 3 days") says not when."""


def _single(text: str, at: datetime, calendar: Calendar) -> Window | None:
    """The first phrase that is a time, and not part of a name."""
    for _ in range(4):
        when = times.find(text, at, past=True)
        if when is None:
            return None
        place = text.find(when.phrase)
        if (
            when.start is not None
            and not _LASTING.match(when.phrase)
            and not _names_something(text, place, when.phrase)
        ):
            window = Window(when.start, when.end, when.end is not None and _any_year(when.phrase))
            return _in_season(_widened(window, when.phrase), when.phrase, at, calendar)
        text = f"{text[:place]}{'.' * len(when.phrase)}{text[place + len(when.phrase) :]}"
    return None


def _in_season(window: Window, phrase: str, at: datetime, calendar: Calendar) -> Window:
    """A window of a season, half a year on or back where seasons are those of the south."""
    season = _NAMED_SEASON.search(phrase)
    if season is None or not calendar.southern or window.end is None:
        return window
    months = -6 if season[0].casefold() == "winter" else 6
    first, after = (times.shift_months(end.astimezone(at.tzinfo).date(), months) for end in (window.start, window.end))
    if not _NAMED_YEAR.search(phrase) and _midnight(first, at) > at:
        first, after = times.shift_months(first, -12), times.shift_months(after, -12)
    return replace(window, start=_midnight(first, at), end=_midnight(after, at))


def _any_year(phrase: str) -> bool:
    return bool(_NAMED_MONTH.search(phrase)) and not _NAMED_YEAR.search(phrase) and not _RELATIVE.search(phrase)


_NAMED_MONTH = re.compile(rf"\b{_MONTH}\b", re.I)
_NAMED_YEAR = re.compile(rf"\b{_YEAR}\b")
_NAMED_SEASON = re.compile(rf"\b(?:{'|'.join(times.SEASONS)})\b", re.I)
_RELATIVE = re.compile(r"\b(?:last|next|this|past|previous|coming)\b", re.I)
_ROUGH = re.compile(r"\b(?:(?P<weeks>weeks?)|(?:few|couple(?:\s+of)?)\s+days)\s+(?:ago|back|earlier)$", re.I)


def _widened(window: Window, phrase: str) -> Window:
    """ "Two weeks ago" is no day; it is that week, as "a few days ago" is some days."""
    rough = _ROUGH.search(phrase)
    if rough is None or window.end is None:
        return window
    around = timedelta(days=3 if rough["weeks"] else 2)
    return Window(window.start - around, window.end + around)


# What only looks like a time

_SHORT_DAY = re.compile(r"^on\s+(?:mon|tues?|wed|thur?s?|fri|sat|sun)$", re.I)
_BARE_DAY = re.compile(rf"^(?:{_DAY})$", re.I)
_VERB_MONTH = re.compile(r"^(?:march|may)\s+\d{1,2}$")
_SHORT_MONTH = re.compile(r"^(?:since|until|by)\s+(?:jan|mar|dec)$", re.I)
_SEASON = re.compile(rf"\b(?:{'|'.join(name.title() for name in times.SEASONS)})$")
_NAMED_DAYS = re.compile(r"\b(?:black|good|bloody|cyber|palm|easter|ash|super|shrove|maundy|fat)\s+$", re.I)
_GOING_ON = """
a about afternoon after all also an and any are around as at be because before but by can could did do does during
early evening for from go got had has have he her his how i if in is it its last late me morning my next night of on
or our she should since so than that the their them then there they this to together until was we went were what
when where which while who why will with without would you your
"""
_AFTER_A_TIME = frozenset(_GOING_ON.split())
"""Words that follow a time; behind any other, a bare weekday belongs to a name."""


def _names_something(text: str, place: int, phrase: str) -> bool:
    """Whether the phrase is part of what the question is about: "Sunday roast", "sun exposure", "Spring Boot"."""
    following = re.match(r"[ \t]+(\w+)", text[place + len(phrase) :])
    if _NAMED_DAYS.search(text[:place]) and _BARE_DAY.match(phrase):
        return True
    if following is None:
        return False
    if _SEASON.search(phrase):
        return following[1][0].isupper()
    goes_on = following[1].casefold() not in _AFTER_A_TIME
    return goes_on and any(form.match(phrase) for form in (_SHORT_DAY, _BARE_DAY, _VERB_MONTH, _SHORT_MONTH))


# What is said of more than one phrase

_Resolver = Callable[[re.Match[str], datetime], Window | None]


def _point(text: str, at: datetime) -> times.When | None:
    """A text that is a time as a whole ("3 March", "2024", "last Friday"), or begins with one."""
    text = text.strip(" .,'")
    if re.fullmatch(r"\d{4}/\d{1,2}/\d{1,2}", text):
        text = "-".join(part.zfill(2) for part in text.split("/"))
    for before in ("", "in ", "on "):
        when = times.find(before + text, at, past=True)
        if when is not None and when.start is not None and (before + text).startswith(when.phrase):
            return when
    return None


def _between(match: re.Match[str], at: datetime) -> Window | None:
    first, last = match["first"].strip(), match["last"].strip()
    until = _point(last, at)
    if until is None or until.end is None:
        return None
    year, month = _NAMED_YEAR.search(until.phrase), _NAMED_MONTH.search(until.phrase)
    if month is not None and re.fullmatch(r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?", first):
        first = f"{first} {month[0]}"
    dated = year is not None and not _NAMED_YEAR.search(first) and bool(_NAMED_MONTH.search(first))
    since = _point(f"{first} {year[0]}" if year is not None and dated else first, at)
    if since is None or since.start is None:
        return None
    start = since.start
    if start >= until.end and (dated or not _NAMED_YEAR.search(first)):
        start = _in_year(start, start.year - 1)
    return Window(start, until.end, _any_year(until.phrase) and _any_year(since.phrase))


def _bounded(match: re.Match[str], at: datetime) -> Window | None:
    when = _point(match["point"], at)
    if when is None or when.start is None:
        return None
    side = match["side"].casefold()
    named = when.phrase.removeprefix("in ").removeprefix("on ")
    if _names_something(match.string, match.start(), f"{side} {named}"):
        return None
    if match["unit"] and side in ("before", "prior to", "after"):
        return _beside(match, when, side)
    if side in ("before", "prior to"):
        return Window(EARLIEST, when.start)
    if side in ("until", "till", "up to"):
        return None if when.end is None else Window(EARLIEST, when.end)
    return Window(when.start if side == "since" or when.end is None else when.end, None)


def _beside(match: re.Match[str], when: times.When, side: str) -> Window | None:
    """ "Two weeks before 14 June": from about then to that day, when it may have been told."""
    if when.start is None or when.end is None or when.phrase.casefold() in ("yesterday", "tomorrow"):
        return None
    unit = match["unit"].casefold().rstrip("s")
    days = (
        7 if unit in ("weekend", *times.DAYS) else times.UNIT_DAYS.get(unit) or 31 * times.UNIT_MONTHS.get(unit, 0) or 1
    )
    apart = timedelta(days=days * _counted(match["n"]) + (0 if unit in ("hour", "day", "night", *times.DAYS) else 3))
    return Window(when.start, when.end + apart) if side == "after" else Window(when.start - apart, when.end)


def _lately(match: re.Match[str], at: datetime) -> Window | None:
    """ "The last two weeks", counted back from the day it is asked."""
    count, unit = (match["n"] or "1"), match["unit"].casefold().rstrip("s")
    when = times.find(f"{count} {unit} ago", at, past=True)
    if when is None or when.start is None:
        return None
    start = when.start
    if unit in times.UNIT_MONTHS:
        months = times.UNIT_MONTHS[unit] * _counted(count)
        start = _midnight(times.shift_months(at.date(), -months), at)
    return Window(start, _midnight(at.date() + timedelta(days=1), at))


def _counted(count: str) -> int:
    word = count.split()[0].casefold()
    return int(word) if word.isdigit() else times.NUMBERS.get(word, 1)


def _weekend(match: re.Match[str], at: datetime) -> Window | None:  # noqa: ARG001  # a form's resolver
    """The weekend that one is in, else the last one."""
    saturday = at.date() + timedelta(days=5 - at.weekday() - (7 if at.weekday() < 5 else 0))
    return Window(_midnight(saturday, at), _midnight(saturday + timedelta(days=2), at))


def _day_of_month(match: re.Match[str], at: datetime) -> Window | None:
    """ "On the 3rd": the last third of a month that has come."""
    number = int(match["d"])
    month = at.date().replace(day=1)
    for _ in range(12):
        try:
            day = month.replace(day=number)
        except ValueError:
            day = None  # a month without it
        if day is not None and day <= at.date():
            return Window(_midnight(day, at), _midnight(day + timedelta(days=1), at))
        month = times.shift_months(month, -1)
    return None


def _slashed(match: re.Match[str], at: datetime) -> Window | None:
    day = date(int(match["y"]), int(match["m"]), int(match["d"]))
    return Window(_midnight(day, at), _midnight(day + timedelta(days=1), at))


def _quarter(match: re.Match[str], at: datetime) -> Window | None:
    month = 3 * int(match["q"]) - 2
    year = int(match["y"]) if match["y"] else at.year - (month > at.month)
    first = date(year, month, 1)
    return Window(_midnight(first, at), _midnight(times.shift_months(first, 3), at))


def _midnight(day: date, at: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=at.tzinfo).astimezone(UTC)


def _in_year(moment: datetime, year: int) -> datetime:
    try:
        return moment.replace(year=year)
    except ValueError:  # 29 February
        return datetime(year, 3, 1, tzinfo=UTC)


_FORMS: tuple[tuple[re.Pattern[str], _Resolver], ...] = tuple(
    (re.compile(pattern, re.I), resolve)
    for pattern, resolve in (
        (rf"\b(?:between|from)\s+(?P<first>{_POINT}){_TO}(?P<last>[\w/.,' -]{{2,40}})", _between),
        (
            rf"(?:\b(?P<n>{_NUMBER}|an?|the|last)\s+(?P<unit>{_UNIT}|weekend|{_DAY})\s+)?"
            r"\b(?P<side>before|prior\s+to|after|since|until|till|up\s+to)\s+(?P<point>[\w/.,' -]{2,40})",
            _bounded,
        ),
        (rf"\b(?:last|past|previous)\s+(?P<n>{_NUMBER})\s+(?P<unit>{_UNIT})\b", _lately),
        (r"\bpast\s+(?P<n>)(?P<unit>week|month|year)\b", _lately),
        (r"\b(?:over|at|on|during)\s+the\s+weekend\b", _weekend),
        (
            r"\bon\s+the\s+(?P<d>[12]?\d|3[01])(?:st|nd|rd|th)\b(?=\W*$|[?!.,;]|\s+(?:of\s+(?:this|the)\s+month|with|and|at|by)\b)",
            _day_of_month,
        ),
        (r"(?<![\w/])(?P<y>(?:19|20)\d\d)/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\w/])", _slashed),
        (rf"\bQ(?P<q>[1-4])\b(?:\s+(?:of\s+|in\s+)?(?P<y>{_YEAR})\b)?", _quarter),
    )
)
