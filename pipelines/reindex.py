"""Building every search row again, for another embedder or after a loss, while agents go on reading and writing.

The rows go into a second index; what was written meanwhile is caught up with after writers of the old index are
refused, which is the only pause; then the alias is moved and the old rows are dropped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.config.errors import ReverieError
from reverie.pipelines.context import Context
from reverie.pipelines.opening import Connection
from reverie.pipelines.rows import DRAFTERS, Draft
from reverie.store import reindexing
from reverie.store.namespace import Namespace
from reverie.store.opened import Store
from reverie.store.reindexing import RowName
from reverie.store.rows import Row

_BATCH = 64

Progress = Callable[[int], None]
"""Called with the number of records done so far."""


def _no_progress(done: int) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True)
class Reindexed:
    """What a reindex did."""

    embedder: str
    dimension: int
    records: int
    rows: int


def _name(ns: Namespace, draft: Draft) -> RowName:
    return (ns.namespace, draft.row.kind, draft.row.id, draft.row.part)


def reindex(connection: Connection, progress: Progress = _no_progress) -> Reindexed:
    """Rebuild all rows with the connection's embedder. Raises ModelFailed; then the old index still serves.

    A run that was killed leaves a second index that the next run builds over.
    """
    embedder = connection.embedder
    begun = reindexing.begin(connection.store, embedder.name, embedder.dimension)
    if begun is None:
        raise ReverieError("there is nothing to reindex yet: no memory was opened on this server")
    store, old = begun
    rebuild = _Rebuild(connection, store, progress)
    rebuild.build()
    reindexing.refuse_old_writers(store)
    rebuild.catch_up()
    reindexing.finish(store, embedder.name, old)
    return Reindexed(embedder.name, embedder.dimension, rebuild.records, rebuild.rows)


class _Rebuild:
    """One rebuild into one new index generation."""

    def __init__(self, connection: Connection, store: Store, progress: Progress) -> None:
        self._connection = connection
        self._store = store
        self._progress = progress
        self._seen: dict[RowName, int] = {}
        self.records = 0
        self.rows = 0

    def build(self) -> None:
        """Write the rows of all records."""
        for namespace, kind, ids in self._batches():
            ctx = self._knowledge_base(namespace)
            drafts = DRAFTERS[kind](ctx.ns, ids)
            embedded = self._embedded(ctx, drafts)
            reindexing.write_rows(ctx.ns, [row for row, _ in embedded])
            self._seen.update((_name(ctx.ns, draft), draft.revision) for _, draft in embedded)
            self.rows += len(drafts)
            self.records += len(ids)
            self._progress(self.records)

    def catch_up(self) -> None:
        """Write the rows of records that changed since, unless they change once more: writers write this index now.

        Rows of what was forgotten or archived since go.
        """
        stale = dict(self._seen)
        for namespace, kind, ids in self._batches():
            ctx = self._knowledge_base(namespace)
            drafts = DRAFTERS[kind](ctx.ns, ids)
            names = [_name(ctx.ns, draft) for draft in drafts]
            changed = [one for name, one in zip(names, drafts, strict=True) if self._seen.get(name) != one.revision]
            transactions = []
            for row, draft in self._embedded(ctx, changed):
                transaction = ctx.ns.transaction()
                transaction.require_unchanged(kind, draft.row.id, draft.revision)
                transaction.row(row)
                transactions.append(transaction)
            self.rows += sum(result.committed for result in ctx.ns.commit(transactions)) if transactions else 0
            for name in names:
                stale.pop(name, None)
        self._remove(stale)

    def _remove(self, names: Iterable[RowName]) -> None:
        """Remove rows of which no record was found, except those written since it began."""
        grouped: dict[tuple[str, str], list[RowName]] = defaultdict(list)
        for name in names:
            grouped[name[0], name[1]].append(name)
        for (namespace, kind), rows in grouped.items():
            ctx = self._knowledge_base(namespace)
            ids = list(dict.fromkeys(id for _, _, id, _ in rows))
            there = {_name(ctx.ns, draft) for draft in DRAFTERS[kind](ctx.ns, ids)}
            reindexing.remove_rows(ctx.ns, [name for name in rows if name not in there])

    def _knowledge_base(self, namespace: str) -> Context:
        return replace(self._connection.context(namespace), ns=self._store.namespace(namespace))

    def _embedded(self, ctx: Context, drafts: Sequence[Draft]) -> list[tuple[Row, Draft]]:
        vectors = ctx.embedder.documents([draft.embedded for draft in drafts])
        return [(draft.with_vector(vector), draft) for draft, vector in zip(drafts, vectors, strict=True)]

    def _batches(self) -> Iterator[tuple[str, str, list[str]]]:
        """(namespace, kind, ids) of every record that has a row."""
        waiting: dict[tuple[str, str], list[str]] = defaultdict(list)
        for namespace, kind, id in reindexing.records(self._store, DRAFTERS):
            group = waiting[namespace, kind]
            group.append(id)
            if len(group) == _BATCH:
                yield namespace, kind, waiting.pop((namespace, kind))
        for (namespace, kind), ids in waiting.items():
            yield namespace, kind, ids
