"""What a long text tells in passing: "woke up disappointed", "read the logs", "planted beans".

Such a claim is kept as something that was said, at the confidence `IN_PASSING`: it becomes a fact only when another
message says it too. What names somebody or something, has a number or a time, tells a change, a plan or a state of a
known kind is no talk in passing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.knowledge.claims import IN_PASSING, Claim
from reverie.pipelines.ingest.language.en.lexicon import words

_MANY = 6
"""Claims of one message from which it is a long text."""
_HABITS = words(
    "play teach study speak collect drive ride grow share sing paint write own lead run manage use train coach rent "
    "build sell make live work keep need prefer like love hate"
)
_MILESTONES = words(
    "sign enrol enroll join start begin stop adopt buy sell marry graduate retire hire win break found launch open "
    "close lose leave inherit diagnose tear book cancel apply train"
)
_DEFINITE = re.compile(r"\b[A-Z]|\d")


def weighed(claims: Sequence[Claim], speaker: str) -> list[Claim]:
    """The claims of a message; in a long one those told in passing have little confidence."""
    if len(claims) < _MANY:
        return list(claims)
    return [replace(claim, confidence=IN_PASSING) if _is_in_passing(claim, speaker) else claim for claim in claims]


def _is_in_passing(claim: Claim, speaker: str) -> bool:
    if claim.mood not in ("asserted", "denied") or claim.state or claim.began:
        return False
    if claim.kind is not None and (claim.kind != "preference" or not claim.negated):
        return False
    if claim.negated:
        return True
    if any(one is not None for one in (claim.since, claim.until, claim.when)):
        return claim.object is None
    if claim.predicate.startswith("keep ") and claim.predicate.endswith("ing"):
        return True
    if claim.object is not None and _DEFINITE.search(claim.object):
        return False
    verb, _, rest = claim.predicate.partition(" ")
    if claim.object is not None and claim.subject != speaker and claim.subject[:1].isupper():
        return "'s " in claim.subject
    if verb == "be":
        return not claim.object or bool(rest)
    return verb not in _HABITS | _MILESTONES or claim.object is None
