"""The commands of one write by their keys, as `commit.lua` takes them; above this room nobody names a key.

A script and not MULTI/EXEC: the guards ("this id is new", "nobody changed it since I read it") are checked on the
server in the same round trip, where WATCH would cost two more and a loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pydantic_core import to_json

from reverie.config.errors import EmbedderMismatch, StoreUnavailable
from reverie.store.scripts import Word
from reverie.store.storable import require_document


@dataclass(frozen=True)
class Guard:
    """What has to hold for a key when a transaction is written: the name of a check in `commit.lua` and its terms."""

    key: str
    terms: Mapping[str, int | str | bool | Sequence[str]]


@dataclass(frozen=True)
class Outcome:
    """What became of a transaction.

    `committed` is False when a guard failed: then nothing was written, `guard` is its number (from 0) and `payload`
    what was found there (the existing document of an `absent` guard). `conditions` says which optional targets exist.
    """

    committed: bool
    guard: int = -1
    payload: bytes = b""
    conditions: tuple[bool, ...] = ()
    replies: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Condition:
    """A key whose existence decides over some commands of a transaction."""

    number: int


@dataclass
class Commands:
    """What one write requires of keys, and the commands it sends to them.

    Each `require_…` gives the number of its guard, as `Outcome.guard` has it.
    """

    guards: list[Guard] = field(default_factory=list)
    _conditions: list[str] = field(default_factory=list)
    _keys: list[str] = field(default_factory=list)
    _lengths: list[int] = field(default_factory=list)
    _when: list[int] = field(default_factory=list)
    _words: list[Word] = field(default_factory=list)

    def require(self, name: str, key: str, **wants: int | str | Sequence[str]) -> int:
        """Require what `commit.lua` checks under this name."""
        self.guards.append(Guard(key, {"guard": name, **wants}))
        return len(self.guards) - 1

    def require_unset(self, key: str) -> int:
        """Nothing is written if the key is there."""
        return self.require("unset", key)

    def require_member(self, key: str, member: str) -> int:
        """Nothing is written unless the sorted set holds the member."""
        return self.require("member", key, member=member)

    def require_value(self, key: str, value: Word) -> int:
        """Nothing is written unless the string or counter still has this value; one that is not there counts as ""."""
        return self.require("value", key, value=value.decode() if isinstance(value, bytes) else str(value))

    def require_latest(self, key: str, members: Sequence[str], count: int) -> int:
        """Nothing is written unless the last `count` members of the sorted set are these, the last one at the end."""
        return self.require("latest", key, members=members, count=count)

    def when_exists(self, key: str) -> Condition:
        """A condition for commands: they are sent only if the key is there before the write."""
        self._conditions.append(key)
        return Condition(len(self._conditions))

    def run(self, command: str, key: str, *words: Word, when: Condition | None = None) -> int:
        """Any command on one key of the namespace; returns the index of its reply in `Outcome.replies`.

        Raises StoreError for a document that Redis cannot keep.
        """
        if command == "JSON.SET":
            require_document(words[1] if isinstance(words[1], bytes) else str(words[1]))
        self._keys.append(key)
        self._lengths.append(1 + len(words))
        self._when.append(when.number if when else 0)
        self._words += [command, *words]
        return len(self._keys) - 1

    def as_sent(self) -> list[list[Word]]:
        """Each command with its key, conditions left aside."""
        words = iter(self._words)
        return [
            [next(words), key, *islice(words, length - 1)]
            for key, length in zip(self._keys, self._lengths, strict=True)
        ]

    def arguments(self, marker: str, generation: int, beside: Sequence[Guard]) -> tuple[list[str], list[Word]]:
        """The keys and arguments of `commit.lua`.

        `marker` is the key that registers the namespace, and holds the `generation` of its search rows. The guards
        `beside` those of this write come last, so that an outcome names the write's own by their numbers.
        """
        guards = [*self.guards, *beside]
        plan = {
            "generation": str(generation),
            "guards": [guard.terms for guard in guards],
            "conditions": len(self._conditions),
            "lengths": self._lengths,
            "when": self._when,
        }
        return [marker, *(guard.key for guard in guards), *self._conditions, *self._keys], [to_json(plan), *self._words]


def outcome(reply: Sequence[Any]) -> Outcome | None:
    """The reply of the script; None when the namespace has to be registered first."""
    if reply[0] == -1:
        return None
    if reply[0] == -2:
        raise EmbedderMismatch("the search index was rebuilt since this process started; restart the process")
    if reply[0] == -3:
        raise StoreUnavailable("something was erased from the namespace while it was written to; write again")
    if reply[0] == 0:
        return Outcome(False, guard=reply[1] - 1, payload=reply[2] or b"")
    return Outcome(True, conditions=tuple(met == 1 for met in reply[1]), replies=tuple(reply[2]))
