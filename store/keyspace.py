"""Listing keys of a store: those of one namespace, and those that no table names."""

from collections.abc import Iterator

from reverie.store.namespace import Namespace
from reverie.store.schema import belongs

_PAGE = 1000
"""Keys asked for at a time; a page of this size takes the server about a millisecond."""


def of_namespace(ns: Namespace) -> list[str]:
    """Every key that belongs to the namespace, records, rows, edges and all else, sorted."""
    tag = f"{{{ns.keys.tag}}}"
    return sorted(key for key in _scan(ns, f"rv*:{tag}:*") if key.split(":")[1] == tag)


def unknown(ns: Namespace) -> list[str]:
    """The keys of the database that `store.schema` does not know, sorted; [] in a store that only Reverie uses."""
    return sorted(key for key in _scan(ns, "*") if not belongs(key))


def _scan(ns: Namespace, pattern: str) -> Iterator[str]:
    for key in ns.client.scan_iter(match=pattern, count=_PAGE):
        yield key.decode(errors="backslashreplace")
