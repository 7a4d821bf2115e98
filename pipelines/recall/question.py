"""What is asked: a question with its bounds, and what it asks for, read without a model."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.recall import windows
from reverie.pipelines.recall.windows import USUAL, Calendar, Window
from reverie.pipelines.rows import conversation
from reverie.store.analysis import keywords
from reverie.store.vocabulary import FUNCTION_WORDS

Phase = Literal["compact", "expand", "broaden"]

PHASES: dict[Phase, tuple[str, ...]] = {
    "compact": ("fact", "procedure", "topic"),
    "expand": ("message", "observation", "episode", "action", "goal", "task"),
    "broaden": ("chunk", "artifact", "summary"),
}
"""The kinds that each phase looks into, cheapest first."""

KINDS: tuple[str, ...] = tuple(kind for kinds in PHASES.values() for kind in kinds)

CHANNELS: tuple[str, ...] = ("vector", "text", "time", "graph")
"""The ways in which a phase looks: by meaning, by words, by the time the question names, over the edges."""


@dataclass(frozen=True)
class Query:
    """A question with the bounds of what may answer it. None leaves a bound open; an empty one lets nothing through."""

    text: str
    agent: str
    at: datetime
    """When it is asked: "last week" in the question is counted from here."""
    valid_as_of: datetime
    known_as_of: datetime
    """Claims must have held at the one by what was believed at the other."""
    limit: int = 15
    token_budget: int = 8192
    sessions: tuple[str, ...] | None = None
    participants: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    """Ids of what is no answer."""
    channels: tuple[str, ...] = CHANNELS
    is_use: bool = True
    """Whether what is found counts as used: an episode that is used does not fade yet."""

    @property
    def is_bounded(self) -> bool:
        """Whether only what was said in some sessions or by some participants may answer."""
        return self.sessions is not None or self.participants is not None


Answer = Literal["time", "number", "any"]

_MOST_KEYWORDS = 64

_WANTS_TIME = re.compile(
    # "When did ..." asks for a time, "what helped when ..." names one.
    r"\bwhen(?:['’](?:s|d|ll)|\s+(?:\w+ly\s+)?(?:am|is|are|was|were|do|does|did|has|have|had|will|would|can|could|should))\b"
    r"|^\W*when\W*$|\b(?:know|remember|recall|say|said|tell(?:\s+\w+)?)\s+when\b"
    r"|\b(?:how long|(?:what|which)\s+(?:date|day|week|month|year|time|season))\b",
    re.I,
)
_WANTS_NUMBER = re.compile(r"\b(?:how (?:many|much|often|old|far|tall|big|long|fast))\b", re.I)

_ASKS = re.compile(
    r"\W*(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|can|could|should|would|will|has|have"
    r"|had)\b",
    re.I,
)

TIME_WORDS = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|recently|week|weekend|month|year|"
    rf"{'|'.join(times.DAYS)}|{'|'.join(times.MONTHS)}|(?:1[89]|20)\d\d|\d\d?:\d\d)s?\b",
    re.I,
)
NUMBER_WORDS = re.compile(
    rf"(?:\b\d|\b(?:{'|'.join(w for w in times.NUMBERS if len(w) > 2)}|once|twice|several|dozen)\b)", re.I
)


_ASKED_FOR = re.compile(r"\b(where|who|whom|whose|why|how)\b", re.I)
_A_PLACE = re.compile(r"\b(?:in|at|on|near|to|from|into)\s+(?:the\s+)?[A-Z\u00c0-\u00de]")
_FEWEST_KEYWORDS = 2
"""One word that a question and a claim share, such as "live", says too little of what is told of it."""


def is_answered_by(question: str, intent: "Intent", claim: str) -> bool:
    """Whether a claim that holds the words of a question also tells what kind of thing it asks for.

    "Ana lives for music" tells no place, so it does not answer "Where does Ana live?". Of manners and reasons no claim
    can be known to tell.
    """
    if intent.answer == "time":
        return TIME_WORDS.search(claim) is not None
    if intent.answer == "number":
        return NUMBER_WORDS.search(claim) is not None
    found = _ASKED_FOR.search(essence(question))
    wanted = found[1].lower() if found else "what"
    if wanted == "where":
        return _A_PLACE.search(claim) is not None
    if wanted in ("who", "whom", "whose"):
        asked = set(_WORD.findall(question))
        return any(name not in asked for name in _WORD.findall(claim))
    return wanted == "what" and len(intent.keywords) >= _FEWEST_KEYWORDS


@dataclass(frozen=True)
class Intent:
    """A question as the search sees it."""

    keywords: tuple[str, ...]
    """What its rows should hold, function words left out, each once."""
    answer: Answer
    window: Window | None
    """None when the question names no time."""
    names: tuple[str, ...] = ()
    """Capitalised words and their runs, longest first: names of entities, if there are such."""

    def in_time(self, at: datetime) -> bool:
        """Whether a moment lies in the time that the question names; any does when it names none."""
        return self.window is None or self.window.holds(at)


_WORD = re.compile(r"\b[^\W\d_a-z][\w'’&.-]*")
_READ_CHARS = 4000
"""A longer question is a document that somebody asks with."""
_BEGINNING, _END = 500, 900
"""Characters of it that are read: as many as an embedder takes in."""
_NAME_WORDS = 6
_MOST_NAMES = 12


def essence(text: str) -> str:
    """What is read of a question: all of it, of a whole document the beginning and the end, where questions stand."""
    return text if len(text) <= _READ_CHARS else f"{text[:_BEGINNING]}\n{text[-_END:]}"


def read(text: str, at: datetime, calendar: Calendar = USUAL) -> Intent:
    """The intent of a question asked at `at`; `calendar` is how dates are read that can be read in two ways."""
    text = essence(text)
    found = list(dict.fromkeys(keywords(text, asked=True)))
    telling = [keyword for keyword in found if keyword not in FUNCTION_WORDS]
    answer: Answer = "time" if _WANTS_TIME.search(text) else "number" if _WANTS_NUMBER.search(text) else "any"
    return Intent(_outer(telling or found), answer, windows.read(text, at, calendar), _names(text))


def is_question(text: str) -> bool:
    """Whether a text is a question, with or without its mark."""
    return conversation.asks(text) or _ASKS.match(text) is not None


def _outer(found: list[str]) -> tuple[str, ...]:
    """The keywords, of too many the first and the last ones."""
    half = _MOST_KEYWORDS // 2
    return tuple(found if len(found) <= _MOST_KEYWORDS else found[:half] + found[-half:])


def _names(text: str) -> tuple[str, ...]:
    runs: list[list[str]] = []
    end = -1
    for match in _WORD.finditer(text):
        if match.group()[0].islower():  # a small letter of another alphabet
            continue
        word = re.sub(r"['’]s?$", "", match.group()).strip(".")
        if end >= 0 and text[end : match.start()].isspace():
            runs[-1].append(word)
        else:
            runs.append([word])
        end = match.end()
    names = {
        " ".join(run[start : start + length])
        for run in runs
        for start in range(len(run))
        for length in range(1, min(_NAME_WORDS, len(run) - start) + 1)
    }
    return tuple(name for name in sorted(names, key=lambda name: (-len(name), name)) if len(name) > 1)[:_MOST_NAMES]
