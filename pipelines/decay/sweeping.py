"""What happens to episodes that fall due: out of recall first, out of the store after a grace period."""

from datetime import datetime

from reverie.knowledge.decay import decays_at, grace_ends
from reverie.pipelines.context import Context
from reverie.pipelines.decay.plan import anchor_of, plan
from reverie.pipelines.sweeps import Budget, Slice, Swept, commit_paced, sweep
from reverie.store import removal
from reverie.store.commit import Transaction
from reverie.store.decay import ARCHIVE, DELETE, last_used, stop
from reverie.store.records.activity import EpisodeRecord

_SLICE = 32
"""Episodes that are read at once: few enough that a tool call does not wait long behind it."""


def archive_due(ctx: Context, budget: Budget) -> Swept:
    """Archive the episodes that have become too weak. Raises StoreUnavailable; what was settled stays settled."""
    return sweep(ctx, ARCHIVE, lambda found: _archive(ctx, found), budget, slice_items=_SLICE)


def delete_due(ctx: Context, budget: Budget) -> Swept:
    """Delete the episodes whose grace period is over. Raises StoreUnavailable."""
    return sweep(ctx, DELETE, lambda found: _delete(ctx, found), budget, slice_items=_SLICE)


def _archive(ctx: Context, found: Slice) -> int:
    ids = [id for id, _ in found]
    records = ctx.ns.get_many(EpisodeRecord, ids)
    uses = last_used(ctx.ns, ids)
    now = ctx.clock()
    transactions = []
    for (id, seen), record, used in zip(found, records, uses, strict=True):
        transaction = ctx.ns.transaction()
        transaction.require_due(ARCHIVE, id, seen)
        if record is None:
            transaction.require_absent("episode", id)
            stop(transaction, id)
        else:
            transaction.require_unchanged(record.kind, record.id, record.revision)
            _settle(ctx, transaction, record, used, now)
        transactions.append(transaction)
    return commit_paced(ctx, transactions)


def _settle(
    ctx: Context, transaction: Transaction, record: EpisodeRecord, used: datetime | None, now: datetime
) -> None:
    anchor = anchor_of(record, used)
    if record.pinned:
        stop(transaction, record.id)
    elif decays_at(ctx.settings, record.importance, anchor) > now:
        # The half-life was lengthened since the moment was set, and `replan` has not come to it yet.
        plan(transaction, ctx.settings, record.id, record.importance, anchor)
    else:
        stop(transaction, record.id)
        transaction.put(record.revised({"archived_at": now}))
        transaction.drop_row("episode", record.id)
        transaction.schedule(DELETE, record.id, grace_ends(ctx.settings, now))


def _delete(ctx: Context, found: Slice) -> int:
    records = ctx.ns.get_many(EpisodeRecord, [id for id, _ in found])
    now = ctx.clock()
    links = iter(removal.links_of(ctx.ns, [record for record in records if record is not None]))
    transactions = []
    for (id, seen), record in zip(found, records, strict=True):
        transaction = ctx.ns.transaction()
        transaction.require_due(DELETE, id, seen)
        if record is None:
            stop(transaction, id)
            transaction.require_absent("episode", id)
        else:
            _remove(ctx, transaction, record, next(links), now)
        transactions.append(transaction)
    return commit_paced(ctx, transactions)


def _remove(ctx: Context, transaction: Transaction, record: EpisodeRecord, links: removal.Links, now: datetime) -> None:
    if record.archived_at is not None and (ends := grace_ends(ctx.settings, record.archived_at)) > now:
        # The grace period was lengthened since: what is still there is kept for as long.
        transaction.require_unchanged(record.kind, record.id, record.revision)
        transaction.schedule(DELETE, record.id, ends)
    else:
        stop(transaction, record.id)
        removal.remove(transaction, record, links)
