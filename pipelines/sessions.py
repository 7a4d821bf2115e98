"""The life of a session: open while messages come, closed when idle, open again with a late message.

A session is open while it stands in the due set `IDLE`: every message puts it there, closing takes it out. So nothing
has to be undone when a late message comes, and a message that comes while its session is being closed wins.
"""

from datetime import datetime

from reverie.pipelines import summaries
from reverie.pipelines.context import Context
from reverie.pipelines.sweeps import Budget, Slice, Swept, sweep
from reverie.store import due
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import SessionRecord

IDLE = "session-idle"
"""Due set of the moments at which open sessions become idle."""
_SLICE = 64


def close(ctx: Context, session: str) -> bool:
    """Close a session now and have it summarised; False when it is unknown or closed already."""
    record = ctx.ns.get(SessionRecord, session)
    at = due.when(ctx.ns, IDLE, session)
    if record is None or at is None:
        return False
    closed = _closing(ctx.ns, record, at, ctx.clock()).commit().committed
    if closed:
        ctx.wake(summaries.TOPIC, ctx.namespace)
    return closed


def closed_at(ns: Namespace, session: str) -> datetime | None:
    """When a session was closed; None while it is open and for one that nobody wrote to."""
    if due.when(ns, IDLE, session) is not None:
        return None
    record = ns.get(SessionRecord, session)
    return None if record is None else record.closed_at


def close_idle(ctx: Context, budget: Budget) -> Swept:
    """Close the sessions that are idle, within the budget."""

    def settle(found: Slice) -> int:
        now = ctx.clock()
        records = ctx.ns.get_many(SessionRecord, [id for id, _ in found])
        transactions = []
        for (id, at), record in zip(found, records, strict=True):
            transactions.append(_forgetting(ctx.ns, id) if record is None else _closing(ctx.ns, record, at, now))
        return sum(result.committed for result in ctx.ns.commit(transactions))

    swept = sweep(ctx, IDLE, settle, budget, slice_items=_SLICE)
    if swept.done:
        ctx.wake(summaries.TOPIC, ctx.namespace)
    return swept


def _closing(ns: Namespace, record: SessionRecord, idle_at: datetime, now: datetime) -> Transaction:
    """One closing: it happens once, and not at all when a message came since `idle_at` was read."""
    transaction = ns.transaction()
    transaction.require_due(IDLE, record.id, idle_at)
    transaction.require_unchanged(record.kind, record.id, record.revision)
    transaction.settle(IDLE, record.id)
    transaction.put(record.revised({"closed_at": now}))
    transaction.queue(summaries.TOPIC, summaries.entry(record.id, now), now)
    return transaction


def _forgetting(ns: Namespace, id: str) -> Transaction:
    transaction = ns.transaction()
    transaction.require_absent("session", id)
    transaction.settle(IDLE, id)
    return transaction
