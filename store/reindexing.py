"""The search index built a second time beside the one in use: its rows, and the change from one to the other."""

from collections.abc import Iterable, Iterator, Sequence

from reverie.store import index
from reverie.store.index import IndexMeta
from reverie.store.keys import decode
from reverie.store.namespace import Namespace
from reverie.store.opened import Store
from reverie.store.rows import Row

RowName = tuple[str, str, str, int]
"""Namespace, kind, id and part of a search row."""
_PAGE = 1000
"""Keys asked for at a time; a page of this size takes the server about a millisecond."""


def begin(store: Store, embedder: str, dimension: int) -> tuple[Store, IndexMeta] | None:
    """An empty second index, as the store whose rows go into it, and the index in use; None before the first use.

    What a run that was killed left of a second index is removed.
    """
    old = index.read_meta(store.client)
    if old is None:
        return None
    new = IndexMeta(embedder, dimension, old.generation + 1)
    index.drop(store.client, new)
    index.create(store.client, new)
    return Store(store.url, new.generation, dimension, store.client), old


def refuse_old_writers(store: Store) -> None:
    """Have every namespace written into the second index; who still writes the old one gets EmbedderMismatch."""
    for name in store.namespace("reverie").namespaces():
        store.client.set(store.namespace(name).keys.marker, store.generation)


def finish(store: Store, embedder: str, old: IndexMeta) -> None:
    """Search in the second index from now on, and remove the old one with its rows."""
    index.adopt(store.client, IndexMeta(embedder, store.dimension, store.generation))
    index.drop(store.client, old)


def records(store: Store, kinds: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(namespace, kind, id) of every record of these kinds, some of them twice."""
    wanted = set(kinds)
    for key in store.client.scan_iter(match="rv:{*", count=_PAGE, _type="ReJSON-RL"):
        namespace, kind, id = key.decode().removeprefix("rv:{").replace("}", "", 1).split(":")
        if kind in wanted:
            yield decode(namespace), kind, decode(id)


def write_rows(ns: Namespace, rows: Sequence[Row]) -> None:
    """Store search rows, whatever becomes of their records meanwhile; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for row in rows:
        key = ns.keys.row(row.kind, row.id, row.part)
        pipe.delete(key)
        pipe.hset(key, items=row.words(ns.keys.tag))
    pipe.execute()


def remove_rows(ns: Namespace, rows: Sequence[RowName]) -> None:
    """Remove search rows of the namespace; one round trip."""
    if rows:
        ns.client.delete(*(ns.keys.row(kind, id, part) for _, kind, id, part in rows))
