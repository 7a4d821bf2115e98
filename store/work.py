"""Durable work: what the workers still have to do, written in the transaction that made it necessary.

A topic of a namespace is a sorted set of entries, scored by the moment each may be claimed (see `lanes`). Claiming
moves an entry into the future by a lease, so that a worker that dies gives it back by doing nothing; the transaction
that stores the result removes it. A Celery message only wakes a worker up, and may be lost.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from ulid import ULID

from reverie.store import scripts, waiting
from reverie.store.commit import Transaction
from reverie.store.lanes import BULK, due_range, score
from reverie.store.namespace import Namespace
from reverie.store.times import from_micros, to_micros


@dataclass(frozen=True)
class Claim:
    """A piece of work that is this worker's until its lease ends. `attempt` counts from 1."""

    entry: str
    attempt: int
    until: datetime
    bulk: bool = False


@dataclass(frozen=True)
class DeadLetter:
    """Work that was given up: the topic and entry (or the document that could not be read) and why."""

    id: str
    topic: str
    entry: str
    error: str
    attempts: int
    at: datetime

    @property
    def is_withheld(self) -> bool:
        """Whether nothing was kept of what was given up but its size, so that it cannot be tried again."""
        return self.entry.startswith('{"withheld": ')


def claim(ns: Namespace, topic: str, now: datetime, lease: timedelta, limit: int) -> tuple[list[Claim], int]:
    """Claim up to `limit` entries that are due, of bulk work only where no live work is; how many more are due now."""
    until = now + lease
    moments = [score(at, bulk=bulk) for at in (now, until) for bulk in (False, True)]
    entries, attempts, more, bulk = scripts.run(
        ns.client, "claim_work", [ns.keys.work(topic), ns.keys.attempts(topic)], [*moments, limit, BULK]
    )
    claims = [Claim(entry.decode(), count, until, bool(bulk)) for entry, count in zip(entries, attempts, strict=True)]
    return claims, int(more)


def renew(ns: Namespace, topic: str, claims: Sequence[Claim], until: datetime) -> list[Claim]:
    """Have claims last until `until`: what was ended, given back or taken by another meanwhile stays as it is."""
    renewed = [replace(claim, until=until) for claim in claims]
    if claims:
        first = claims[0]
        words: list[scripts.Word] = [
            score(first.until, bulk=first.bulk),
            score(until, bulk=first.bulk),
            *(one.entry for one in claims),
        ]
        scripts.run(ns.client, "renew_work", [ns.keys.work(topic)], words)
    return renewed


def finish(transaction: Transaction, topic: str, entry: str) -> None:
    """Make a transaction the one that ends a piece of work: it commits only if the work still stands, once."""
    transaction.by_key.require_member(transaction.ns.keys.work(topic), entry)
    call_off(transaction, topic, entry)


def call_off(transaction: Transaction, topic: str, entry: str) -> None:
    """Make a transaction take a piece of work from its queue, if it is there."""
    transaction.by_key.run("ZREM", transaction.ns.keys.work(topic), entry)
    transaction.by_key.run("HDEL", transaction.ns.keys.attempts(topic), entry)


def cancel(transaction: Transaction, topic: str, entry: str) -> None:
    """Take a piece of work away that has become pointless, whether it waits or not."""
    keys = transaction.ns.keys
    transaction.by_key.run("ZREM", keys.work(topic), entry)
    transaction.by_key.run("HDEL", keys.attempts(topic), entry)


def retry(ns: Namespace, topic: str, claim: Claim, now: datetime, backoff: timedelta) -> datetime:
    """Give a failed piece of work back, due after `backoff` x 2^(attempt-1), give or take a quarter."""
    delay = backoff * 2 ** min(claim.attempt - 1, 12) * random.uniform(0.75, 1.25)
    again: datetime = now + delay
    ns.client.zadd(ns.keys.work(topic), {claim.entry: score(again, bulk=claim.bulk)}, xx=True)
    waiting.mark(ns, topic, again, bulk=claim.bulk)
    return again


