"""One write as one atomic step on the server: guards, then every command, or nothing.

A script and not MULTI/EXEC: the guards ("this id is new", "nobody changed it since I read it") are checked on the
server in the same round trip, where WATCH would cost two more and a loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Protocol

from pydantic_core import to_json

from reverie.config.errors import EmbedderMismatch, StoreUnavailable
from reverie.store.keys import Keys, encode, member_of
from reverie.store.lanes import score
from reverie.store.records.base import NO_REVISION, Record
from reverie.store.rows import Row
from reverie.store.schema import LISTED
from reverie.store.scripts import Word
from reverie.store.storable import require_document
from reverie.store.times import to_micros, until_micros
from reverie.store.unreadable import mark


@dataclass(frozen=True)
class Guard:
    """What has to hold for a key when a transaction is written: the name of a check in `commit.lua` and its terms."""

    key: str
    terms: Mapping[str, int | str | bool | Sequence[str]]


@dataclass(frozen=True)
class Outcome:
    """What became of a transaction.

    `committed` is False when a guard failed: then nothing was written, `guard` is its place (from 0) and `payload`
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


class Home(Protocol):
    """Where a transaction is made and sent: the handle of a namespace."""

    @property
    def keys(self) -> Keys: ...

    @property
    def dimension(self) -> int | None: ...

    @property
    def guards(self) -> tuple[Guard, ...]: ...

    def commit(self, transactions: Sequence["Transaction"]) -> list[Outcome]: ...


