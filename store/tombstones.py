"""What was erased, so that a task which arrives late does not bring it back. The one place that knows how it is kept.

Digests of kind and id with the moment of the erasure, in sorted sets: one of the namespace, and one beside it for what
outlives a namespace. No id and no text is kept.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Final

from reverie.store.commit import Transaction
from reverie.store.keys import ERASED, Keys
from reverie.store.namespace import Namespace
from reverie.store.times import to_micros

Named = tuple[str, str]
"""Kind and id of what was erased, or of what a task would write or write to."""

_BESIDE: Final = frozenset({"namespace", "delivery"})
"""Kinds that are kept beside the namespace."""


def _key(keys: Keys) -> str:
    return keys.named("erased")


def _digest(kind: str, id: str) -> str:
    return blake2b(f"{kind}:{id}".encode(), digest_size=16).hexdigest()


def bar(transaction: Transaction, kind: str, id: str, now: datetime) -> None:
    """Make a write note that something in the namespace is erased from `now` on."""
    transaction.by_key.run("ZADD", _key(transaction.ns.keys), to_micros(now), _digest(kind, id))


def bar_beside(ns: Namespace, named: Sequence[Named], now: datetime) -> None:
    """Note that namespaces and deliveries are erased from `now` on; this outlives the namespace."""
    if named:
        ns.client.zadd(ERASED, {_digest(kind, id): to_micros(now) for kind, id in named})


def moments(ns: Namespace, named: Sequence[Named]) -> list[float | None]:
    """When each of these was erased, in microseconds since 1970, None for one that was not; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for kind, id in named:
        pipe.zscore(ERASED if kind in _BESIDE else _key(ns.keys), _digest(kind, id))
    found: list[float | None] = pipe.execute()
    return found


def count_erasure(transaction: Transaction) -> None:
    """Make a write count as an erasure: running tasks that watch the namespace (`Namespace.watched`) write no more."""
    transaction.by_key.run("INCR", transaction.ns.keys.erasures)
