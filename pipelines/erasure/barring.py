"""Keeping out what was erased, when a task that was sent before arrives after.

Digests of the erased ids are kept, with the moment of the erasure, and no id or text. What was written under an id
stays out for good; a session, a participant, a user or a namespace may be used again, by what is newer than that.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Final

from reverie.pipelines.base import KnowledgeBase
from reverie.store.commit import Transaction
from reverie.store.keys import ERASED, Keys
from reverie.store.space import reachable
from reverie.store.times import to_micros

Named = tuple[str, str]
"""Kind and id of what a task would write or write to."""

FOR_GOOD: Final = frozenset({"message", "action", "episode", "goal", "task", "delivery"})
"""Kinds whose ids stay out: records that tasks write, and the deliveries themselves (by the id of the Celery task)."""
_BESIDE: Final = frozenset({"namespace", "delivery"})
"""Kinds that are kept beside the namespace."""


def erased_key(keys: Keys) -> str:
    """Sorted set of the digests of what was erased, by the moment of erasure."""
    return keys.named("erased")


def _digest(kind: str, id: str) -> str:
    return blake2b(f"{kind}:{id}".encode(), digest_size=16).hexdigest()


def bar(transaction: Transaction, kind: str, id: str, now: datetime) -> None:
    """Make a write keep out what is delivered late of anything in the namespace."""
    transaction.run("ZADD", erased_key(transaction.space.keys), to_micros(now), _digest(kind, id))


def bar_beside(kb: KnowledgeBase, named: Sequence[Named], now: datetime) -> None:
    """Keep out namespaces and deliveries; this outlives the namespace."""
    if named:
        with reachable():
            kb.space.client.zadd(ERASED, {_digest(kind, id): to_micros(now) for kind, id in named})


def barred(kb: KnowledgeBase, named: Iterable[Named], at: datetime | None, delivery: str | None = None) -> bool:
    """Whether a task that arrives was sent before an erasure of what it names; `at` is when it was sent, if it says so.

    Of a task that does not say it, only what stays out for good is known. Those that lay in the broker at the time of
    the erasure are of this kind: it notes their deliveries, by the ids of the Celery tasks.
    """
    wanted = [("namespace", kb.namespace), *named, *([("delivery", delivery)] if delivery is not None else [])]
    pipe = kb.space.client.pipeline(transaction=False)
    for kind, id in wanted:
        pipe.zscore(ERASED if kind in _BESIDE else erased_key(kb.space.keys), _digest(kind, id))
    with reachable():
        scores = pipe.execute()
    return any(
        score is not None and (kind in FOR_GOOD or (at is not None and to_micros(at) <= score))
        for (kind, _), score in zip(wanted, scores, strict=True)
    )


def not_barred(kb: KnowledgeBase, participants: Sequence[str], at: datetime | None) -> tuple[str, ...]:
    """Those of these participants who were not erased since `at`."""
    return tuple(one for one in participants if not barred(kb, [("participant", one)], at))
