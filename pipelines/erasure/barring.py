"""Keeping out what was erased, when a task that was sent before arrives after.

Digests of the erased ids are kept, and no id or text: the messages themselves, and the sessions and participants with
the moment of their erasure, after which they may be used again.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b

from reverie.pipelines.base import KnowledgeBase
from reverie.store.commit import Transaction
from reverie.store.keys import Keys
from reverie.store.space import reachable
from reverie.store.times import to_micros


def erased_key(keys: Keys) -> str:
    """Sorted set of the digests of what was erased, by the moment of erasure."""
    return keys.named("erased")


def _digest(kind: str, id: str) -> str:
    return blake2b(f"{kind}:{id}".encode(), digest_size=16).hexdigest()


def bar(transaction: Transaction, kind: str, id: str, now: datetime) -> None:
    """Make a write keep out what is delivered late of a message, session or participant."""
    transaction.run("ZADD", erased_key(transaction.space.keys), to_micros(now), _digest(kind, id))


def barred(
    kb: KnowledgeBase,
    *,
    message: str | None,
    session: str,
    participants: Iterable[str],
    at: datetime | None,
) -> bool:
    """Whether a message that arrives by a task was erased: it itself, or with its session or one of its people.

    A message without a time of its own is a new one, unless its id was erased.
    """
    wanted = [("message", message)] if message is not None else []
    wanted += [("session", session), *(("participant", one) for one in participants)]
    with reachable():
        scores = kb.space.client.zmscore(erased_key(kb.space.keys), [_digest(kind, id) for kind, id in wanted])
    for (kind, _), score in zip(wanted, scores, strict=True):
        if score is not None and (kind == "message" or (at is not None and to_micros(at) <= score)):
            return True
    return False
