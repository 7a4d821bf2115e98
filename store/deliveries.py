"""Taking messages from the queues of a Redis broker so that none is lost, whatever dies when.

A message is popped and noted as taken in one script, under a tag and until a moment (its lease). Whoever took it renews
the lease while it is at work, and settles it when it is done. A taker that died renews nothing, and its messages go
back to their queues with the next take of any other. The first byte of what is noted says whether a message that goes
back counts as delivered before ("+") or only waited for its time ("."); one that was delivered before begins with a
line break, which JSON allows.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import redis

from reverie.store import scripts

TAKEN: Final = "reverie.taken"
"""Hash of a broker's database: tag to "+" or ".", the queue, a line break, and the message as it stood in the queue."""
LEASES: Final = "reverie.leases"
"""Sorted set: tag by the millisecond at which its message goes back."""
_BACK_AT_ONCE: Final = 100
"""Messages that one take puts back at most, so that it stays short."""


def take(queues: Sequence[str], tag: str, lease: float, longest: int) -> tuple[Any, ...]:
    """The command that takes the next message of the first of these lists that has one, for `lease` seconds.

    Its reply is nil, or the list and the message; of a message of more than `longest` bytes the first byte alone.
    """
    keys = [TAKEN, LEASES, *queues]
    return ("EVAL", scripts.text("take_delivery"), len(keys), *keys, tag, round(lease * 1000), longest, _BACK_AT_ONCE)


def settle(client: "redis.Redis", tags: Iterable[str]) -> None:
    """Note that the messages of these tags were dealt with, so that they go back to no queue."""
    pipe = client.pipeline(transaction=True)
    for tag in tags:
        pipe.zrem(LEASES, tag)
        pipe.hdel(TAKEN, tag)
    pipe.execute()


def put_off(client: "redis.Redis", tags: Iterable[str], seconds: float, *, delivered: bool) -> None:
    """Let the messages of these tags go back to their queues in `seconds`, marked as `delivered` before or not."""
    words = (round(seconds * 1000), "+" if delivered else ".", *tags)
    client.eval(scripts.text("put_off_deliveries"), 2, TAKEN, LEASES, *words)


def renew(client: "redis.Redis", tags: Iterable[str], lease: float) -> None:
    """Keep the messages of these tags for another `lease` seconds."""
    client.eval(scripts.text("renew_deliveries"), 1, LEASES, round(lease * 1000), *tags)


def queue_of(held: bytes) -> tuple[str, bytes]:
    """The queue and the message in a value of the hash `TAKEN`."""
    queue, _, raw = held[1:].partition(b"\n")
    return queue.decode(), raw
