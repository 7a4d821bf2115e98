"""What happens to episodes that fall due: out of recall first, out of the store after a grace period."""

from datetime import datetime

from reverie.knowledge.decay import decays_at, grace_ends
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.decay.plan import anchor_of, plan
from reverie.pipelines.sweeps import Budget, Slice, Swept, commit_paced, sweep
from reverie.store import removal
from reverie.store.commit import Transaction
from reverie.store.decay import ARCHIVE, DELETE, last_used, stop
from reverie.store.records.doing import EpisodeRecord

_SLICE = 32
"""Episodes that are read at once: few enough that a tool call does not wait long behind it."""


def archive_due(kb: KnowledgeBase, budget: Budget) -> Swept:
    """Archive the episodes that have become too weak. Raises StoreUnavailable; what was settled stays settled."""
    return sweep(kb, ARCHIVE, lambda found: _archive(kb, found), budget, slice_items=_SLICE)


def delete_due(kb: KnowledgeBase, budget: Budget) -> Swept:
    """Delete the episodes whose grace period is over. Raises StoreUnavailable."""
    return sweep(kb, DELETE, lambda found: _delete(kb, found), budget, slice_items=_SLICE)


def _archive(kb: KnowledgeBase, found: Slice) -> int:
    ids = [id for id, _ in found]
    records = kb.space.get_many(EpisodeRecord, ids)
    uses = last_used(kb.space, ids)
    now = kb.clock()
    transactions = []
    for (id, seen), record, used in zip(found, records, uses, strict=True):
        transaction = kb.space.transaction()
        transaction.require_due(ARCHIVE, id, seen)
        if record is None:
            transaction.require_absent("episode", id)
            stop(transaction, id)
        else:
            transaction.require_unchanged(record.kind, record.id, record.revision)
            _settle(kb, transaction, record, used, now)
        transactions.append(transaction)
    return commit_paced(kb, transactions)


def _settle(
    kb: KnowledgeBase, transaction: Transaction, record: EpisodeRecord, used: datetime | None, now: datetime
) -> None:
    anchor = anchor_of(record, used)
    if record.pinned:
        stop(transaction, record.id)
    elif decays_at(kb.settings, record.importance, anchor) > now:
        # The half-life was lengthened since the moment was set, and `replan` has not come to it yet.
        plan(transaction, kb.settings, record.id, record.importance, anchor)
    else:
        stop(transaction, record.id)
        transaction.put(record.revised({"archived_at": now}))
        transaction.drop_row("episode", record.id)
        transaction.schedule(DELETE, record.id, grace_ends(kb.settings, now))


def _delete(kb: KnowledgeBase, found: Slice) -> int:
    records = kb.space.get_many(EpisodeRecord, [id for id, _ in found])
    now = kb.clock()
    links = iter(removal.links_of(kb.space, [record for record in records if record is not None]))
    transactions = []
    for (id, seen), record in zip(found, records, strict=True):
        transaction = kb.space.transaction()
        transaction.require_due(DELETE, id, seen)
        if record is None:
            stop(transaction, id)
            transaction.require_absent("episode", id)
        else:
            _remove(kb, transaction, record, next(links), now)
        transactions.append(transaction)
    return commit_paced(kb, transactions)


def _remove(
    kb: KnowledgeBase, transaction: Transaction, record: EpisodeRecord, links: removal.Links, now: datetime
) -> None:
    if record.archived_at is not None and (ends := grace_ends(kb.settings, record.archived_at)) > now:
        # The grace period was lengthened since: what is still there is kept for as long.
        transaction.require_unchanged(record.kind, record.id, record.revision)
        transaction.schedule(DELETE, record.id, ends)
    else:
        stop(transaction, record.id)
        removal.remove(transaction, record, links)
