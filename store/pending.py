"""Observations that wait for consolidation: per agent a sorted set of their ids, by the moment they were recorded."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.times import from_micros, to_micros


def _key(keys: Keys, agent: str) -> str:
    return keys.named(f"pending:{encode(agent)}")


def add(transaction: Transaction, observation: ObservationRecord) -> None:
    """Make a write let an observation wait for its agent; one that waits already keeps its place."""
    key = _key(transaction.ns.keys, observation.agent)
    transaction.by_key.run("ZADD", key, "NX", to_micros(observation.recorded_at), encode(observation.id))


def count_in(transaction: Transaction, agent: str) -> int:
    """Make a write count the observations of an agent that wait; the index of the reply."""
    return transaction.by_key.run("ZCARD", _key(transaction.ns.keys, agent))


def remove(transaction: Transaction, agent: str, observations: Iterable[str]) -> None:
    """Make a write take observations from those that wait."""
    for id in observations:
        transaction.by_key.run("ZREM", _key(transaction.ns.keys, agent), encode(id))


def require(transaction: Transaction, agent: str, observation: str) -> None:
    """Refuse a write unless an observation still waits."""
    transaction.by_key.require_member(_key(transaction.ns.keys, agent), encode(observation))


def require_none(transaction: Transaction, agent: str) -> None:
    """Refuse a write while any observation of an agent waits."""
    transaction.by_key.require_unset(_key(transaction.ns.keys, agent))


def counts(ns: Namespace, agents: Sequence[str]) -> list[int]:
    """How many observations of each agent wait; one round trip."""
    if not agents:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for agent in agents:
        pipe.zcard(_key(ns.keys, agent))
    return [int(count) for count in pipe.execute()]


def oldest(ns: Namespace, agent: str, limit: int) -> list[str]:
    """Ids of the observations that wait longest."""
    members = ns.client.zrange(_key(ns.keys, agent), 0, limit - 1)
    return [decode(member) for member in members]


def first_at(ns: Namespace, agent: str) -> datetime | None:
    """When the observation that waits longest was recorded; None when none waits."""
    first = ns.client.zrange(_key(ns.keys, agent), 0, 0, withscores=True)
    return from_micros(first[0][1]) if first else None


def still(ns: Namespace, agent: str, observations: Sequence[str]) -> list[str]:
    """Those of these observations that wait, in the order given."""
    if not observations:
        return []
    scores = ns.client.zmscore(_key(ns.keys, agent), [encode(id) for id in observations])
    return [id for id, score in zip(observations, scores, strict=True) if score is not None]


def any_of(ns: Namespace, agent: str, observations: Sequence[str]) -> bool:
    """Whether any of these observations waits."""
    return bool(still(ns, agent, observations))
