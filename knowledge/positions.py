"""Where a fact stands among those of its subject, by its own words."""

from typing import Final

from reverie.knowledge.exclusion import Position, Stance
from reverie.knowledge.identity import base_form
from reverie.knowledge.kinds import COUNTED, kind_of
from reverie.knowledge.wording import counted
from reverie.store.records.facts import FactRecord

NOT, FORMERLY, PLANNED, WRONG = "not ", "used to ", "plan to ", "mistakenly "
"""What is put before a predicate that is denied, over, planned, or was said by mistake."""
_WORDS: Final[tuple[tuple[str, Stance], ...]] = (
    (NOT + PLANNED, "cancelled"),
    (NOT, "denied"),
    (FORMERLY, "formerly"),
    (PLANNED, "planned"),
    (WRONG, "wrong"),
)


def parted(predicate: str) -> tuple[Stance, str]:
    """What a claim's predicate says of its state, and the state's own predicate."""
    for words, stance in _WORDS:
        if predicate.startswith(words):
            return stance, predicate.removeprefix(words)
    return "holds", predicate


def place_of(fact: FactRecord, single: bool | None = None) -> Position:
    """Where a stored fact stands; `single` is what was settled of its predicate."""
    return position_of(fact.predicate, fact.object, fact.kind_of_thing, single)


def position_of(predicate: str, object: str | None, kind: str | None, single: bool | None) -> Position:
    """Where a triple stands. `kind` is what was told of it, `single` what was settled of its predicate."""
    stance, bare = parted(predicate)
    state = base_form(bare)
    known = kind_of(state, kind)
    count = counted(object) if object is not None and known in COUNTED else None
    return Position(state, object, stance, known, single, *(count or (None, None)))