@dataclass
class Transaction:
    """Collects one write of a namespace; nothing is sent before `commit`."""

    ns: "Home"
    _guards: list[Guard] = field(default_factory=list)
    _conditions: list[str] = field(default_factory=list)
    _keys: list[str] = field(default_factory=list)
    _lengths: list[int] = field(default_factory=list)
    _when: list[int] = field(default_factory=list)
    _words: list[Word] = field(default_factory=list)
    _marks: dict[tuple[str, bool], datetime] = field(default_factory=dict)

    def require_absent(self, kind: str, id: str) -> int:
        """Nothing is written if there is a record of the id: then its document is the payload.

        This and each `require_…` below gives the place of its guard, as `Outcome.guard` has it.
        """
        return self._guard("absent", self.ns.keys.record(kind, id))

    def require_unset(self, key: str) -> int:
        """Nothing is written if the key is there."""
        return self._guard("unset", key)

    def require_present(self, kind: str, id: str) -> int:
        """Nothing is written unless there is a record of the id."""
        return self._guard("present", self.ns.keys.record(kind, id))

    def require_unchanged(self, kind: str, id: str, revision: int) -> int:
        """Nothing is written unless the record is there and still has this revision, if it ever had one."""
        if revision == NO_REVISION:
            return self.require_present(kind, id)
        return self._guard("revision", self.ns.keys.record(kind, id), revision=revision)

    def require_member(self, key: str, member: str) -> int:
        """Nothing is written unless the sorted set holds the member."""
        return self._guard("member", key, member=member)

    def require_value(self, key: str, value: Word) -> int:
        """Nothing is written unless the string or counter still has this value; one that is not there counts as ""."""
        return self._guard("value", key, value=value.decode() if isinstance(value, bytes) else str(value))

    def require_latest(self, key: str, members: Sequence[str], count: int) -> int:
        """Nothing is written unless the last `count` members of the sorted set are these, the last one at the end."""
        return self._guard("latest", key, members=members, count=count)

    def require_due(self, due: str, id: str, at: datetime) -> int:
        """Nothing is written unless the id still is due at `at`, and was not put off or taken since."""
        return self._guard("due", self.ns.keys.due(due), latest=to_micros(at), member=encode(id))

    def _guard(self, name: str, key: str, **wants: int | str | Sequence[str]) -> int:
        """Require what `commit.lua` checks under this name; returns the place of the guard for `Outcome.guard`."""
        self._guards.append(Guard(key, {"guard": name, **wants}))
        return len(self._guards) - 1

    @property
    def guards(self) -> int:
        """How many guards there are so far."""
        return len(self._guards)

    def settle(self, due: str, id: str) -> None:
        """Take an id out of a due set."""
        self.run("ZREM", self.ns.keys.due(due), encode(id))

    def when_exists(self, key: str) -> Condition:
        """A condition for commands: an optional link is written only if its target exists."""
        self._conditions.append(key)
        return Condition(len(self._conditions))

    def when_stored(self, kind: str, id: str) -> Condition:
        """The condition that there is a record of the id."""
        return self.when_exists(self.ns.keys.record(kind, id))

    def run(self, command: str, key: str, *words: Word, when: Condition | None = None) -> int:
        """Any command on one key of the namespace; returns the place of its reply in `Outcome.replies`.

        Raises StoreError for a document that Redis cannot keep.
        """
        if command == "JSON.SET":
            require_document(words[1] if isinstance(words[1], bytes) else str(words[1]))
        self._keys.append(key)
        self._lengths.append(1 + len(words))
        self._when.append(when.number if when else 0)
        self._words += [command, *words]
        return len(self._keys) - 1

    def put(self, record: Record, *, only_new: bool = False, when: Condition | None = None) -> None:
        """Store a record whole; with `only_new` an existing one stays as it is."""
        extra = ("NX",) if only_new else ()
        self.run("JSON.SET", record.key(), "$", record.document(), *extra, when=when)
        if record.kind in LISTED:
            place = (to_micros(record.moment), encode(record.id))
            self.run("ZADD", self.ns.keys.every(record.kind), "NX", *place, when=when)

    def delete(self, kind: str, id: str) -> None:
        """Remove a record by itself, without its rows and edges; see `reverie.store.removal` for all of it."""
        self.run("DEL", self.ns.keys.record(kind, id))
        self.run("SREM", self.ns.keys.unreadable, mark(kind, id))
        if kind in LISTED:
            self.run("ZREM", self.ns.keys.every(kind), encode(id))

    def row(self, row: Row, *, when: Condition | None = None) -> None:
        """Store the search row of a record, replacing what stood there."""
        wanted = self.ns.dimension
        if row.vector is not None and wanted is not None and row.vector.shape != (wanted,):
            raise EmbedderMismatch(
                f"the embedder gave a vector of shape {row.vector.shape}, the search index holds ({wanted},); "
                "check the embedder's dimension, or run `reverie reindex`"
            )
        key = self.ns.keys.row(row.kind, row.id, row.part)
        self.run("DEL", key, when=when)
        self.run("HSET", key, *row.words(self.ns.keys.tag), when=when)

    def close_row(self, kind: str, id: str, valid_from: datetime, valid_to: datetime | None) -> None:
        """Move the validity of a record's one row, if it is there; its text and vector stay."""
        key = self.ns.keys.row(kind, id)
        self.run("HSET", key, "vf", to_micros(valid_from), "vt", until_micros(valid_to), when=self.when_exists(key))

    def drop_row(self, kind: str, id: str, part: int = 0) -> None:
        self.run("DEL", self.ns.keys.row(kind, id, part))

    def link(
        self,
        edge: str,
        source: tuple[str, str],
        target: tuple[str, str],
        at: datetime,
        *,
        order: int | None = None,
        properties: dict[str, Word] | None = None,
        when: Condition | None = None,
    ) -> None:
        """An edge in both directions, scored by `at`. Linking again moves it in time and makes no second one.

        `order` settles the order of edges of one moment (a session's messages): it is the microsecond of arrival.
        """
        keys, score = self.ns.keys, to_micros(at)
        self.run("ZADD", keys.links(*source), score, f"{edge}:{target[0]}:{encode(target[1])}", when=when)
        member = member_of(source[1], order)
        self.run("ZADD", keys.linked(edge, source[0], *target), score, member, when=when)
        if properties:
            flat = [word for pair in properties.items() for word in pair]
            self.run("HSET", keys.edge(edge, *source, *target), *flat, when=when)

    def unlink(self, edge: str, source: tuple[str, str], target: tuple[str, str], order: int | None = None) -> None:
        """Remove an edge with its properties; `order` as it was linked."""
        keys = self.ns.keys
        self.run("ZREM", keys.links(*source), f"{edge}:{target[0]}:{encode(target[1])}")
        self.run("ZREM", keys.linked(edge, source[0], *target), member_of(source[1], order))
        self.run("DEL", keys.edge(edge, *source, *target))

    def queue(self, topic: str, entry: str, at: datetime, *, bulk: bool = False, when: Condition | None = None) -> None:
        """Durable work for the workers; the same entry again is one piece of work. Live work goes before `bulk`."""
        self.run("ZADD", self.ns.keys.work(topic), "NX", score(at, bulk=bulk), entry, when=when)
        self.mark(topic, at, bulk=bulk)

    def mark(self, name: str, at: datetime, *, bulk: bool = False) -> None:
        """Have the namespace looked at by the workers of a topic, or the rounds of a due set, at `at`."""
        known = self._marks.get((name, bulk))
        self._marks[name, bulk] = at if known is None else min(known, at)

    @property
    def marks(self) -> dict[tuple[str, bool], datetime]:
        """By topic or due set, and lane, when the namespace is to be looked at; see `reverie.store.waiting`."""
        return self._marks

    def schedule(self, due: str, id: str, at: datetime, *, later_only: bool = False) -> None:
        """Set when an id falls due; with `later_only` an earlier moment than the one set is ignored."""
        extra = ("GT",) if later_only else ()
        self.run("ZADD", self.ns.keys.due(due), *extra, to_micros(at), encode(id))
        self.mark(due, at)

    def commands(self) -> list[list[Word]]:
        """What it would send, command by command, conditions left aside."""
        words = iter(self._words)
        return [
            [next(words), key, *islice(words, length - 1)]
            for key, length in zip(self._keys, self._lengths, strict=True)
        ]

    def arguments(self) -> tuple[list[str], list[Word]]:
        """The keys and arguments of `commit.lua`."""
        # The space's own guards come last: outcomes name a transaction's by their places.
        guards = [*self._guards, *self.ns.guards]
        plan = {
            "generation": str(self.ns.keys.generation),
            "guards": [guard.terms for guard in guards],
            "conditions": len(self._conditions),
            "lengths": self._lengths,
            "when": self._when,
        }
        keys = [self.ns.keys.marker, *(guard.key for guard in guards), *self._conditions, *self._keys]
        return keys, [to_json(plan), *self._words]

    def commit(self) -> Outcome:
        """Send it. Raises StoreUnavailable when Redis cannot be reached."""
        return self.ns.commit([self])[0]


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
