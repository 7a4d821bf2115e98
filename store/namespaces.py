"""Removing a whole namespace."""

from collections.abc import Sequence
from typing import Final

from reverie.store import contents, waiting
from reverie.store.keys import NAMESPACES
from reverie.store.namespace import Namespace

_BATCH: Final = 500
"""Keys unlinked in one command: the server frees them beside its work."""


def clear(ns: Namespace, places: Sequence[str]) -> int:
    """Take the namespace from the list of those in use and remove every key that it holds now; how many went.

    `places` are the topics and due sets in which something of it may wait. What others write meanwhile may be left.
    """
    # First, so that nothing sweeps it while it goes.
    ns.client.srem(NAMESPACES, ns.namespace)
    waiting.leave(ns, places)
    gone = 0
    batch: list[bytes] = []
    for key in contents.keys(ns):
        batch.append(key)
        if len(batch) == _BATCH:
            gone += ns.client.unlink(*batch)
            batch = []
    gone += ns.client.unlink(*batch) if batch else 0
    return gone
