"""A namespace's part of the store: its keys, its reads and its transactions."""

from collections.abc import Iterable, Sequence
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import redis
from redis.exceptions import NoScriptError

from reverie.config.errors import RecordUnreadable, StoreUnavailable
from reverie.store import scripts, unreadable
from reverie.store.commands import Guard, Outcome, outcome
from reverie.store.commit import Transaction
from reverie.store.keys import NAMESPACES, Keys, decode, id_of, member_of, waiting_key
from reverie.store.latest import LatestMessages
from reverie.store.records.base import Record, unwrapped
from reverie.store.times import to_micros

R = TypeVar("R", bound=Record)

_CLOCKS_DIFFER = timedelta(minutes=1)
"""What the clocks of the machines that write and work may differ by."""


class Namespace:
    """One namespace in one Redis. Cheap to make; safe to share between threads.

    `dimension` is the index's; a vector of another length is refused, where Redis would store it and lose the row.
    """

    def __init__(
        self, client: "redis.Redis", namespace: str, generation: int = 1, dimension: int | None = None
    ) -> None:
        self.client = client
        self.dimension = dimension
        self.keys = Keys(namespace, generation)
        self.latest = LatestMessages()
        self.guards: tuple[Guard, ...] = ()
        """What every write of this space requires beside its own guards."""
        self._script = client.register_script(scripts.text("commit"))
        self._marked: dict[tuple[str, bool], datetime] = {}

    @property
    def namespace(self) -> str:
        return self.keys.namespace

    @property
    def generation(self) -> int:
        """The generation of the search index that its rows are of."""
        return self.keys.generation

    def beside(self, namespace: str) -> "Namespace":
        """Another namespace of the same store."""
        return Namespace(self.client, namespace, self.keys.generation, self.dimension)

    def watched(self) -> "Namespace":
        """The same namespace, for one task: its writes raise StoreUnavailable once anything was erased from there."""
        registered, count = (
            self.client.pipeline(transaction=False).exists(self.keys.marker).get(self.keys.erasures).execute()
        )
        if registered and count is None:
            # So that the end of the whole namespace, which takes the counter with it, is seen too.
            self.client.set(self.keys.erasures, 0, nx=True)
            count = self.client.get(self.keys.erasures)
        watched = copy(self)
        watched.guards = (
            Guard(self.keys.erasures, {"guard": "value", "value": (count or b"").decode(), "overtaken": True}),
        )
        return watched

    def transaction(self) -> Transaction:
        return Transaction(self)

    def commit(self, transactions: Sequence[Transaction], *, spent: list[float] | None = None) -> list[Outcome]:
        """Send several transactions in one round trip; each is atomic by itself.

        `spent` is given the seconds that the server took for them by its own clock, without the wait for their turn.
        """
        replies = self._send(transactions, spent)
        results = [outcome(reply) for reply in replies]
        if any(result is None for result in results):
            if any(guard.terms["value"] for guard in self.guards):
                raise StoreUnavailable(f"the namespace {self.namespace!r} was erased while it was written to")
            self._register()
            missing = [t for t, result in zip(transactions, results, strict=True) if result is None]
            again = iter([outcome(reply) for reply in self._send(missing)])
            results = [next(again) if result is None else result for result in results]
        done = [result for result in results if result is not None]
        if len(done) != len(results):
            raise StoreUnavailable(f"the namespace {self.namespace!r} was erased while it was written to; write again")
        return done

    def _send(self, transactions: Sequence[Transaction], spent: list[float] | None = None) -> list[Any]:
        marks = self._due_marks(transactions)
        if len(transactions) == 1 and spent is None and not marks:
            keys, words = transactions[0].arguments()
            try:
                return [self.client.execute_command("EVALSHA", self._script.sha, len(keys), *keys, *words)]
            except NoScriptError:
                self.client.script_load(self._script.script)
                return self._send(transactions)
        pipe = self.client.pipeline(transaction=False)
        if spent is not None:
            pipe.time()
        for transaction in transactions:
            keys, words = transaction.arguments()
            pipe.evalsha(self._script.sha, len(keys), *keys, *words)
        if spent is not None:
            pipe.time()
        # After the writes, so that no worker looks before there is anything and takes the mark for settled.
        for (name, bulk), at in marks.items():
            pipe.zadd(waiting_key(name, bulk=bulk), {self.namespace: to_micros(at)}, lt=True)
        try:
            replies = list(pipe.execute())[: -len(marks) or None]
            self._marked.update(marks)
        except NoScriptError:
            # Nothing ran: every transaction of the batch names the same script.
            self.client.script_load(self._script.script)
            return self._send(transactions, spent)
        if spent is not None:
            began, *replies, ended = replies
            spent.append(ended[0] - began[0] + (ended[1] - began[1]) / 1e6)
        return replies

    def _due_marks(self, transactions: Sequence[Transaction]) -> dict[tuple[str, bool], datetime]:
        """Where and when these transactions have the namespace looked at, without what is marked already.

        A mark for a moment to come stands until then: nobody settles it before. So a later one needs none.
        """
        marks: dict[tuple[str, bool], datetime] = {}
        for transaction in transactions:
            for place, at in transaction.marks.items():
                marks[place] = min(at, marks.get(place, at))
        soon = datetime.now(UTC) + _CLOCKS_DIFFER
        return {place: at for place, at in marks.items() if not soon < self._marked.get(place, soon) <= at}

    def _register(self) -> None:
        self._marked.clear()
        # The set first: a namespace that is marked but not listed would never be swept.
        self.client.sadd(NAMESPACES, self.namespace)
        self.client.set(self.keys.marker, self.keys.generation, nx=True)

    # Reads

    def get(self, model: type[R], id: str) -> R | None:
        """The record, or None. Raises RecordUnreadable."""
        document = self._documents(model.kind, [id])[0] if id else None
        return None if document is None else self.read(model, id, document)

    def read(self, model: type[R], id: str, document: bytes) -> R:
        """The record in a document that was read for an id. Raises RecordUnreadable."""
        try:
            return model.read(document)
        except RecordUnreadable as error:
            if unreadable.is_salvaging():
                return model.salvaged(self, id, document)
            raise RecordUnreadable(model.kind, id, error.reason) from None

    def get_many(self, model: type[R], ids: Sequence[str]) -> list[R | None]:
        """The records in the order asked, None where there is none that can be read; one round trip."""
        documents, salvage = self._documents(model.kind, ids), partial(model.salvaged, self)
        return unreadable.each(self, model.kind, documents, model.model_validate_json, ids, salvage)

    def documents(self, kind: str, ids: Sequence[str]) -> list[bytes]:
        """The stored JSON of those of the records that exist, in the order asked; one round trip."""
        return [document for document in self._documents(kind, ids) if document is not None]

    def _documents(self, kind: str, ids: Sequence[str]) -> list[bytes | None]:
        if not ids:
            return []
        keys = [self.keys.record(kind, id) for id in ids]
        found = self.client.execute_command("JSON.MGET", *keys, "$")
        return [unwrapped(document) if document and document != b"[]" else None for document in found]

    def sources(self, edge: str, source_kind: str, target: tuple[str, str], *, newest: int | None = None) -> list[str]:
        """Ids of the nodes of one kind that point to `target` by `edge`, oldest first; the `newest` ones when given."""
        key = self.keys.linked(edge, source_kind, *target)
        start = 0 if newest is None else -newest
        members: Iterable[bytes] = self.client.zrange(key, start, -1)
        return [decode(id_of(member)) for member in members]

    def sources_of_many(self, edge: str, source_kind: str, kind: str, ids: Sequence[str]) -> list[list[str]]:
        """For each node of `kind` the ids that point to it by `edge`, oldest first; one round trip for all."""
        pipe = self.client.pipeline(transaction=False)
        for id in ids:
            pipe.zrange(self.keys.linked(edge, source_kind, kind, id), 0, -1)
        found = pipe.execute()
        return [[decode(id_of(member)) for member in members] for members in found]

    def preceding(
        self,
        edge: str,
        source: tuple[str, str],
        target: tuple[str, str],
        *,
        order: int | None = None,
        count: int,
    ) -> list[str]:
        """Ids of up to `count` nodes that point to `target` by `edge` before `source` does, oldest first."""
        key = self.keys.linked(edge, source[0], *target)
        rank = self.client.zrank(key, member_of(source[1], order))
        members = self.client.zrange(key, max(0, rank - count), rank - 1) if rank and count else []
        return [decode(id_of(member)) for member in members]

    def before(
        self, edge: str, source: tuple[str, str], target: tuple[str, str], *, order: int | None = None
    ) -> str | None:
        """Id of the node that points to `target` by `edge` right before `source` does; None when it is the first."""
        found = self.preceding(edge, source, target, order=order, count=1)
        return found[0] if found else None

    def targets_of_many(self, kind: str, ids: Sequence[str], edge: str) -> list[list[str]]:
        """For each node of `kind` the ids of what it points to by `edge`, oldest first; one round trip for all."""
        pipe = self.client.pipeline(transaction=False)
        for id in ids:
            pipe.zrange(self.keys.links(kind, id), 0, -1)
        found = pipe.execute()
        prefix = edge.encode() + b":"
        return [[decode(member.split(b":")[2]) for member in group if member.startswith(prefix)] for group in found]

    def targets(self, source: tuple[str, str], edge: str) -> list[tuple[str, str]]:
        """(kind, id) of what a node points to by one edge, oldest first."""
        members: Iterable[bytes] = self.client.zrange(self.keys.links(*source), 0, -1)
        prefix = edge.encode() + b":"
        found = [member.split(b":") for member in members if member.startswith(prefix)]
        return [(kind.decode(), decode(id)) for _, kind, id in found]

    def is_registered(self) -> bool:
        """Whether anything was written to the namespace since it was last erased, if it ever was."""
        return bool(self.client.exists(self.keys.marker))

    def namespaces(self) -> list[str]:
        """Every namespace of this Redis that holds anything."""
        return sorted(name.decode() for name in self.client.smembers(NAMESPACES))
