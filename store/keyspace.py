"""Looking over all keys of a store: what a namespace holds, and what nobody knows."""

from collections.abc import Iterator

from reverie.store.schema import belongs
from reverie.store.space import Space

_PAGE = 1000
"""Keys asked for at a time; a page of this size takes the server about a millisecond."""


def of_namespace(space: Space) -> list[str]:
    """Every key that belongs to the namespace, records, rows, edges and all else, sorted."""
    tag = f"{{{space.keys.tag}}}"
    return sorted(key for key in _scan(space, f"rv*:{tag}:*") if key.split(":")[1] == tag)


def unknown(space: Space) -> list[str]:
    """The keys of the database that `store.schema` does not know, sorted; [] in a store that only Reverie uses."""
    return sorted(key for key in _scan(space, "*") if not belongs(key))


def _scan(space: Space, pattern: str) -> Iterator[str]:
    for key in space.client.scan_iter(match=pattern, count=_PAGE):
        yield key.decode(errors="backslashreplace")
