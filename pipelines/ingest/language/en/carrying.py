"""What a sentence says of something that an earlier one told, and that it does not name itself.

"we have a dog called Tui" ... "Tui died last night"       they have the dog no more
"my laptop runs Fedora 42" ... "upgraded to 43"            the laptop runs Fedora 43
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from reverie.pipelines.ingest.language.base import Claim

_DYING = re.compile(r"(?:die|pass|pass away|be put (?:down|to)|get run|be run|be killed)\b")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")


def carried(claims: Iterable[Claim], told: Sequence[str], read: Callable[[str], list[Claim]]) -> list[Claim]:
    """The claims of a text in the light of the sentences `told` before by the same speaker, which `read` reads."""
    found: list[Claim] = []
    for claim in claims:
        if claim.kind == "version" and claim.object and _NUMBER.fullmatch(claim.object):
            found.append(_of_what_runs(claim, told, read))
            continue
        found.append(claim)
        if _DYING.match(claim.predicate) and claim.mood == "asserted":
            found += _died(claim, told, read)
    return found


def _earlier(told: Sequence[str], read: Callable[[str], list[Claim]], word: str = "") -> Iterator[Claim]:
    for sentence in reversed(told):
        if word.casefold() in sentence.casefold():
            yield from read(sentence)


def _of_what_runs(claim: Claim, told: Sequence[str], read: Callable[[str], list[Claim]]) -> Claim:
    """A version without the name of what has it, which was told before."""
    for one in _earlier(told, read):
        versioned = one.object is not None and _NUMBER.search(one.object) is not None
        if (
            one.kind == "version"
            and versioned
            and one.subject != claim.subject
            and one.subject.startswith(claim.subject)
        ):
            object = _NUMBER.sub(claim.object or "", one.object or "", count=1)
            return replace(claim, subject=one.subject, predicate=one.predicate, state=None, object=object)
    return claim


def _died(claim: Claim, told: Sequence[str], read: Callable[[str], list[Claim]]) -> list[Claim]:
    """The end of having a pet that died."""
    for one in _earlier(told, read, claim.subject):
        if one.kind == "pet" and one.object is not None and claim.subject.casefold() in one.object.casefold():
            return [
                replace(
                    claim,
                    subject=one.subject,
                    predicate="lose",
                    object=one.object,
                    state="have",
                    kind="pet",
                    mood="ended",
                )
            ]
    return []
