"""Building every search row again, for another embedder or after a loss, while agents go on reading and writing.

The rows go into a second index; what was written meanwhile is caught up with after writers of the old index are
refused, which is the only pause; then the alias is moved and the old rows are dropped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from reverie.config.errors import ReverieError
from reverie.pipelines.opening import Connection
from reverie.pipelines.rows import DRAFTERS
from reverie.store import index
from reverie.store.index import IndexMeta
from reverie.store.keys import decode
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
    rebuild.run(only_missing=False)
    with reachable():
        for name in rebuild.space("reverie").namespaces():
            client.set(rebuild.space(name).keys.marker, new.generation)
    rebuild.run(only_missing=True)
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

    def run(self, *, only_missing: bool) -> None:
        """Write the rows of all records; with `only_missing` of those that changed since the first pass."""
        for namespace, kind, ids in self._batches():
            kb = replace(self._connection.knowledge_base(namespace), space=self.space(namespace))
            drafts = DRAFTERS[kind](kb, ids)
            keys = [kb.space.keys.row(draft.row.kind, draft.row.id, draft.row.part).encode() for draft in drafts]
            wanted = [
                (key, draft)
                for key, draft in zip(keys, drafts, strict=True)
                if not only_missing or self._seen.get(key) != draft.revision
            ]
            vectors = kb.embedder.documents([draft.embedded for _, draft in wanted])
            pipe = kb.space.client.pipeline(transaction=False)
            for (key, draft), vector in zip(wanted, vectors, strict=True):
                pipe.delete(key)
                pipe.hset(key, items=draft.with_vector(vector).words(kb.space.keys.tag))
                self._seen[key] = draft.revision
            with reachable():
                pipe.execute()
            self.rows += len(wanted)
            if not only_missing:
                self.records += len(ids)
                self._progress(self.records)

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
