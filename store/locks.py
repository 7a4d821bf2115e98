"""A lock with a token and a fencing number. It saves work done twice; correctness rests on guards, never on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from ulid import ULID

from reverie.store import scripts
from reverie.store.namespace import Namespace


@contextmanager
def singleflight(ns: Namespace, name: str, lease: timedelta) -> Iterator[int | None]:
    """Hold the lock `name` of the namespace for the block; yields its fencing number, or None when another holds it.

    The number grows with every holder. The lock frees itself after `lease`, so that a dead holder blocks nobody.
    """
    token = str(ULID())
    keys = [ns.keys.lock(name), ns.keys.fence(name)]
    fence = int(scripts.run(ns.client, "acquire_lock", keys, [token, int(lease.total_seconds() * 1000)]))
    if not fence:
        yield None
        return
    try:
        yield fence
    finally:
        scripts.run(ns.client, "release_lock", keys[:1], [token])
