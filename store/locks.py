"""A lock with a token and a fencing number. It saves work done twice; correctness rests on guards, never on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from ulid import ULID

from reverie.store.space import Space, reachable

_ACQUIRE = """
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
return 0
"""
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


@contextmanager
def singleflight(space: Space, name: str, lease: timedelta) -> Iterator[int | None]:
    """Hold the lock `name` of the namespace for the block; yields its fencing number, or None when another holds it.

    The number grows with every holder. The lock frees itself after `lease`, so that a dead holder blocks nobody.
    """
    token = str(ULID())
    keys = [space.keys.lock(name), space.keys.fence(name)]
    with reachable():
        fence = int(space.client.register_script(_ACQUIRE)(keys=keys, args=[token, int(lease.total_seconds() * 1000)]))
    if not fence:
        yield None
        return
    try:
        yield fence
    finally:
        with reachable():
            space.client.register_script(_RELEASE)(keys=keys[:1], args=[token])
