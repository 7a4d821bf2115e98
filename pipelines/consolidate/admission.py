"""What deserves to become a fact. The rest stays an observation: found by recall, but held true of nobody."""

import re

from reverie.pipelines.consolidate.wording import Statement
from reverie.pipelines.facts.cardinality import shipped
from reverie.store.records.knowledge import ObservationRecord


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPINIONS = ("find ", "be moved by", "be made by", "sound ", "look ", "seem ", "feel")
_PASSING = _words(
    "able afraid alone amazed angry anxious ashamed awake aware back blown bored busy calm curious delighted "
    "disappointed done eager ecstatic embarrassed excited fine freaked frustrated game glad grateful happy "
    "honored hopeful hungry hurt hyped impressed inspired jealous keen late lucky mad nervous off ok okay "
    "overjoyed overwhelmed proud psyched ready relaxed relieved sad scared shocked sick sleepy sorry stoked "
    "stressed stunned super sure surprised swamped tempted terrified thankful there thirsty thrilled tired "
    "touched unsure upset well welcome worried amazing awesome best cool crazy good great hard insane nice "
    "right wrong true false tough new"
)
_VAGUE = _words(
    "it this that these those them him her me us you one ones there here something anything everything "
    "nothing someone anyone everyone nobody stuff thing things lot lots bit best more less so such that's "
    "what who how same other others ok okay fun time way ya all some any many much together"
)
_EMPTY_ALONE = _words("be do have get go take make come say think know see want let put give keep")
_UNRESOLVED = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|ya)\b", re.IGNORECASE)
_NAMELIKE = re.compile(r"[A-Z0-9]|.*['’]s? |.*[@_/.\d]")


def is_admitted(statement: Statement, observation: ObservationRecord, *, named: bool) -> bool:
    """Whether a fact can come of a claim at all. `named`: its subject is a known entity."""
    if _is_explicit(observation):
        return True
    if not (named or observation.said_by == statement.subject or _NAMELIKE.match(statement.subject)):
        return False
    if statement.object is None:
        return statement.predicate not in _EMPTY_ALONE
    if _is_vague(statement.object):
        return False
    # That something did not happen on one day says nothing of any other.
    return statement.bearing != "denied" or observation.when_end is None or statement.lasting


def is_tentative(statement: Statement, observation: ObservationRecord) -> bool:
    """Opinions, passing states and what was once the case, of no known time: believed only when said again."""
    if _is_explicit(observation):
        return False
    if statement.predicate.startswith(_OPINIONS) or _is_passing(statement):
        return True
    return statement.over and observation.when_start is None and not shipped(statement.predicate)


def _is_explicit(observation: ObservationRecord) -> bool:
    """Whether an agent added it by a call of its own: then it is meant to be held. Such a call leaves a fingerprint."""
    return bool(observation.digest)


def _is_vague(object: str) -> bool:
    words = object.casefold().split()
    return not words or words[0].strip(".,!?") in _VAGUE or bool(_UNRESOLVED.search(object)) or len(words) > 14


def _is_passing(statement: Statement) -> bool:
    verb, _, rest = statement.predicate.partition(" ")
    if verb != "be":
        return False
    state = rest.split(" ")[0] if rest else (statement.object or "").casefold().split(" ")[0]
    return state in _PASSING