def postpone(ns: Namespace, topic: str, entry: str, until: datetime) -> None:
    """Give a piece of work back that cannot be done yet, due at `until`; it counts as no attempt."""
    transaction = ns.transaction()
    transaction.by_key.require_member(ns.keys.work(topic), entry)
    transaction.by_key.run("ZADD", ns.keys.work(topic), "XX", to_micros(until), entry)
    transaction.by_key.run("HDEL", ns.keys.attempts(topic), entry)
    transaction.mark(topic, until)
    transaction.commit()


def hasten(ns: Namespace, topic: str, entries: Sequence[str], now: datetime) -> None:
    """Make pieces of work that wait for a later moment due now."""
    if entries:
        ns.client.zadd(ns.keys.work(topic), dict.fromkeys(entries, to_micros(now)), xx=True, lt=True)
        waiting.mark(ns, topic, now)


def bury(ns: Namespace, topic: str, entry: str, error: str, attempts: int, now: datetime) -> DeadLetter:
    """Keep a piece of work that cannot be done as a dead letter, in place of the work."""
    letter = DeadLetter(str(ULID.from_datetime(now)), topic, entry, error, attempts, now)
    transaction = ns.transaction()
    document = {"topic": topic, "entry": entry, "error": error, "attempts": attempts, "at": to_micros(now)}
    transaction.by_key.run("HSET", ns.keys.dead, letter.id, json.dumps(document))
    transaction.by_key.run("ZREM", ns.keys.work(topic), entry)
    transaction.by_key.run("HDEL", ns.keys.attempts(topic), entry)
    transaction.commit()
    return letter


def withheld(why: str, **known: str | int | None) -> str:
    """The entry of a dead letter of which nothing is kept but what is `known` of it, and why."""
    return json.dumps({"withheld": why, **known})


def dead_letters(ns: Namespace) -> list[DeadLetter]:
    """The namespace's dead letters, oldest first."""
    found: dict[bytes, bytes] = ns.client.hgetall(ns.keys.dead)
    return [_letter(id.decode(), json.loads(document)) for id, document in sorted(found.items())]


def _letter(id: str, document: dict[str, Any]) -> DeadLetter:
    at = from_micros(document["at"])
    return DeadLetter(id, document["topic"], document["entry"], document["error"], document["attempts"], at)


def revive(ns: Namespace, letter: DeadLetter, now: datetime) -> None:
    """Queue a dead letter's work again, from its first attempt."""
    transaction = ns.transaction()
    transaction.queue(letter.topic, letter.entry, now)
    transaction.by_key.run("HDEL", ns.keys.dead, letter.id)
    transaction.commit()


def drop(ns: Namespace, id: str) -> bool:
    """Remove a dead letter for good; False when there is none."""
    return bool(ns.client.hdel(ns.keys.dead, id))


def pending(ns: Namespace, topic: str, entries: Sequence[str]) -> list[bool]:
    """Which of the entries still wait or are being worked on; one round trip."""
    if not entries:
        return []
    scores = ns.client.zmscore(ns.keys.work(topic), list(entries))
    return [score is not None for score in scores]


def entries(ns: Namespace, topic: str) -> list[str]:
    """Every entry of a topic that is not finished, oldest first."""
    return [entry.decode() for entry in ns.client.zrange(ns.keys.work(topic), 0, -1)]


def backlog(ns: Namespace, topics: Sequence[str], now: datetime) -> dict[str, tuple[int, int]]:
    """Per topic how many entries there are and how many of them may be claimed now."""
    pipe = ns.client.pipeline(transaction=False)
    for topic in topics:
        pipe.zcard(ns.keys.work(topic))
        for bulk in (False, True):
            pipe.zcount(ns.keys.work(topic), *due_range(now, bulk=bulk))
    counts = pipe.execute()
    return {topic: (counts[3 * i], counts[3 * i + 1] + counts[3 * i + 2]) for i, topic in enumerate(topics)}
