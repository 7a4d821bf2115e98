"""What deserves to become a fact. The rest stays an observation: found by recall, but held true of nobody."""

import re

from reverie.knowledge.claims import IN_PASSING
from reverie.knowledge.identity import shipped
from reverie.knowledge.kinds import INSTRUCT
from reverie.pipelines.consolidate.wording import Statement
from reverie.pipelines.ingest.language.en.lexicon import EVALUATIVE
from reverie.store.records.knowledge import ObservationRecord


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_THINKING = _words(
    "think know feel guess realize wonder hope remember forget bet agree imagine picture notice sound look seem "
    "mean find appreciate value miss wish do let say tell happen matter"
)
"""Verbs of what passes through somebody's mind or talk."""
_INFLUENCES = _words(
    "given shown helped kept let made moved motivated reminded inspired encouraged allowed brought touched blessed "
    "drawn surrounded lifted pushed supported taught told"
)
_WISHED = _words("tell say check hear see show know thank ask share hang")
_PASSING = _words(
    "able afraid alone amazed angry anxious ashamed awake aware back blown bored busy calm curious delighted "
    "disappointed done eager ecstatic embarrassed excited fine freaked frustrated game glad grateful happy "
    "honored hopeful hungry hurt hyped impressed inspired jealous keen late lucky mad nervous off ok okay "
    "overjoyed overwhelmed proud psyched ready relaxed relieved sad scared shocked sick sleepy sorry stoked "
    "stressed stunned super sure surprised swamped tempted terrified thankful there thirsty thrilled tired "
    "touched unsure upset well welcome worried amazing awesome best cool crazy good great hard insane nice "
    "right wrong true false tough new determined individual healing talented adorable passionate happier better "
    "instrumental resilient sweet stoked pumped"
)
_VAGUE = _words(
    "it this that these those them him her me us you one ones there here something anything everything "
    "nothing someone anyone everyone nobody stuff thing things lot lots bit best more less so such that's "
    "what who how same other others ok okay fun time way ya all some any many much together few details day form "
    "times moment moments way ways kind sort part"
)
_EMPTY_ALONE = _words(
    "be do have get go take make come say think know see want let put give keep talk chat speak smile laugh remember "
    "start begin shine shin happen look agree try wait continue help matter sound love like reward stoke feel use"
)
_UNRESOLVED = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|ya)\b", re.IGNORECASE)
_CERTAIN = _words("home employer role partner name age birthday contact count due version allergy diet language kin")
"""Kinds of things that are no passing states: "the new chair" is a role."""
_LONGEST_THING = 4  # words; a longer subject is a description
_DEFINITE = re.compile(r"[A-Z0-9]")
_NAMELIKE = re.compile(r"[A-Z0-9]|.*['’]s? |.*[@_/.\d]")


def is_admitted(statement: Statement, observation: ObservationRecord, *, named: bool) -> bool:
    """Whether a fact can come of a claim at all. `named`: its subject is a known entity."""
    if _is_explicit(observation) or statement.predicate == INSTRUCT:
        return True
    known = named or observation.said_by == statement.subject or _NAMELIKE.match(statement.subject) is not None
    if not known and not _tells_of_a_thing(statement, observation):
        return False
    if statement.object is None:
        return statement.predicate not in _EMPTY_ALONE
    if _is_vague(statement.object) or _is_clause(statement):
        return False
    # That something did not happen on one day says nothing of any other.
    return statement.bearing != "denied" or observation.when_end is None or statement.lasting


def _tells_of_a_thing(statement: Statement, observation: ObservationRecord) -> bool:
    """ "The audit report is due on 12 June", "search sits on OpenSearch": something definite of a thing at hand."""
    words = statement.subject.casefold().split()
    if not words or len(words) > _LONGEST_THING or words[0] in _VAGUE or _UNRESOLVED.search(statement.subject):
        return False
    bounded = observation.until is not None or (statement.lasting and " of the " in statement.subject)
    told = observation.kind_of_thing is not None or bounded
    return statement.object is not None and (told or _DEFINITE.search(statement.object) is not None)


def is_tentative(statement: Statement, observation: ObservationRecord) -> bool:
    """Opinions, passing states and what was once the case, of no known time: believed only when said again."""
    if _is_explicit(observation) or observation.kind_of_thing in _CERTAIN:
        return False
    if (
        observation.confidence <= IN_PASSING
        or _is_opinion(statement)
        or _is_passing(statement)
        or (" can " in observation.content and statement.bearing != "denied")
    ):
        return True
    if statement.bearing != "holds" or observation.when_start is not None:
        return False
    return statement.over and not shipped(statement.predicate)


def _is_opinion(statement: Statement) -> bool:
    words = statement.predicate.split(" ")
    if words[0] in _THINKING or (words[0] == "be" and words[-1] == "by") or _INFLUENCES.intersection(words[1:2]):
        return True
    if words[:2] == ["want", "to"]:
        return bool(_WISHED.intersection(words[2:3]))
    told = (statement.object or "").casefold().split()
    return bool(told) and told[0] in EVALUATIVE


def _is_explicit(observation: ObservationRecord) -> bool:
    """Whether an agent added it by a call of its own: then it is meant to be held. Such a call leaves a fingerprint."""
    return bool(observation.digest)


def _is_clause(statement: Statement) -> bool:
    """ "is off to do research", "finds it great to see": what is said is in the clause, not in the predicate."""
    verb = statement.predicate.split(" ", 1)[0]
    return verb in ("be", "find") and (statement.object or "").startswith("to ")


def _is_vague(object: str) -> bool:
    words = object.casefold().split()
    return not words or words[0].strip(".,!?") in _VAGUE or bool(_UNRESOLVED.search(object)) or len(words) > 14


def _is_passing(statement: Statement) -> bool:
    verb, _, rest = statement.predicate.partition(" ")
    if verb != "be":
        return False
    state = rest.split(" ")[0] if rest else (statement.object or "").casefold().split(" ")[0]
    return state in _PASSING or state in EVALUATIVE
