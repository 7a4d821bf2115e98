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

TAKEN: Final = "reverie.taken"
"""Hash of a broker's database: tag to "+" or ".", the queue, a line break, and the message as it stood in the queue."""
LEASES: Final = "reverie.leases"
"""Sorted set: tag by the millisecond at which its message goes back."""
_BACK_AT_ONCE: Final = 100
"""Messages that one take puts back at most, so that it stays short."""

# Both only move what is there already: they may run where the memory is full, or nothing would ever be worked off.
_NOW: Final = """#!lua flags=allow-oom
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
"""
# Each step that adds comes before the one that removes: where the server refuses one, nothing is gone.
_TAKE: Final = (
    _NOW
    + """
for _, tag in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[4])) do
  local held = redis.call('HGET', KEYS[1], tag)
  if held then
    local line = string.find(held, '\\n', 1, true)
    local raw = string.sub(held, line + 1)
    if string.sub(held, 1, 1) == '+' and string.sub(raw, 1, 1) ~= '\\n' then raw = '\\n' .. raw end
    redis.call('RPUSH', string.sub(held, 2, line - 1), raw)
  end
  redis.call('HDEL', KEYS[1], tag)
  redis.call('ZREM', KEYS[2], tag)
end
for i = 3, #KEYS do
  local raw = redis.pcall('LINDEX', KEYS[i], -1)
  if type(raw) == 'string' then
    redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
    redis.call('HSET', KEYS[1], ARGV[1], '+' .. KEYS[i] .. '\\n' .. raw)
    redis.call('RPOP', KEYS[i])
    if #raw > tonumber(ARGV[3]) then raw = string.sub(raw, 1, 1) end
    return {KEYS[i], raw}
  end
end
return false
"""
)
_PUT_OFF: Final = (
    _NOW
    + """
for i = 3, #ARGV do
  local held = redis.call('HGET', KEYS[1], ARGV[i])
  if held then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[2] .. string.sub(held, 2))
    redis.call('ZADD', KEYS[2], now + ARGV[1], ARGV[i])
  end
end
"""
)
_RENEW: Final = (
    _NOW
    + """
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[i]) end
"""
)


def take(queues: Sequence[str], tag: str, lease: float, longest: int) -> tuple[Any, ...]:
    """The command that takes the next message of the first of these lists that has one, for `lease` seconds.

    Its reply is nil, or the list and the message; of a message of more than `longest` bytes the first byte alone.
    """
    keys = [TAKEN, LEASES, *queues]
    return ("EVAL", _TAKE, len(keys), *keys, tag, round(lease * 1000), longest, _BACK_AT_ONCE)


def settle(client: "redis.Redis", tags: Iterable[str]) -> None:
    """These are done: they go back to no queue."""
    pipe = client.pipeline(transaction=True)
    for tag in tags:
        pipe.zrem(LEASES, tag)
        pipe.hdel(TAKEN, tag)
    pipe.execute()


def put_off(client: "redis.Redis", tags: Iterable[str], seconds: float, *, delivered: bool) -> None:
    """Let these go back to their queues so many seconds from now, marked as `delivered` before or not."""
    client.eval(_PUT_OFF, 2, TAKEN, LEASES, round(seconds * 1000), "+" if delivered else ".", *tags)


def renew(client: "redis.Redis", tags: Iterable[str], lease: float) -> None:
    """Keep these for another `lease` seconds."""
    client.eval(_RENEW, 1, LEASES, round(lease * 1000), *tags)


def queue_of(held: bytes) -> tuple[str, bytes]:
    """Of a value of `TAKEN` the queue and the message."""
    queue, _, raw = held[1:].partition(b"\n")
    return queue.decode(), raw
