"""From when to when something is told to hold: ranges, "since", "until", "for two years", and plain times.

    "from March 2019 to October 2022"  -> since 2019-03, until 2022-10
    "since February"                   -> since 2026-02
    "until the end of June"            -> until 2026-06-30
    "for two years" (has been ...)     -> since 2024
    "the Monday after that"            -> counted from the time told before

An end is the last instant of what was told: "until June" holds on 30 June.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from reverie.knowledge.claims import Moment
from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.ingest.language.en.times import When

_DAYS = times.DAY_NAME
_MONTH = times.MONTH_NAME
_YEAR = r"(?:1[89]|20)\d\d"
_NTH = r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?"
_POINT = (
    rf"(?:\d{{4}}-\d\d-\d\d|(?:{_NTH}\s+(?:of\s+)?)?{_MONTH}\b\.?(?:\s+{_NTH}\b)?(?:,?\s+{_YEAR})?|{_DAYS}\b|{_YEAR}|{_NTH}"
    rf"|(?:the\s+)?(?:spring|summer|autumn|fall|winter)(?:\s+of)?(?:\s+{_YEAR})?|now|today|tomorrow|yesterday)"
)
_RANGE = re.compile(
    rf"\b(?:(?P<from>from|between|on|in)\s+)?(?P<a>{_POINT})\s*(?P<link>to|till|until|through|and|[-\u2013/])\s*(?P<b>{_POINT})(?!\w)"
    rf"(?:\s+(?:of\s+)?(?P<month>{_MONTH})\b)?(?:,?\s+(?P<year>{_YEAR})\b)?",
    re.I,
)
_ISO_RANGE = re.compile(r"\b(\d{4}-\d\d-)(\d\d)\s*[/\u2013-]\s*(\d\d)\b(?!-)")
_EDGE = re.compile(
    rf"\b(?P<how>since|as\s+of|starting(?:\s+(?:from|on|in))?|from|until|till|through|up\s+to|by|at|on|in)\s+"
    rf"(?:the\s+)?(?P<part>start|beginning|end)\s+of\s+(?:the\s+|this\s+|next\s+)?"
    rf"(?P<unit>month|year|week|{_MONTH}\b(?:\s+{_YEAR})?|{_YEAR})",
    re.I,
)
_BOUND = re.compile(
    r"\b(?P<how>since|as\s+of|starting(?!\s+(?:at|with|as)\b)(?:\s+(?:from|on|in))?|from|until|till|through"
    r"|up\s+to(?!\s+(?:\d+|[a-z]+teen|ten|twenty)\s+[a-z]+))\s+"
    r"(?P<rest>.{2,40}?)(?=\s+(?:on(?:wards?)?|and|but|it|I|we|he|she|they)\b|[,.;!?:)]|$)",
    re.I,
)
_NTH_ALONE = re.compile(
    r"\b(?P<how>on|by|until|till|since|from|to|is|was)\s+the\s+(?P<d>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?!and|or|but|then|so|at|if|with|when|instead)[a-z])"
    r"(?!\s+(?:of\s+)?[A-Z])",
    re.I,
)
_AFTER_THAT = re.compile(
    rf"\b(?:(?:on|in|from)\s+)?the\s+(?P<unit>{_DAYS}|day|week|month|year)\s+(?P<side>after|before)(?:\s+that)?\b(?!\s+\w+day)",
    re.I,
)
_FOR = re.compile(
    rf"\b(?:for\s+)?(?:(?:over|about|around|almost|nearly|more\s+than|the\s+(?:last|past))\s+)*(?P<n>{times.NUMBER_WORD})\s+"
    rf"(?P<unit>years?|months?|weeks?|days?|decades?)\s+(?P<now>now)\b",
    re.I,
)
_SINCE = ("since", "as of", "starting", "from")


@dataclass(frozen=True)
class Setting:
    """What a time phrase is read against: the message's moment, the clause's tense, and the time told before it.

    `past`: of things past. `perfect`: "has lived", whose "for two years" reaches to now.
    """

    at: datetime
    past: bool
    perfect: bool = True
    before: date | None = None


@dataclass(frozen=True)
class Found:
    """A time phrase: when, and where in the text it stands."""

    when: When
    first: int
    last: int


def find(text: str, setting: Setting) -> Found | None:
    """The time that a clause tells, or None."""
    for rule in (_iso_range, _range, _edge, _after_that, _lasting, _bound, _nth):
        found = rule(text, setting)
        if found is not None:
            return found
    when = times.find(text, setting.at, setting.past)
    if when is None:
        return None
    first = text.lower().find(when.phrase.lower())
    if re.match(r"for\b", when.phrase, re.I) and not setting.perfect:
        when = When(when.phrase, None, None, None)  # "lived there for two years": how long, and not since when
    elif when.start is not None and when.iso is not None:
        when = replace(when, since=Moment(when.start, when.iso))
    return Found(when, first, first + len(when.phrase))


def _point(text: str, setting: Setting, day: bool = False) -> When | None:
    """A single point of a range, or what stands after "since"."""
    plain = re.sub(r"^the\s+(?=\d)", "", text.strip(), flags=re.I)
    if re.fullmatch(r"now|today", plain, re.I):
        return times.of_day(setting.at.date(), plain, setting.at)
    if (nth := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", plain)) is not None:
        if not day and not re.search(r"\D", plain):
            return None
        there = _near(int(nth[1]), setting)
        return None if there is None else times.of_day(there, text, setting.at)
    lead = "in " if re.match(rf"(?:{_MONTH}|{_YEAR}|spring|summer|autumn|fall|winter)\b", plain, re.I) else ""
    when = times.find(f"{lead}{plain}", setting.at, setting.past)
    return None if when is None or when.start is None else replace(when, phrase=text.strip())


def _near(day: int, setting: Setting) -> date | None:
    """The 21st that is meant: the last one of things past, else the next one."""
    today = setting.at.date()
    for step in (0, -1, -2) if setting.past else (0, 1, 2):
        first = times.shift_months(today.replace(day=1), step)
        try:
            there = first.replace(day=day)
        except ValueError:
            continue
        if (there <= today) if setting.past else (there >= today):
            return there
    return None


def _iso_range(text: str, setting: Setting) -> Found | None:
    match = _ISO_RANGE.search(text)
    if match is None:
        return None
    return _between(match, f"{match[1]}{match[2]}", f"{match[1]}{match[3]}", setting)


def _range(text: str, setting: Setting) -> Found | None:
    for match in _RANGE.finditer(text):
        a, b = match["a"], match["b"]
        bare = re.fullmatch(_NTH, a, re.I) is not None and re.fullmatch(_NTH, b, re.I) is not None
        if re.fullmatch(_DAYS, a, re.I):  # "I work from Monday to Friday": every week
            return Found(When(match[0].strip(), None, None, None), match.start(), match.end())
        if match["link"].lower() == "and" and (match["from"] or "").lower() != "between":
            continue
        if bare and not (match["month"] or (match["from"] and re.search(r"[a-z]", a + b, re.I))):
            continue
        if re.fullmatch(_YEAR, a) and not (re.fullmatch(_YEAR, b) or b.lower() in ("now", "today")):
            continue
        month, year = match["month"] or "", match["year"] or ""
        if month and re.fullmatch(_NTH, b, re.I):
            b = f"{b} of {month}"
        if re.fullmatch(_NTH, a, re.I) and (named := re.search(_MONTH, b, re.I)) is not None:
            a = f"{a} of {named[0]}"
        if re.fullmatch(_NTH, b, re.I) and (named := re.search(_MONTH, a, re.I)) is not None:
            b = f"{b} of {named[0]}"
        told = year or next(iter(re.findall(_YEAR, b)), "")
        if told and not re.search(_YEAR, b):
            b = f"{b} {told}"
        if told and not re.search(_YEAR, a) and not re.fullmatch(_DAYS, a, re.I):
            a = f"{a} {told}"
        found = _between(match, a, b, setting)
        if found is not None:
            return found
    return None


def _between(match: re.Match[str], a: str, b: str, setting: Setting) -> Found | None:
    first, last = _point(a, setting, day=True), _point(b, setting, day=True)
    if first is None or last is None or first.start is None or first.iso is None or last.iso is None:
        return None
    if b.lower() in ("now", "today"):
        when = When(match[0].strip(), first.iso, first.start, None, since=Moment(first.start, first.iso))
        return Found(when, match.start(), match.end())
    if last.end is None or last.end <= first.start:
        return None
    when = When(
        match[0].strip(), first.iso, first.start, last.end, Moment(first.start, first.iso), _until(last.end, last.iso)
    )
    return Found(when, match.start(), match.end())


def _until(end: datetime, iso: str) -> Moment:
    return Moment(end - timedelta(microseconds=1), iso)


def _edge(text: str, setting: Setting) -> Found | None:
    """ "At the end of June": its last day."""
    match = _EDGE.search(text)
    if match is None:
        return None
    unit = match["unit"].lower()
    today = setting.at.date()
    if unit == "month":
        whole: When | None = times.find(today.strftime("in %B %Y"), setting.at, setting.past)
    elif unit in ("year", "week"):
        whole = times.find(f"in {today.year}" if unit == "year" else "this week", setting.at, setting.past)
    else:
        whole = _point(unit, replace(setting, past=setting.past))
    if whole is None or whole.start is None or whole.end is None:
        return None
    zone = setting.at.tzinfo
    edge = whole.start if match["part"].lower() != "end" else whole.end - timedelta(days=1)
    day = times.of_day((edge + timedelta(hours=12)).astimezone(zone).date(), match[0], setting.at)
    return Found(_bounded(match["how"], day), match.start(), match.end())


def _bounded(how: str, when: When) -> When:
    """A time with what the word before it makes of it: a beginning, an end, or the time itself."""
    assert when.start is not None
    assert when.iso is not None
    word = " ".join(how.lower().split())
    if word in ("until", "till", "through", "up to"):
        end = when.end or when.start
        return When(when.phrase, when.iso, None, end, None, _until(end, when.iso))
    open_ended = word.startswith(_SINCE)
    return replace(when, end=None if open_ended else when.end, since=Moment(when.start, when.iso))


_CALENDAR = re.compile(rf"(?:{_MONTH}|{_DAYS}|{_YEAR}|now|today|tomorrow|next)\b", re.I)


def _bound(text: str, setting: Setting) -> Found | None:
    for match in _BOUND.finditer(text):
        how = match["how"].lower()
        if how == "from" and not _CALENDAR.match(match["rest"]):
            continue
        past = setting.past or how == "since"
        when = _point(match["rest"], replace(setting, past=past))
        if when is not None and when.start is not None:
            return Found(
                _bounded(how, replace(when, phrase=f"{match['how']} {when.phrase}")), match.start(), match.end()
            )
    return None


def _nth(text: str, setting: Setting) -> Found | None:
    match = _NTH_ALONE.search(text)
    if match is None or not 1 <= int(match["d"]) <= 31:
        return None
    how = match["how"].lower()
    there = _near(int(match["d"]), replace(setting, past=setting.past or how == "since"))
    if there is None:
        return None
    phrase = match[0] if how not in ("is", "was") else match[0][len(how) :].strip()
    first = match.end() - len(phrase)
    return Found(
        _bounded("on" if how in ("to", "is", "was", "by") else how, times.of_day(there, phrase, setting.at)),
        first,
        match.end(),
    )


def _after_that(text: str, setting: Setting) -> Found | None:
    """ "The Monday after that", "the day before": counted from the time that was told last."""
    match = _AFTER_THAT.search(text)
    if match is None or setting.before is None:
        return None
    unit, sign = match["unit"].lower(), 1 if match["side"].lower() == "after" else -1
    steps = {"day": 1, "week": 7}
    if unit in steps:
        there = setting.before + timedelta(days=sign * steps[unit])
    elif unit in ("month", "year"):
        there = times.shift_months(setting.before, sign * (1 if unit == "month" else 12))
    else:
        wanted = times.day_index(unit)
        gap = (wanted - setting.before.weekday()) % 7 or 7
        there = setting.before + timedelta(days=gap if sign > 0 else gap - 7 if gap != 7 else -7)
    when = times.of_day(there, match[0], setting.at)
    assert when.start is not None
    assert when.iso is not None
    return Found(replace(when, since=Moment(when.start, when.iso)), match.start(), match.end())


def _lasting(text: str, setting: Setting) -> Found | None:
    """ "Three years now"."""
    match = _FOR.search(text)
    when = None if match is None else times.find(f"for {match['n']} {match['unit']}", setting.at, past=True)
    if match is None or when is None or when.start is None or when.iso is None:
        return None
    when = When(match[0].strip(), when.iso, when.start, None, since=Moment(when.start, when.iso))
    return Found(when, match.start(), match.end())
