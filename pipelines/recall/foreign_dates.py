"""Times that a question names in another language than English, put into the English phrase that means the same.

The names of months, days and spans of European languages come from the tables of dateparser; what stands around them
("im Mai", "vendredi dernier") is listed here. Chinese and Japanese, whose dates are numbers, have forms of their own.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from reverie.pipelines.ingest.language.en import times

_YEAR = r"(?:1[89]|20)\d\d"
_Phrase = Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class _Around:
    """Regular expressions of what a language puts around the names of its months, days and years."""

    before_month: str
    before_year: str
    last: str
    link: str = r"\s+"
    """What stands between day, month and year."""


_LANGUAGES = {
    "de": _Around(r"(?:im|seit)", r"(?:im\s+jahre?|seit)", r"(?:letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?)"),
    "fr": _Around(r"(?:en|au\s+mois\s+de|depuis)", r"(?:en|depuis)", r"(?:derni(?:er|ère)|passée?)"),
    "es": _Around(r"(?:en|desde)", r"(?:en|desde)", r"pasad[oa]", r"\s+(?:del?\s+)?"),
    "it": _Around(r"(?:in|ad?|nel\s+mese\s+di)", r"(?:nel|dal)", r"scors[oa]"),
    "pt": _Around(r"(?:em|desde)", r"(?:em|desde)", r"passad[oa]", r"\s+(?:de\s+)?"),
    "nl": _Around(r"(?:in|sinds)", r"(?:in|sinds)", r"(?:vorige|afgelopen)"),
    "ru": _Around(r"(?:в|с)", r"(?:в|с)", r"прошл\w+"),
}
_RUSSIAN_MONTHS = (
    "январ[ьяею]", "феврал[ьяею]", "март[ае]?", "апрел[ьяею]", "ма[йяе]", "июн[ьяею]", "июл[ьяею]", "август[ае]?",
    "сентябр[ьяею]", "октябр[ьяею]", "ноябр[ьяею]", "декабр[ьяею]",
)  # fmt: skip
"""In the cases that stand in dates; the tables have only two."""
_MEANS = {
    "0 week ago": "this week", "1 week ago": "last week", "0 month ago": "this month", "1 month ago": "last month",
    "0 year ago": "this year", "1 year ago": "last year", "0 day ago": "today", "1 day ago": "yesterday",
    "2 day ago": "the day before yesterday", "in 1 day": "tomorrow", "in 1 week": "next week",
    "in 1 month": "next month", "in 1 year": "next year",
}  # fmt: skip
_COUNTED = ("day", "week", "month", "year")
_SHORTEST = 3
"""Letters of the shortest name that is read: shorter ones are words of other languages."""
_MEANS_OTHER = frozenset({"mar", "may", "sex", "ora", "morgen", "dom", "sam", "mer", "sol", "set", "nov", "die"})
"""Short names, and one of tomorrow, that are everyday words."""
_ARTICLE = re.compile(r"^(?:le|la|el|a|o|no|na|na|in|en|em|de|del|den)\s+|^l['’]")


def english(text: str, year: int) -> str | None:
    """The first time that a text in another language names, in English ("im Mai 2023" is "May 2023"); None without.

    `year` is the one in which it is asked.
    """
    of_year = _MONTH_OF_YEAR.search(text)
    if of_year is not None:
        return f"{_month(of_year)} {year + _OF_YEAR[of_year['which']]}"
    for pattern, phrase in (*_NUMBERED, *_worded()):
        found = pattern.search(text)
        if found is not None:
            return phrase(found)
    return None


@cache
def _worded() -> tuple[tuple[re.Pattern[str], _Phrase], ...]:
    """What is read of every language, whole dates first and single words last."""
    forms = [form for language, around in _LANGUAGES.items() for form in _forms(language, around)]
    compiled = [(place, re.compile(rf"(?<!\w)(?:{p})(?!\w)", re.I), phrase) for place, p, phrase in forms]
    return tuple((pattern, phrase) for _, pattern, phrase in sorted(compiled, key=lambda form: form[0]))


def _forms(language: str, around: _Around) -> Iterator[tuple[int, str, _Phrase]]:
    table: dict[str, Any] = import_module(f"dateparser.data.date_translation_data.{language}").info
    months = _RUSSIAN_MONTHS if language == "ru" else tuple(_either(table[month]) for month in times.MONTHS)
    for month, name in zip(times.MONTHS, months, strict=True):
        yield from _of_month(month.title(), name, around)
    for day in times.DAYS:
        name = _either(table[day])
        yield 3, rf"{around.last}\s+{name}|{name}\s+{around.last}", _always(f"last {day.title()}")
    yield 4, rf"{around.before_year}\s+(?P<y>{_YEAR})(?:\s+году)?", lambda m: f"in {m['y']}"
    for key, phrase in _MEANS.items():
        names = [_ARTICLE.sub("", name) for name in table["relative-type"].get(key, ())]
        if any(_is_telling(name) for name in names):
            yield 5, _either(names), _always(phrase)
    for unit in _COUNTED:
        for form in table["relative-type-regex"].get(rf"\1 {unit} ago", ()):
            count = re.sub(r"\(\\d[^)]*\)", r"(?P<n>\\d{1,3})", form)
            yield 2, count, _counted_back(unit)


def _of_month(month: str, name: str, around: _Around) -> Iterator[tuple[int, str, _Phrase]]:
    link = around.link
    dated = rf"(?P<d>\d{{1,2}})(?:\.|er|º)?{link}{name}\.?"
    yield 0, rf"{dated},?{link}(?P<y>{_YEAR})", lambda m: f"{m['d']} {month} {m['y']}"
    yield 1, rf"{name}\.?{link}(?P<y>{_YEAR})", lambda m: f"{month} {m['y']}"
    yield 2, dated, lambda m: f"{m['d']} {month}"
    yield 3, rf"{around.last}\s+{name}|{name}\s+{around.last}", _always(f"last {month}")
    yield 4, rf"{around.before_month}\s+{name}", _always(f"in {month}")


def _either(names: list[str]) -> str:
    telling = [name for name in names if _is_telling(name)] or names[-1:]
    return f"(?:{'|'.join(re.escape(name) for name in sorted(telling, key=len, reverse=True))})"


def _is_telling(name: str) -> bool:
    return len(name) >= _SHORTEST and name.casefold() not in _MEANS_OTHER


def _counted_back(unit: str) -> _Phrase:
    return lambda found: f"{found['n']} {unit}s ago"


def _always(phrase: str) -> _Phrase:
    return lambda _: phrase


# Chinese and Japanese

_DIGITS = {word: number for number, word in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2, "半": 0}
_N = r"(?P<n>\d{1,3}|[一二两兩三四五六七八九十]{1,3})"
_OF_YEAR = {"去年": -1, "昨年": -1, "今年": 0, "前年": -2, "一昨年": -2, "明年": 1, "来年": 1}
_WHICH = "|".join(sorted(_OF_YEAR, key=len, reverse=True))
_YEARS_SAID = {-2: "2 years ago", -1: "last year", 0: "this year", 1: "next year"}


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (_DIGITS[tens] if tens else 1) * 10 * bool(ten) + (_DIGITS[ones] if ones else 0)


def _month(found: re.Match[str]) -> str:
    number = _number(found["m"])
    return times.MONTHS[number - 1].title() if 1 <= number <= len(times.MONTHS) else "no month"


def _counted(unit: str) -> _Phrase:
    return lambda found: f"{_number(found['n'])} {unit} ago"


_M = r"(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九])月"
_MONTH_OF_YEAR = re.compile(rf"(?P<which>{_WHICH})の?{_M}")
_NUMBERED: tuple[tuple[re.Pattern[str], _Phrase], ...] = tuple(
    (re.compile(pattern), phrase)
    for pattern, phrase in (
        (rf"(?P<y>{_YEAR})\s*年\s*{_M}\s*(?P<d>\d{{1,2}})\s*[日号號]", lambda m: f"{m['d']} {_month(m)} {m['y']}"),
        (rf"(?P<y>{_YEAR})\s*年\s*{_M}", lambda m: f"{_month(m)} {m['y']}"),
        (rf"(?P<y>{_YEAR})\s*年", lambda m: f"in {m['y']}"),
        (rf"{_M}\s*(?P<d>\d{{1,2}})\s*[日号號]", lambda m: f"{m['d']} {_month(m)}"),
        (rf"(?<!個)(?<!个){_M}(?!\s*[前后後])", lambda m: f"in {_month(m)}"),
        (rf"{_N}\s*[天日]\s*(?:以?前|之前)", _counted("days")),
        (rf"{_N}\s*(?:个?星期|周|週間?|個?禮拜|个?礼拜)\s*(?:以?前|之前)", _counted("weeks")),
        (rf"{_N}\s*(?:[个個]月|[かヶカ]月)\s*(?:以?前|之前)", _counted("months")),
        (rf"{_N}\s*年\s*(?:以?前|之前)", _counted("years")),
        (rf"(?P<which>{_WHICH})", lambda m: _YEARS_SAID[_OF_YEAR[m["which"]]]),
        (r"上上[个個]?月|先々月", _always("2 months ago")),
        (r"上[个個]?月|先月", _always("last month")),
        (r"[这這][个個]?月|本月|今月", _always("this month")),
        (r"上[个個]?(?:周末|週末)|先週末", _always("last weekend")),
        (r"上[个個]?(?:周|週|星期|礼拜|禮拜)|先週", _always("last week")),
        (r"[这這本][个個]?(?:周|週|星期|礼拜|禮拜)|今週", _always("this week")),
        (r"前天|一昨日|おととい", _always("the day before yesterday")),
        (r"昨[天晚日夜]|きのう", _always("yesterday")),
        (r"今[天晚早日]|きょう", _always("today")),
    )
)
