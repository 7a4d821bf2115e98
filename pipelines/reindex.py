"""Building every search row again, for another embedder or after a loss, while agents go on reading and writing.

The rows go into a second index; what was written meanwhile is caught up with after writers of the old index are
refused, which is the only pause; then the alias is moved and the old rows are dropped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.config.errors import ReverieError
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.opening import Connection
from reverie.pipelines.rows import DRAFTERS, Draft
from reverie.store import index
from reverie.store.index import IndexMeta
from reverie.store.keys import decode, row_prefix
from reverie.store.rows import Row
from reverie.store.space import Space, reachable

_BATCH = 64

Progress = Callable[[int], None]
"""Called with the number of records done so far."""


def _no_progress(done: int) -> None:
    """For whoever does not look."""


@dataclass(frozen=True)
class Reindexed:
    """What a reindex did."""

    embedder: str
    dimension: int
    records: int
    rows: int


def _key(kb: KnowledgeBase, draft: Draft) -> bytes:
    return kb.space.keys.row(draft.row.kind, draft.row.id, draft.row.part).encode()


def reindex(connection: Connection, progress: Progress = _no_progress) -> Reindexed:
    """Rebuild all rows with the connection's embedder. Raises ModelFailed; then the old index still serves.

    A run that was killed leaves a second index that the next run builds over.
    """
    client, embedder = connection.client, connection.embedder
    old = index.read_meta(client)
    if old is None:
        raise ReverieError("there is nothing to reindex yet: no memory was opened on this server")
    new = IndexMeta(embedder.name, embedder.dimension, old.generation + 1)
    with reachable():
        index.drop(client, new)
        index.create(client, new)
    rebuild = _Rebuild(connection, new, progress)
    rebuild.build()
    with reachable():
        for name in rebuild.space("reverie").namespaces():
            client.set(rebuild.space(name).keys.marker, new.generation)
    rebuild.catch_up()
    with reachable():
        index.adopt(client, new)
        index.drop(client, old)
    return Reindexed(new.embedder, new.dimension, rebuild.records, rebuild.rows)


class _Rebuild:
    """One rebuild into one new index generation."""

    def __init__(self, connection: Connection, meta: IndexMeta, progress: Progress) -> None:
        self._connection = connection
        self._meta = meta
        self._progress = progress
        self._seen: dict[bytes, int] = {}
        self.records = 0
        self.rows = 0

    def space(self, namespace: str) -> Space:
        return Space(self._connection.client, namespace, self._meta.generation, self._meta.dimension)

    def build(self) -> None:
        """Write the rows of all records."""
        for namespace, kind, ids in self._batches():
            kb = self._knowledge_base(namespace)
            drafts = DRAFTERS[kind](kb, ids)
            pipe = kb.space.client.pipeline(transaction=False)
            for row, draft in self._embedded(kb, drafts):
                key = _key(kb, draft)
                pipe.delete(key)
                pipe.hset(key, items=row.words(kb.space.keys.tag))
                self._seen[key] = draft.revision
            with reachable():
                pipe.execute()
            self.rows += len(drafts)
            self.records += len(ids)
            self._progress(self.records)

    def catch_up(self) -> None:
        """Write the rows of records that changed since, unless they change once more: writers write this index now.

        Rows of what was forgotten or archived since go.
        """
        stale = dict(self._seen)
        for namespace, kind, ids in self._batches():
            kb = self._knowledge_base(namespace)
            drafts = DRAFTERS[kind](kb, ids)
            keys = [_key(kb, draft) for draft in drafts]
            changed = [draft for key, draft in zip(keys, drafts, strict=True) if self._seen.get(key) != draft.revision]
            transactions = []
            for row, draft in self._embedded(kb, changed):
                transaction = kb.space.transaction()
                transaction.require("revision", kb.space.keys.record(kind, draft.row.id), draft.revision)
                transaction.row(row)
                transactions.append(transaction)
            self.rows += sum(result.committed for result in kb.space.commit(transactions)) if transactions else 0
            for key in keys:
                stale.pop(key, None)
        self._remove(list(stale))

    def _remove(self, keys: list[bytes]) -> None:
        """Remove rows of which no record was found, except those written since it began."""
        named: dict[tuple[str, str], dict[str, list[bytes]]] = defaultdict(lambda: defaultdict(list))
        for key in keys:
            tag, kind, id = key.decode().removeprefix(row_prefix(self._meta.generation)).split(":")
            named[decode(tag.strip("{}")), kind][decode(id.partition(".")[0])].append(key)
        for (namespace, kind), rows in named.items():
            kb = self._knowledge_base(namespace)
            there = {_key(kb, draft) for draft in DRAFTERS[kind](kb, list(rows))}
            gone = [key for found in rows.values() for key in found if key not in there]
            if gone:
                with reachable():
                    kb.space.client.delete(*gone)

    def _knowledge_base(self, namespace: str) -> KnowledgeBase:
        return replace(self._connection.knowledge_base(namespace), space=self.space(namespace))

    def _embedded(self, kb: KnowledgeBase, drafts: Sequence[Draft]) -> list[tuple[Row, Draft]]:
        vectors = kb.embedder.documents([draft.embedded for draft in drafts])
        return [(draft.with_vector(vector), draft) for draft, vector in zip(drafts, vectors, strict=True)]

    def _batches(self) -> Iterator[tuple[str, str, list[str]]]:
        """(namespace, kind, ids) of every record that has a row."""
        waiting: dict[tuple[str, str], list[str]] = defaultdict(list)
        with reachable():
            for key in self._connection.client.scan_iter(match="rv:{*", count=1000, _type="ReJSON-RL"):
                namespace, kind, id = key.decode().removeprefix("rv:{").replace("}", "", 1).split(":")
                if kind not in DRAFTERS:
                    continue
                group = waiting[namespace, kind]
                group.append(decode(id))
                if len(group) == _BATCH:
                    yield decode(namespace), kind, waiting.pop((namespace, kind))
        for (namespace, kind), ids in waiting.items():
            yield decode(namespace), kind, ids
