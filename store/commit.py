"""One write of a namespace: what it requires and what it stores, all of it in one step on the server, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from reverie.config.errors import EmbedderMismatch
from reverie.store.commands import Commands, Condition, Guard, Outcome
from reverie.store.keys import Keys, encode, member_of
from reverie.store.lanes import score
from reverie.store.records.base import NO_REVISION, Record
from reverie.store.rows import NO_REVISION as NO_ROW_REVISION
from reverie.store.rows import Row
from reverie.store.schema import LISTED
from reverie.store.scripts import Word
from reverie.store.times import to_micros, until_micros
from reverie.store.unreadable import mark


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
    by_key: Commands = field(default_factory=Commands)
    """The same write by keys; for the modules of the store alone."""
    _marks: dict[tuple[str, bool], datetime] = field(default_factory=dict)

    def require_absent(self, kind: str, id: str) -> int:
        """Nothing is written if there is a record of the id: then its document is the payload.

        This and each `require_…` below gives the number of its guard, as `Outcome.guard` has it.
        """
        return self.by_key.require("absent", self.ns.keys.record(kind, id))

    def require_present(self, kind: str, id: str) -> int:
        """Nothing is written unless there is a record of the id."""
        return self.by_key.require("present", self.ns.keys.record(kind, id))

    def require_unchanged(self, kind: str, id: str, revision: int) -> int:
        """Nothing is written unless the record is there and still has this revision, if it ever had one."""
        if revision == NO_REVISION:
            return self.require_present(kind, id)
        return self.by_key.require("revision", self.ns.keys.record(kind, id), revision=revision)

    def require_due(self, due: str, id: str, at: datetime) -> int:
        """Nothing is written unless the id still is due at `at`, and was not put off or taken since."""
        return self.by_key.require("due", self.ns.keys.due(due), latest=to_micros(at), member=encode(id))

    @property
    def guards(self) -> int:
        """How many guards there are so far."""
        return len(self.by_key.guards)

    def settle(self, due: str, id: str) -> None:
        """Take an id out of a due set."""
        self.by_key.run("ZREM", self.ns.keys.due(due), encode(id))

    def when_stored(self, kind: str, id: str) -> Condition:
        """The condition that there is a record of the id."""
        return self.by_key.when_exists(self.ns.keys.record(kind, id))

    def put(self, record: Record, *, only_new: bool = False, when: Condition | None = None) -> None:
        """Store a record whole; with `only_new` an existing one stays as it is."""
        extra = ("NX",) if only_new else ()
        self.by_key.run("JSON.SET", record.key(), "$", record.document(), *extra, when=when)
        if record.kind in LISTED:
            moment_and_id = (to_micros(record.moment), encode(record.id))
            self.by_key.run("ZADD", self.ns.keys.every(record.kind), "NX", *moment_and_id, when=when)

    def delete(self, kind: str, id: str) -> None:
        """Remove a record by itself, without its rows and edges; see `reverie.store.removal` for all of it."""
        self.by_key.run("DEL", self.ns.keys.record(kind, id))
        self.by_key.run("SREM", self.ns.keys.unreadable, mark(kind, id))
        if kind in LISTED:
            self.by_key.run("ZREM", self.ns.keys.every(kind), encode(id))

    def row(self, row: Row, *, when: Condition | None = None) -> None:
        """Store the search row of a record, replacing what stood there."""
        wanted = self.ns.dimension
        if row.vector is not None and wanted is not None and row.vector.shape != (wanted,):
            raise EmbedderMismatch(
                f"the embedder gave a vector of shape {row.vector.shape}, the search index holds ({wanted},); "
                "check the embedder's dimension, or run `reverie reindex`"
            )
        key = self.ns.keys.row(row.kind, row.id, row.part)
        self.by_key.run("DEL", key, when=when)
        self.by_key.run("HSET", key, *row.words(self.ns.keys.tag), when=when)

    def close_row(self, kind: str, id: str, valid_from: datetime, valid_to: datetime | None) -> None:
        """Move the validity of a record's one row, if it is there; its text and vector stay."""
        self.change_row(kind, id, "vf", to_micros(valid_from), "vt", until_micros(valid_to))

    def change_row(self, kind: str, id: str, *words: Word) -> None:
        """Set some fields of a record's one row, if it is there."""
        key = self.ns.keys.row(kind, id)
        self.by_key.run("HSET", key, *words, "rv", NO_ROW_REVISION, when=self.by_key.when_exists(key))

    def drop_row(self, kind: str, id: str, part: int = 0) -> None:
        self.by_key.run("DEL", self.ns.keys.row(kind, id, part))

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
        self.by_key.run("ZADD", keys.links(*source), score, f"{edge}:{target[0]}:{encode(target[1])}", when=when)
        member = member_of(source[1], order)
        self.by_key.run("ZADD", keys.linked(edge, source[0], *target), score, member, when=when)
        if properties:
            flat = [word for pair in properties.items() for word in pair]
            self.by_key.run("HSET", keys.edge(edge, *source, *target), *flat, when=when)

    def unlink(self, edge: str, source: tuple[str, str], target: tuple[str, str], order: int | None = None) -> None:
        """Remove an edge with its properties; `order` as it was linked."""
        keys = self.ns.keys
        self.by_key.run("ZREM", keys.links(*source), f"{edge}:{target[0]}:{encode(target[1])}")
        self.by_key.run("ZREM", keys.linked(edge, source[0], *target), member_of(source[1], order))
        self.by_key.run("DEL", keys.edge(edge, *source, *target))

    def queue(self, topic: str, entry: str, at: datetime, *, bulk: bool = False, when: Condition | None = None) -> None:
        """Durable work for the workers; the same entry again is one piece of work. Live work goes before `bulk`."""
        self.by_key.run("ZADD", self.ns.keys.work(topic), "NX", score(at, bulk=bulk), entry, when=when)
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
        self.by_key.run("ZADD", self.ns.keys.due(due), *extra, to_micros(at), encode(id))
        self.mark(due, at)

    def commands(self) -> list[list[Word]]:
        """What it would send, command by command, conditions left aside."""
        return self.by_key.as_sent()

    def arguments(self) -> tuple[list[str], list[Word]]:
        """The keys and arguments of `commit.lua`."""
        return self.by_key.arguments(self.ns.keys.marker, self.ns.keys.generation, self.ns.guards)

    def commit(self) -> Outcome:
        """Send it. Raises StoreUnavailable when Redis cannot be reached."""
        return self.ns.commit([self])[0]
