"""Figures over all namespaces of a store, asked for page by page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from reverie.store.keys import Keys
from reverie.store.lanes import due_range, moment
from reverie.store.namespace import Namespace

_PAGE: Final = 500
"""Namespaces asked in one round trip, so that no reply grows with their number."""


@dataclass
class TopicTotal:
    """Work of one topic. `oldest` is when the longest waiting piece became due; None when nothing is due."""

    waiting: int = 0
    due: int = 0
    oldest: datetime | None = None


@dataclass
class Totals:
    """What all namespaces hold together."""

    namespaces: int = 0
    dead_letters: int = 0
    fallbacks: int = 0
    topics: dict[str, TopicTotal] = field(default_factory=dict)
    usage: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What language models took, by purpose and by what is counted."""


def totals(ns: Namespace, topics: Sequence[str], now: datetime) -> Totals:
    """Add up the figures of all namespaces; `ns` is any of the store's."""
    names = ns.namespaces()
    found = Totals(namespaces=len(names), topics={topic: TopicTotal() for topic in topics})
    for first in range(0, len(names), _PAGE):
        page = names[first : first + _PAGE]
        pipe = ns.client.pipeline(transaction=False)
        for name in page:
            keys = Keys(name)
            pipe.hlen(keys.dead)
            pipe.zcard(keys.named("fallbacks"))
            pipe.hgetall(keys.named("usage"))
            for topic in topics:
                pipe.zcard(keys.work(topic))
                for bulk in (False, True):
                    low, high = due_range(now, bulk=bulk)
                    pipe.zcount(keys.work(topic), low, high)
                    pipe.zrange(keys.work(topic), low, high, byscore=True, offset=0, num=1, withscores=True)
        replies = iter(pipe.execute())
        for _ in page:
            found.dead_letters += next(replies)
            found.fallbacks += next(replies)
            for name, number in next(replies).items():
                purpose, _, counted = name.decode().rpartition(":")
                found.usage[purpose, counted] += int(number)
            for topic in topics:
                total = found.topics[topic]
                total.waiting += next(replies)
                for _ in (False, True):
                    total.due += next(replies)
                    for _, at in next(replies):
                        total.oldest = min(moment(at), total.oldest or moment(at))
    return found
