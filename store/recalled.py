"""What an agent was told by its own memory lately, so that its echo is not taken for news. Ids alone, no text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.times import to_micros

KEPT = 512
"""Items remembered per agent; the oldest go first."""
_LIFETIME = timedelta(days=7)


@dataclass(frozen=True)
class Recalled:
    """An item as it can be found now."""

    kind: str
    id: str
    text: str


def _key(keys: Keys, agent: str) -> str:
    return keys.named(f"recalled:{encode(agent)}")


def note(ns: Namespace, agent: str, items: Sequence[tuple[str, str, int]], at: datetime) -> None:
    """Remember that these rows (kind, id, part) were recalled; one round trip."""
    if not items:
        return
    key = _key(ns.keys, agent)
    pipe = ns.client.pipeline(transaction=False)
    pipe.zadd(key, {_member(*item): to_micros(at) for item in items})
    pipe.zremrangebyrank(key, 0, -KEPT - 1)
    pipe.expire(key, _LIFETIME)
    pipe.execute()


def between(ns: Namespace, agent: str, since: datetime, until: datetime) -> list[Recalled]:
    """What was recalled in a stretch of time and is still there; two round trips, one when it is nothing."""
    members = ns.client.zrange(_key(ns.keys, agent), to_micros(since), to_micros(until), byscore=True)
    named = [_named(member.decode()) for member in members]
    pipe = ns.client.pipeline(transaction=False)
    for item in named:
        pipe.hget(ns.keys.row(*item), "text")
    texts = pipe.execute() if named else []
    return [Recalled(kind, id, text.decode()) for (kind, id, _), text in zip(named, texts, strict=True) if text]


def forget(transaction: Transaction, agent: str) -> None:
    """Make a write forget everything that an agent recalled."""
    transaction.by_key.run("DEL", _key(transaction.ns.keys, agent))


def _member(kind: str, id: str, part: int) -> str:
    return f"{kind}:{encode(id)}.{part}" if part else f"{kind}:{encode(id)}"


def _named(member: str) -> tuple[str, str, int]:
    kind, _, rest = member.partition(":")
    id, _, part = rest.partition(".")
    return kind, decode(id), int(part or 0)
