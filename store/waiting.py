"""Where work waits: the one structure that is asked instead of every namespace.

For each topic of durable work and each due set there is a sorted set of namespaces, scored by the moment from which
something may be due there, and for a topic a second one for bulk work. A writer marks its namespace after the write
that made the work necessary. A worker takes the namespace that has waited longest, live before bulk, and gives it back
with the moment at which it has to be looked at next. So the cost of looking grows with what waits, and a namespace
with much to do takes turns with all others.

Where all namespaces are meant, the space of any of them will do to ask.

These keys hold no truth: a mark too many costs one look, and a mark that was lost (its writer died in between) is
made again by `remark`. Each topic's keys share a hash tag of their own, apart from the namespaces', so that a Redis
Cluster can hold them anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reverie.store import scripts
from reverie.store.keys import NAMESPACES, Keys, last_look_key, waiting_key, wake_up_key
from reverie.store.lanes import due_range, moment, whole_range
from reverie.store.namespace import Namespace
from reverie.store.times import from_micros, to_micros

IN_HAND = timedelta(seconds=5)
"""A namespace that was taken and not given back, because its worker died in between, is looked at again after this.
Between the two lie a few commands."""
ANYONE = ""
"""Names the wake-up that is sent for no namespace in particular."""
FRESH = timedelta(minutes=1)
"""A wake-up for a namespace that no worker heeded for so long is taken for lost, and another one may be sent."""
FRESH_FOR_ANYONE = timedelta(seconds=10)
"""The same for one for no namespace in particular, with which a sweep makes up for lost ones."""
STARVED = timedelta(seconds=30)
"""Bulk work that has waited for so long gets one turn in four even while live work never ends."""

_ASKED_AT_ONCE = 1000
"""Namespaces whose figures are asked for in one round trip, so that no reply grows with their number."""


@dataclass(frozen=True)
class Turn:
    """A namespace that was taken for one batch; `others` is how many more wait for theirs."""

    name: str
    namespace: str
    bulk: bool
    until: datetime
    others: int


@dataclass(frozen=True)
class Queue:
    """How many namespaces wait for a topic and when a worker last looked for its work; None when none ever did."""

    namespaces: int
    last_look: datetime | None


def mark(ns: Namespace, name: str, at: datetime, *, bulk: bool = False) -> None:
    """Note that something of `name` may be due in the namespace at `at`; a mark for an earlier moment stays."""
    ns.client.zadd(waiting_key(name, bulk=bulk), {ns.namespace: to_micros(at)}, lt=True)


def take(ns: Namespace, topic: str, now: datetime, *, heeded: str = ANYONE) -> Turn | None:
    """Take the namespace whose turn it is; None when nothing is due anywhere.

    `heeded` is the namespace that the wake-up which led here was sent for: that wake-up is on its way no more.
    """
    keys = [waiting_key(topic), waiting_key(topic, bulk=True), wake_up_key(topic), last_look_key(topic)]
    keys.append(waiting_key(topic) + ":turns")
    until = now + IN_HAND
    found = scripts.run(
        ns.client, "take_turn", keys, [to_micros(now), to_micros(until), to_micros(now - STARVED), heeded]
    )
    if not found:
        return None
    namespace, bulk, others = found
    return Turn(topic, namespace.decode(), bool(bulk), until, others)


def give_back(ns: Namespace, turn: Turn, now: datetime) -> bool:
    """Put the namespace back to where what still waits there belongs; whether anything there is due now.

    Live work that is left after a batch goes on in the bulk lane: behind those who wait for their first.
    """
    planned = _planned(_upcoming(ns, turn.name), now)
    own = planned[turn.bulk]
    _put_back(ns, turn, own)
    # Read again: a write in between may have marked the namespace while it was in hand, which its mark did not change.
    again = _planned(_upcoming(ns, turn.name), now)
    for bulk, at in again.items():
        if at is not None and (bulk != turn.bulk or own is None or at < own):
            mark(ns, turn.name, at, bulk=bulk)
    return any(at is not None and at <= now for at in again.values())


def _put_back(ns: Namespace, turn: Turn, at: datetime | None) -> None:
    """Move the namespace from where it is in hand to the moment of its next turn, or out of the lane for None."""
    words: list[scripts.Word] = [ns.namespace, to_micros(turn.until), "" if at is None else to_micros(at)]
    scripts.run(ns.client, "give_back_turn", [waiting_key(turn.name, bulk=turn.bulk)], words)


def _upcoming(ns: Namespace, topic: str) -> dict[bool, datetime | None]:
    """By lane the first moment at which anything of the topic may be claimed."""
    pipe = ns.client.pipeline(transaction=False)
    for bulk in (False, True):
        low, high = whole_range(bulk=bulk)
        pipe.zrange(ns.keys.work(topic), low, high, byscore=True, offset=0, num=1, withscores=True)
    found = pipe.execute()
    return {bulk: moment(first[0][1]) if first else None for bulk, first in zip((False, True), found, strict=True)}


def _planned(upcoming: dict[bool, datetime | None], now: datetime) -> dict[bool, datetime | None]:
    live, bulk = upcoming[False], upcoming[True]
    if live is not None and live <= now:
        return {False: None, True: now}
    return {False: live, True: None if bulk is None else max(bulk, now)}


def hold(ns: Namespace, due_set: str, now: datetime) -> Turn:
    """Take a namespace for a sweep of a due set, so that what is marked meanwhile is told from what was before."""
    until = now + IN_HAND
    ns.client.zadd(waiting_key(due_set), {ns.namespace: to_micros(until)}, xx=True)
    return Turn(due_set, ns.namespace, False, until, 0)


def release(ns: Namespace, turn: Turn) -> None:
    """Put a namespace back after a sweep, to the moment at which the next id of its due set falls due."""
    first = _first_due(ns, turn.name)
    _put_back(ns, turn, first)
    again = _first_due(ns, turn.name)
    if again is not None and (first is None or again < first):
        mark(ns, turn.name, again)


def _first_due(ns: Namespace, due_set: str) -> datetime | None:
    first = ns.client.zrange(ns.keys.due(due_set), 0, 0, withscores=True)
    return from_micros(first[0][1]) if first else None


def where(ns: Namespace, name: str, now: datetime) -> list[str]:
    """The namespaces in which something of `name` may be due, longest first; bulk work is left aside."""
    found = ns.client.zrange(waiting_key(name), "-inf", to_micros(now), byscore=True)
    return [namespace.decode() for namespace in found]


def is_due(ns: Namespace, topics: Sequence[str], now: datetime) -> list[str]:
    """The topics of which something may be due anywhere; one round trip, whatever the number of namespaces."""
    pipe = ns.client.pipeline(transaction=False)
    for topic in topics:
        for bulk in (False, True):
            pipe.zcount(waiting_key(topic, bulk=bulk), "-inf", to_micros(now))
    counts = pipe.execute()
    return [topic for place, topic in enumerate(topics) if counts[2 * place] + counts[2 * place + 1]]


def ask_for_wake_up(ns: Namespace, topic: str, namespace: str, now: datetime) -> bool:
    """Whether a wake-up is to be sent for a namespace; False while one is on its way that no worker heeded yet."""
    fresh = FRESH if namespace != ANYONE else FRESH_FOR_ANYONE
    asked = scripts.run(
        ns.client,
        "ask_for_wake_up",
        [wake_up_key(topic)],
        [namespace, to_micros(now), to_micros(now - fresh)],
    )
    return bool(asked)


def wake_up_failed(ns: Namespace, topic: str, namespace: str) -> None:
    """Take back that a wake-up is on its way."""
    ns.client.zrem(wake_up_key(topic), namespace)


def queue(ns: Namespace, topic: str, now: datetime) -> Queue:
    """How many namespaces wait for their turn in a topic, and whether anybody looks."""
    pipe = ns.client.pipeline(transaction=False)
    for bulk in (False, True):
        pipe.zcount(waiting_key(topic, bulk=bulk), "-inf", to_micros(now))
    pipe.get(last_look_key(topic))
    live, in_bulk, looked = pipe.execute()
    return Queue(live + in_bulk, from_micros(int(looked)) if looked is not None else None)


def leave(ns: Namespace, names: Sequence[str]) -> None:
    """Take a namespace that is gone out of the topics and due sets `names`."""
    pipe = ns.client.pipeline(transaction=False)
    for name in names:
        for bulk in (False, True):
            pipe.zrem(waiting_key(name, bulk=bulk), ns.namespace)
        pipe.zrem(wake_up_key(name), ns.namespace)
    pipe.execute()


def marked(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str] = ()) -> list[str]:
    """The namespaces in which anything of the topics and due sets waits, now or later, longest first, each once."""
    pipe = ns.client.pipeline(transaction=False)
    for key in _marks(topics, due_sets):
        pipe.zrange(key, 0, -1, withscores=True)
    replies = pipe.execute()
    first: dict[str, float] = {}
    for reply in replies:
        for name, at in reply:
            first[name.decode()] = min(at, first.get(name.decode(), at))
    return sorted(first, key=lambda name: (first[name], name))


def _marks(topics: Sequence[str], due_sets: Sequence[str]) -> list[str]:
    return [waiting_key(topic, bulk=bulk) for topic in topics for bulk in (False, True)] + [
        waiting_key(name) for name in due_sets
    ]


def totals(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str], now: datetime) -> tuple[int, int]:
    """How much of the topics and due sets waits in all namespaces, and how much of it is due.

    Only the namespaces that are marked are asked, a thousand a round trip.
    """
    names = marked(ns, topics, due_sets)
    planned = due = 0
    for start in range(0, len(names), _ASKED_AT_ONCE):
        pipe = ns.client.pipeline(transaction=False)
        for namespace in names[start : start + _ASKED_AT_ONCE]:
            keys = Keys(namespace)
            for topic in topics:
                pipe.zcard(keys.work(topic))
                for bulk in (False, True):
                    pipe.zcount(keys.work(topic), *due_range(now, bulk=bulk))
            for name in due_sets:
                pipe.zcard(keys.due(name))
                pipe.zcount(keys.due(name), "-inf", to_micros(now))
        counts = iter(pipe.execute())
        for _ in names[start : start + _ASKED_AT_ONCE]:
            for _ in topics:
                planned += next(counts)
                due += next(counts) + next(counts)
            for _ in due_sets:
                planned += next(counts)
                due += next(counts)
    return planned, due


def remark(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str], cursor: int, count: int) -> tuple[int, int]:
    """Mark some `count` namespaces by what is stored there; the cursor of the next ones (0 at the end) and how many.

    Mends what was lost with a writer that died between its write and its mark, and what an older version wrote.
    """
    after, found = ns.client.sscan(NAMESPACES, cursor, count=count)
    names = [name.decode() for name in found]
    _remark(ns, names, topics, due_sets)
    return int(after), len(names)


def remark_one(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str]) -> None:
    """Mark the namespace by what is stored there."""
    _remark(ns, [ns.namespace], topics, due_sets)


def _remark(ns: Namespace, names: Sequence[str], topics: Sequence[str], due_sets: Sequence[str]) -> None:
    reads = ns.client.pipeline(transaction=False)
    for namespace in names:
        keys = Keys(namespace)
        for topic in topics:
            for bulk in (False, True):
                low, high = whole_range(bulk=bulk)
                reads.zrange(keys.work(topic), low, high, byscore=True, offset=0, num=1, withscores=True)
        for due_set in due_sets:
            reads.zrange(keys.due(due_set), 0, 0, withscores=True)
    firsts = iter(reads.execute())
    marks = ns.client.pipeline(transaction=False)
    for namespace in names:
        for topic in topics:
            for bulk in (False, True):
                for _, at in next(firsts):
                    marks.zadd(waiting_key(topic, bulk=bulk), {namespace: to_micros(moment(at))}, lt=True)
        for due_set in due_sets:
            for _, at in next(firsts):
                marks.zadd(waiting_key(due_set), {namespace: int(at)}, lt=True)
    marks.execute()
