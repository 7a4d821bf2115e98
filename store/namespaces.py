"""Removing a whole namespace."""

from collections.abc import Sequence
from typing import Final

from reverie.store import contents, waiting
from reverie.store.keys import NAMESPACES
from reverie.store.space import Space, reachable

_BATCH: Final = 500
"""Keys unlinked in one command: the server frees them beside its work."""


def clear(space: Space, places: Sequence[str]) -> int:
    """Take the namespace from the list of those in use and remove every key that it holds now; how many went.

    `places` are the topics and due sets in which something of it may wait. What others write meanwhile may be left.
    """
    with reachable():
        # First, so that nothing sweeps it while it goes.
        space.client.srem(NAMESPACES, space.namespace)
        waiting.leave(space, places)
        gone = 0
        batch: list[bytes] = []
        for key in contents.keys(space):
            batch.append(key)
            if len(batch) == _BATCH:
                gone += space.client.unlink(*batch)
                batch = []
        gone += space.client.unlink(*batch) if batch else 0
    return gone
