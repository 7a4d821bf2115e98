"""Kinds of things: which claims of a subject bear on each other, and how many of a kind hold at a time."""

from typing import Final

SINGLE: Final = frozenset(
    {"home", "employer", "partner", "name", "age", "birthday", "contact", "due", "version", "place"}
)
"""Kinds of which one holds at a time, unless more are told of as such ("also")."""

INSTRUCT: Final = "instruct"
"""The predicate of a standing instruction, whose subject is its giver."""
INSTRUCTION: Final = "instruction"
"""The kind of a standing instruction; one on a matter that was told is an "instruction about" it."""
_ABOUT: Final = f"{INSTRUCTION} about "

_GROUPS: Final = {
    "employer": "work",
    "role": "work",
    "possession": "having",
    "pet": "having",
    "device": "having",
    "count": "having",
    "contact": None,
    "event": None,
}
"""Kinds whose claims bear on each other; any other is a group by itself. None: the predicate decides."""

COUNTED: Final = frozenset({"possession", "pet", "device", "count", "kin"})
"""Kinds of things that are counted: a later number of them replaces an earlier one."""

WORDED_ALIKE: Final = frozenset({"home", "employer", "possession", "pet", "device", "count"})
"""Kinds of which different predicates say the same of the same object: "have a dog" and "own a dog"."""

_OF_PREDICATE: Final = {
    "live in": "home",
    "be based in": "home",
    "work at": "employer",
    "work as": "role",
    "be married to": "partner",
    "be engaged to": "partner",
    "be named": "name",
    "be aged": "age",
    "be born on": "birthday",
    "have email": "contact",
    "have phone number": "contact",
    "own": "possession",
    "use": "tool",
}


def kind_of(predicate: str, told: str | None = None) -> str | None:
    """The kind of a claim: the one that was told, else that of its predicate in its base form, else None."""
    if predicate == INSTRUCT:
        matter = matter_of(told)
        return INSTRUCTION if matter is None else _ABOUT + matter
    return _OF_PREDICATE.get(predicate) if told is None else told


def matter_of(kind: str | None) -> str | None:
    """What an instruction is about, of its kind or of the kind that was told; None where it was not told."""
    return None if kind is None else kind.removeprefix(_ABOUT).removeprefix(INSTRUCTION) or None


def is_added(kind: str | None) -> bool:
    """Whether many of a kind hold, until one is told as a change ("became a nurse", "from now on")."""
    return kind is not None and (kind == "role" or kind.startswith(_ABOUT))


def group_of(kind: str | None) -> str | None:
    """The group in which the claims of a kind bear on each other; None when those of one predicate do."""
    if kind is not None and kind.startswith(INSTRUCTION):
        return INSTRUCTION
    return None if kind is None else _GROUPS.get(kind, kind)
