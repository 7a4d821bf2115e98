"""Times that questions name by an occasion: holidays, breaks of a school year, and parts of a month or a year."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from dateutil import easter

from reverie.pipelines.ingest.language.en import times

Days = tuple[date, date]
"""The first day and the day after the last one."""

_YEAR = r"(?:1[89]|20)\d\d"
_MONTH = rf"(?:{'|'.join(times.MONTHS)})"
_LONGEST_BACK = 2


def _from(month: int, day: int, days: int) -> Callable[[int], Days]:
    return lambda year: (date(year, month, day), date(year, month, day) + timedelta(days=days))


def _weekday(month: int, weekday: int, number: int, days: int) -> Callable[[int], Days]:
    """From so many-th such weekday of a month on."""

    def of(year: int) -> Days:
        first = date(year, month, 1)
        start = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
        return start, start + timedelta(days=days)

    return of


def _easter(year: int) -> Days:
    sunday = easter.easter(year)
    return sunday - timedelta(days=2), sunday + timedelta(days=2)


_NEW_YEAR = _from(1, 1, 2)
_OCCASIONS: tuple[tuple[str, Callable[[int], Days], Callable[[int], Days]], ...] = (
    (r"christmas(?:\s+(?:eve|day|time))?|xmas|weihnachten|noël|navidad|natale|natal|圣诞节?|聖誕節?|クリスマス",
     _from(12, 24, 3), _from(12, 24, 3)),
    (r"new\s+year['’]?s\s+eve|silvester|nochevieja", _from(12, 31, 2), _from(12, 31, 2)),
    (r"new\s+year(?:['’]?s)?(?:\s+day)?|元旦", _NEW_YEAR, _NEW_YEAR),
    (r"hall?owe['’]?en", _from(10, 31, 1), _from(10, 31, 1)),
    (r"valentine['’]?s(?:\s+day)?", _from(2, 14, 1), _from(2, 14, 1)),
    (r"independence\s+day|(?:the\s+)?(?:4th|fourth)\s+of\s+july", _from(7, 4, 1), _from(7, 4, 1)),
    (r"easter(?:\s+(?:sunday|monday|weekend))?|ostern|pâques|pascua", _easter, _easter),
    (r"thanksgiving(?:\s+day)?", _weekday(11, 3, 4, 1), _weekday(11, 3, 4, 1)),
    (r"black\s+friday", _weekday(11, 4, 4, 1), _weekday(11, 4, 4, 1)),
    (r"(?:chinese|lunar)\s+new\s+year|春节|春節", _from(1, 21, 32), _from(1, 21, 32)),
    (r"spring\s+(?:break|vacation)", _from(3, 1, 46), _from(9, 15, 31)),
    (r"summer\s+(?:break|vacation|holidays?)", _from(6, 15, 78), _from(12, 15, 48)),
    (r"(?:autumn|fall)\s+(?:break|vacation|holidays?)", _from(10, 1, 40), _from(4, 1, 30)),
    (r"winter\s+(?:break|vacation|holidays?)", _from(12, 15, 27), _from(6, 25, 25)),
)  # fmt: skip
"""Each with its days by year on the northern and on the southern half of the earth. Breaks of schools differ by place:
the stretch covers what is usual."""

_LEADS = r"(?:at|on|during|over|around|in|by|last|past|this|next|before|after|since|zu|an|à|en|le|im)"
_OCCASION = re.compile(
    "|".join(
        rf"(?P<lead{n}>(?<!\w){_LEADS}\s+(?:the\s+)?)?(?P<o{n}>(?<![a-z])(?:{pattern})(?![a-zà-ÿ\d]))(?:\s+(?:of\s+|in\s+)?(?P<y{n}>{_YEAR}))?"
        for n, (pattern, _, _) in enumerate(_OCCASIONS)
    ),
    re.I,
)
_NO_TIME = re.compile(
    r"^\s+(?:present|gift|tree|card|dinner|party|movie|song|costume|market|resolution|egg|deal)s?\b", re.I
)
_HAN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")

_NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
_PARTS = {"beginning": (1, 11), "start": (1, 11), "middle": (11, 21), "end": (21, None)}
_PART_OF_MONTH = re.compile(
    rf"\b(?:(?P<nth>{'|'.join(_NTH)}|last)\s+(?P<unit>week(?:end)?|half)|(?P<part>beginning|start|middle|end))\s+of\s+(?P<month>{_MONTH})\b"
    rf"(?:,?\s+(?:of\s+)?(?P<y>{_YEAR})\b)?|\b(?P<rough>early|late|mid)[\s-]+(?P<of>{_MONTH})\b(?:,?\s+(?P<year>{_YEAR})\b)?",
    re.I,
)
_ROUGH = {"early": "beginning", "mid": "middle", "late": "end"}


def read(text: str, today: date, southern: bool) -> tuple[Days, bool] | None:
    """The days of the first occasion that a question asked today names, and whether those of any year are meant.

    Without a year it is the last one that has begun; `southern` says on which half of the earth schools have their
    breaks. What only bears the name of a holiday ("a Christmas tree") is none.
    """
    return _of_occasion(text, today, southern) or _of_month(text, today)


def _of_occasion(text: str, today: date, southern: bool) -> tuple[Days, bool] | None:
    for match in _OCCASION.finditer(text):
        number = next(n for n in range(len(_OCCASIONS)) if match[f"o{n}"])
        lead, name, year = (match[f"{group}{number}"] for group in ("lead", "o", "y"))
        if not (lead or year or _HAN.search(name)) or _NO_TIME.match(text[match.end() :]):
            continue
        _, northern_days, southern_days = _OCCASIONS[number]
        days = southern_days if southern else northern_days
        if year:
            return days(int(year)), False
        following = bool(lead) and lead.split()[0].casefold() == "next"
        return _near(days, today, following=following), not (lead and lead.split()[0].casefold() in _NEAREST)
    return None


_NEAREST = frozenset({"last", "past", "this", "next"})


def _near(days: Callable[[int], Days], today: date, *, following: bool) -> Days:
    """The last of each year's days that has begun, or the next one to come."""
    if following:
        return next(found for year in (today.year, today.year + 1) if (found := days(year))[0] > today)
    years = range(today.year, today.year - _LONGEST_BACK, -1)
    return next((found for year in years if (found := days(year))[0] <= today), days(today.year - 1))


