"""One search for rows, as tests ask for them: found and read."""

from reverie.store.hits import Hit, read
from reverie.store.namespace import Namespace
from reverie.store.search import Search, find


def search(ns: Namespace, one: Search) -> list[Hit]:
    """The rows that a search finds, best first."""
    return read(ns, find(ns, [one])[0].keys)
