"""What lies in Celery's Redis: tasks that were sent and not run yet, and the results of those that ran.

Read and removed here for an erasure alone; else nobody but Celery touches it. A broker that is no Redis is out of
reach.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import redis

from reverie.store import deliveries, envelopes
from reverie.store.keys import DELIVERIES, encode
from reverie.store.namespace import Namespace
from reverie.store.times import to_micros

# How Celery 5 and kombu 5 name things in Redis.
_PRIORITIES = ("", "\x06\x163", "\x06\x166", "\x06\x169")
_RESULT = "celery-task-meta-"
_BATCH = 500
_COUNTED = timedelta(days=1)


@dataclass(frozen=True)
class Sent:
    """A task that waits in a queue, or that a worker took and did not acknowledge (`tag`, `queue` is None)."""

    id: str
    task: str
    document: Any
    """Its first argument."""
    raw: bytes
    queue: str | None = None
    tag: bytes | None = None


class Broker:
    """The queues of a broker and the results of a result backend; None for what is no Redis."""

    def __init__(self, broker: "redis.Redis | None", results: "redis.Redis | None", queues: Sequence[str]) -> None:
        self._broker = broker
        self._results = results
        self._queues = [name + priority for name in queues for priority in _PRIORITIES]

    def sent(self) -> Iterator[Sent]:
        """Every task with a JSON document that waits, or was taken and not acknowledged."""
        if self._broker is None:
            return
        for queue in self._queues:
            start = 0
            while True:
                found: list[bytes] = self._broker.lrange(queue, start, start + _BATCH - 1)
                for raw in found:
                    message = _read(raw)
                    if message is not None:
                        yield Sent(*message, raw, queue=queue)
                if len(found) < _BATCH:
                    break
                start += _BATCH
        taken: dict[bytes, bytes] = self._broker.hgetall(deliveries.TAKEN)
        for tag, held in taken.items():
            _, raw = deliveries.queue_of(held)
            message = _read(raw)
            if message is not None:
                yield Sent(*message, raw, tag=tag)

    def withdraw(self, sent: Sequence[Sent]) -> None:
        """Remove these tasks from the broker. A worker that runs one already goes on; it is delivered to no other."""
        if self._broker is None or not sent:
            return
        pipe = self._broker.pipeline(transaction=False)
        for one in sent:
            if one.queue is not None:
                pipe.lrem(one.queue, 1, one.raw)
            else:
                pipe.hdel(deliveries.TAKEN, one.tag)
                pipe.zrem(deliveries.LEASES, one.tag)
        pipe.execute()

    def results(self, ns: Namespace) -> dict[str, Any]:
        """By task id what the tasks of a namespace gave, of those that were noted and are kept still."""
        if self._results is None:
            return {}
        ids = [id.decode() for id in ns.client.zrange(_noted(ns), 0, -1)]
        kept = self._results.mget([_RESULT + id for id in ids]) if ids else []
        return {id: json.loads(raw).get("result") for id, raw in zip(ids, kept, strict=True) if raw is not None}

    def replace_result(self, id: str, result: Any) -> None:
        """Put another result in the place of a task's, for as long as that would have been kept."""
        if self._results is None:
            return
        raw: bytes | None = self._results.get(_RESULT + id)
        if raw is not None:
            self._results.set(_RESULT + id, json.dumps(json.loads(raw) | {"result": result}), xx=True, keepttl=True)

    def close(self) -> None:
        for client in (self._broker, self._results):
            if client is not None:
                client.close()


def count_delivery(ns: Namespace, id: str) -> int:
    """Count one more delivery of a task that was delivered before; how many there were of late, in any namespace."""
    key = DELIVERIES + encode(id)
    pipe = ns.client.pipeline(transaction=True)
    pipe.incr(key)
    pipe.expire(key, _COUNTED)
    count, _ = pipe.execute()
    return int(count)


def note_result(ns: Namespace, id: str, now: datetime, lifetime: timedelta) -> None:
    """Remember that a task of this namespace gives a result that is kept for `lifetime`."""
    pipe = ns.client.pipeline(transaction=False)
    pipe.zadd(_noted(ns), {id: to_micros(now)})
    pipe.zremrangebyscore(_noted(ns), "-inf", to_micros(now - lifetime))
    pipe.expire(_noted(ns), lifetime)
    pipe.execute()


def _noted(ns: Namespace) -> str:
    return ns.keys.named("results")


def _read(raw: bytes) -> tuple[str, str, Any] | None:
    """Id, task name and first argument of a message; None for one that is no task with a JSON document."""
    try:
        read = envelopes.read(raw)
    except envelopes.Unreadable as wrong:
        return None if wrong.document is None else (wrong.id or "", wrong.task or "", wrong.document)
    return read.id, read.task, read.arguments[0] if read.arguments else read.named.get("document")