def _of_month(text: str, today: date) -> tuple[Days, bool] | None:
    match = _PART_OF_MONTH.search(text)
    if match is None:
        return None
    name, told = (match["of"], match["year"]) if match["rough"] else (match["month"], match["y"])
    month = times.MONTHS.index(name.casefold()) + 1
    year = int(told) if told else today.year - ((month, 1) > (today.month, today.day))
    first = date(year, month, 1)
    after = times.shift_months(first, 1)
    if match["nth"]:
        return _counted(match["nth"].casefold(), match["unit"].casefold(), first, after), not told
    part = _ROUGH[match["rough"].casefold()] if match["rough"] else match["part"].casefold()
    begins, ends = _PARTS[part]
    return (first.replace(day=begins), after if ends is None else first.replace(day=ends)), not told


def _counted(nth: str, unit: str, first: date, after: date) -> Days:
    if unit == "half":
        middle = first.replace(day=16)
        return (first, middle) if nth != "last" and not _NTH[nth] else (middle, after)
    days = 2 if unit == "weekend" else 7
    if nth == "last":
        end = after if unit == "week" else after - timedelta(days=after.weekday())
        return end - timedelta(days=days), end
    start = first if unit == "week" else first + timedelta(days=(5 - first.weekday()) % 7)
    start += timedelta(days=7 * _NTH[nth])
    return start, start + timedelta(days=days)
