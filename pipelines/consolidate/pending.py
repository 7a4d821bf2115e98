"""Observations that wait for consolidation, per agent, and when the agent's next cycle is due.

An observation is queued in the transaction that stores it. The agent itself is the durable work: due a while after
the first of its observations, or at once when there are enough of them.
"""

from collections.abc import Iterable
from datetime import datetime

from reverie.pipelines.context import Context
from reverie.store import pending as stored
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.keys import encode
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import ObservationRecord

TOPIC = "consolidate"


def queue(ctx: Context, transaction: Transaction, observation: ObservationRecord) -> None:
    """Make an observation wait for its agent's next cycle, in the transaction that stores it."""
    stored.add(transaction, observation)
    transaction.queue(TOPIC, encode(observation.agent), observation.recorded_at + ctx.settings.consolidate_after)


def requeue(transaction: Transaction, observations: Iterable[ObservationRecord], now: datetime) -> None:
    """Make observations wait again that were used before; their agents' next cycles are due now."""
    for one in observations:
        stored.add(transaction, one)
        transaction.queue(TOPIC, encode(one.agent), now)


def is_enough(ctx: Context, count: int) -> bool:
    """Whether this many have just become a cycle's worth, or another one."""
    return count > 0 and count % ctx.settings.consolidate_threshold == 0


def hasten(ctx: Context, agents: Iterable[str], *, at_least: int | None = None) -> list[str]:
    """Make the cycle of each agent with so many waiting observations (default: the setting) due now; who that is."""
    wanted = sorted(set(agents))
    enough = ctx.settings.consolidate_threshold if at_least is None else at_least
    ready = [agent for agent, count in zip(wanted, stored.counts(ctx.ns, wanted), strict=True) if count >= enough]
    if ready:
        work.hasten(ctx.ns, TOPIC, [encode(agent) for agent in ready], ctx.clock())
        ctx.wake(TOPIC, ctx.namespace)
    return ready


def settle(ctx: Context, agent: str) -> bool:
    """End the agent's work when nothing waits any more, else say when its next cycle is due; True when it ended."""
    transaction = ctx.ns.transaction()
    stored.require_none(transaction, agent)
    work.finish(transaction, TOPIC, encode(agent))
    if transaction.commit().committed:
        return True
    first = stored.first_at(ctx.ns, agent)
    if first is not None:
        enough = stored.counts(ctx.ns, [agent])[0] >= ctx.settings.consolidate_threshold
        again(ctx.ns, agent, ctx.clock() if enough else first + ctx.settings.consolidate_after)
    return first is None


def again(ns: Namespace, agent: str, due: datetime) -> None:
    """Set when the agent's next cycle is due."""
    work.postpone(ns, TOPIC, encode(agent), due)
