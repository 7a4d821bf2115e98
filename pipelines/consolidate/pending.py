"""Observations that wait for consolidation, per agent, and when the agent's next cycle is due.

An observation is queued in the transaction that stores it. The agent itself is the durable work: due a while after
the first of its observations, or at once when there are enough of them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.pipelines.base import KnowledgeBase
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode, encode
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.space import reachable
from reverie.store.times import from_micros, to_micros

TOPIC = "consolidate"


def pending_key(keys: Keys, agent: str) -> str:
    """Sorted set of an agent's observations that no cycle has used yet, by the moment they were recorded."""
    return keys.named(f"pending:{encode(agent)}")


def queue(kb: KnowledgeBase, transaction: Transaction, observation: ObservationRecord) -> None:
    """Make an observation wait for its agent's next cycle, in the transaction that stores it."""
    at = observation.recorded_at
    transaction.run("ZADD", pending_key(kb.space.keys, observation.agent), "NX", to_micros(at), encode(observation.id))
    transaction.queue(TOPIC, encode(observation.agent), at + kb.settings.consolidate_after)


def requeue(transaction: Transaction, observations: Iterable[ObservationRecord], now: datetime) -> None:
    """Make observations wait again that were used before; their agents' next cycles are due now."""
    for one in observations:
        key = pending_key(transaction.space.keys, one.agent)
        transaction.run("ZADD", key, "NX", to_micros(one.recorded_at), encode(one.id))
        transaction.queue(TOPIC, encode(one.agent), now)


def count_in(kb: KnowledgeBase, transaction: Transaction, agent: str) -> int:
    """Count an agent's waiting observations as part of a transaction; place of the reply."""
    return transaction.run("ZCARD", pending_key(kb.space.keys, agent))


def is_enough(kb: KnowledgeBase, count: int) -> bool:
    """Whether this many have just become a cycle's worth, or another one."""
    return count > 0 and count % kb.settings.consolidate_threshold == 0


def hasten(kb: KnowledgeBase, agents: Iterable[str], *, at_least: int | None = None) -> list[str]:
    """Make the cycle of each agent with so many waiting observations (default: the setting) due now; who that is."""
    wanted = sorted(set(agents))
    enough = kb.settings.consolidate_threshold if at_least is None else at_least
    ready = [agent for agent, count in zip(wanted, waiting(kb, wanted), strict=True) if count >= enough]
    if ready:
        work.hasten(kb.space, TOPIC, [encode(agent) for agent in ready], kb.clock())
        kb.wake(TOPIC, kb.namespace)
    return ready


def waiting(kb: KnowledgeBase, agents: Sequence[str]) -> list[int]:
    """How many observations of each agent wait."""
    if not agents:
        return []
    pipe = kb.space.client.pipeline(transaction=False)
    for agent in agents:
        pipe.zcard(pending_key(kb.space.keys, agent))
    with reachable():
        return [int(count) for count in pipe.execute()]


def oldest(kb: KnowledgeBase, agent: str, limit: int) -> list[str]:
    """Ids of the observations that wait longest."""
    with reachable():
        members = kb.space.client.zrange(pending_key(kb.space.keys, agent), 0, limit - 1)
    return [decode(member) for member in members]


def still_waiting(kb: KnowledgeBase, agent: str, observations: Sequence[str]) -> bool:
    """Whether any of these observations waits."""
    if not observations:
        return False
    with reachable():
        scores = kb.space.client.zmscore(pending_key(kb.space.keys, agent), [encode(id) for id in observations])
    return any(score is not None for score in scores)


def used(transaction: Transaction, agent: str, observations: Iterable[str]) -> None:
    """Take observations from those that wait, in the transaction that ends their use."""
    key = pending_key(transaction.space.keys, agent)
    for id in observations:
        transaction.run("ZREM", key, encode(id))


def settle(kb: KnowledgeBase, agent: str) -> bool:
    """End the agent's work when nothing waits any more, else say when its next cycle is due; True when it ended."""
    key = pending_key(kb.space.keys, agent)
    transaction = kb.space.transaction()
    transaction.require("unset", key)
    work.finish(transaction, TOPIC, encode(agent))
    if transaction.commit().committed:
        return True
    with reachable():
        first = kb.space.client.zrange(key, 0, 0, withscores=True)
        if first:
            enough = waiting(kb, [agent])[0] >= kb.settings.consolidate_threshold
            due = kb.clock() if enough else from_micros(first[0][1]) + kb.settings.consolidate_after
            again(kb, agent, due)
    return not first


def again(kb: KnowledgeBase, agent: str, due: datetime) -> None:
    """Set when the agent's next cycle is due."""
    work.postpone(kb.space, TOPIC, encode(agent), due)
