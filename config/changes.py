"""How wordings tell of states: what begins them, what ends them, and which verbs name something that lasts.

Predicates are verb phrases in their base form, as extraction gives them. Read by consolidation.
"""

from typing import Final

BEGINNINGS: Final[dict[str, str]] = {
    "move to": "live in",
    "move into": "live in",
    "relocate to": "live in",
    "settle in": "live in",
    "resettle in": "live in",
    "emigrate to": "live in",
    "immigrate to": "live in",
    "join as": "work as",
    "be hired by": "work at",
    "be employed by": "work at",
    "get hired by": "work at",
    "get hired at": "work at",
    "get job at": "work at",
    "take job at": "work at",
    "start at": "work at",
    "marry": "be married to",
    "get married to": "be married to",
    "wed": "be married to",
    "get engaged to": "be engaged to",
    "become": "be",
    "turn": "be",
    "switch to": "use",
    "migrate to": "use",
}
"""A predicate that tells of a change to the state that began with it."""

ENDINGS: Final[dict[str, str]] = {
    "move from": "live in",
    "move out of": "live in",
    "move away from": "live in",
    "quit from": "work at",
    "resign from": "work at",
    "be fired from": "work at",
    "be fired by": "work at",
    "get fired from": "work at",
    "be laid off from": "work at",
    "retire from": "work at",
    "stop work at": "work at",
    "quit work at": "work at",
    "divorce": "be married to",
    "get divorced from": "be married to",
    "separate from": "be married to",
}
"""A predicate that tells of a change to the state that ended with it."""

STARTING: Final = frozenset({"start", "begin"})
STOPPING: Final = frozenset({"stop", "quit", "cease", "give up"})
"""Verbs that begin or end what the gerund after them says."""

LASTING: Final[dict[str, tuple[str, ...]]] = {
    "be": ("was", "were"),
    "live": ("lived",),
    "work": ("worked",),
    "study": ("studied",),
    "own": ("owned",),
    "have": ("had",),
    "belong": ("belonged",),
    "lead": ("led",),
    "manage": ("managed",),
    "teach": ("taught",),
    "report": ("reported",),
    "serve": ("served",),
    "use": ("used",),
    "date": ("dated",),
}
"""Verbs of states that hold for a while, with their past forms: told of a time that is over, they hold no more."""
