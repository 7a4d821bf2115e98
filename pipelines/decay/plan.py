"""When an episode falls due: set when it is written and whenever recall uses it."""

from collections.abc import Mapping
from datetime import datetime

from reverie.config.settings import Settings
from reverie.knowledge.decay import decays_at
from reverie.pipelines.context import Context
from reverie.store import decay
from reverie.store.commit import Transaction
from reverie.store.records.activity import EpisodeRecord


def plan(transaction: Transaction, settings: Settings, id: str, importance: float, anchor: datetime) -> None:
    """Make the write of an episode say when it falls due; its age counts from `anchor`."""
    transaction.schedule(decay.ARCHIVE, id, decays_at(settings, importance, anchor))


def anchor_of(record: EpisodeRecord, used: datetime | None) -> datetime:
    """The moment from which an episode's age counts: when it was, or its last use."""
    return record.at if used is None else max(record.at, used)


def start_anew(transaction: Transaction, settings: Settings, id: str, importance: float, now: datetime) -> None:
    """Make a change to an episode count as its use: its age counts from now."""
    decay.note_use(transaction, id, now)
    plan(transaction, settings, id, importance, now)


def touch(ctx: Context, used: Mapping[str, float]) -> int:
    """Count the age of episodes anew because they were used: id to importance; how many were refreshed.

    One round trip for all. Episodes that are pinned, archived or gone are left alone. Raises StoreUnavailable.
    """
    if not used:
        return 0
    now = ctx.clock()
    falls_due = {id: decays_at(ctx.settings, importance, now) for id, importance in used.items()}
    return decay.touch(ctx.ns, falls_due, now)
