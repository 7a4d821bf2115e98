"""How many there are now, of what was counted before.

    "we had 12 hens until the fox came. 5 left"        5 hens
    "I have three goats" ... "down to two now"         two goats
    "eleven students in the class" ... "the class is up to fourteen students"

The thing that is counted, and who has it, is what the speaker counted last; a number of another thing is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reverie.knowledge.wording import number
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.ingest.language.en.rendering import finish

_NUMBER = rf"(?P<number>\d+|{'|'.join(word for word in times.NUMBERS if word not in ('a', 'an'))})"
_LEAD = (
    r"^\W*(?:(?:and|so|but|well|ok|update|now|only|just|we'?re|we are|i'?m|i am|it'?s|that'?s|there are|there'?s"
    r"|i have|we have|i'?ve got|we'?ve got)\W+)*"
)
_NOW = (
    re.compile(rf"{_LEAD}{_NUMBER}(?:\s+(?P<noun>[a-z]+))?\s+(?:left|remaining|now|these days)\b", re.I),
    re.compile(
        rf"\b(?:up|down|grown|shrunk|risen|fallen|dropped|back)\s+to\s+{_NUMBER}\b(?:\s+(?P<noun>[a-z]+s)\b)?", re.I
    ),
    re.compile(rf"^\W*(?:make (?:that|it)|that makes(?: it)?)\s+{_NUMBER}\b(?:\s+(?P<noun>[a-z]+s)\b)?", re.I),
)
_NO_NOUNS = frozenset({"now", "left", "as", "this", "since", "these"})


def recounted(sentences: Sequence[str], told: Sequence[str], read: Callable[[str], list[Claim]]) -> list[Claim]:
    """The new numbers that sentences give of what was counted in them or in those `told` before by the same speaker.

    `read` gives the claims of a sentence.
    """
    found: list[Claim] = []
    for place, sentence in enumerate(sentences):
        match = next((each for pattern in _NOW if (each := pattern.search(sentence))), None)
        if match is None:
            continue
        noun = (match["noun"] or "").lower()
        model = next(_counted(reversed([*told, *sentences[:place]]), "" if noun in _NO_NOUNS else noun, read), None)
        if model is not None and model.object is not None:
            found.append(_with_number(model, match["number"]))
    return found


def _counted(sentences: Iterator[str], noun: str, read: Callable[[str], list[Claim]]) -> Iterator[Claim]:
    """The claims with a number of the thing, the latest first."""
    for sentence in sentences:
        for claim in read(sentence) if any(number(word) is not None for word in sentence.split()) else ():
            counted = claim.counted
            if counted is not None and claim.mood in ("asserted", "ended") and noun in ("", counted, f"{counted}s"):
                yield claim


def _with_number(model: Claim, spoken: str) -> Claim:
    assert model.object is not None
    rest = model.object.split(" ", 1)[1] if " " in model.object else model.counted or ""
    object = f"{spoken} {rest}"
    said = number(spoken)
    return replace(
        model,
        object=object,
        content=finish(f"{model.subject} has {object} now"),
        predicate="have",
        mood="asserted",
        state=None,
        began=True,
        negated=False,
        temporal_phrase=None,
        when=None,
        when_start=None,
        when_end=None,
        since=None,
        until=None,
        quantity=float(times.NUMBERS[spoken.lower()]) if said is None else said,
    )
