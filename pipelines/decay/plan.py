"""When an episode falls due: set when it is written and whenever recall uses it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.config.settings import Settings
from reverie.knowledge.decay import decays_at
from reverie.pipelines.base import KnowledgeBase
from reverie.store.commit import Transaction
from reverie.store.keys import encode
from reverie.store.records.doing import EpisodeRecord
from reverie.store.space import reachable
from reverie.store.times import from_micros, to_micros

ARCHIVE = "decay"
"""Due set of the moments at which episodes become too weak for recall."""
DELETE = "decay-delete"
"""Due set of the moments at which archived episodes are deleted."""
USED = "used"
"""Sorted set of the last use of each episode that was used since it was written."""

_TOUCH = """
local touched = 0
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    redis.call('ZADD', KEYS[1], 'GT', ARGV[i + 1], ARGV[i])
    redis.call('ZADD', KEYS[2], 'GT', ARGV[1], ARGV[i])
    touched = touched + 1
  end
end
return touched
"""


def plan(transaction: Transaction, settings: Settings, id: str, importance: float, anchor: datetime) -> None:
    """Make the write of an episode say when it falls due; its age counts from `anchor`."""
    transaction.schedule(ARCHIVE, id, decays_at(settings, importance, anchor))


def last_used(kb: KnowledgeBase, ids: Sequence[str]) -> list[datetime | None]:
    """When each episode was last used since it was written; one round trip."""
    if not ids:
        return []
    with reachable():
        scores = kb.space.client.zmscore(kb.space.keys.named(USED), [encode(id) for id in ids])
    return [None if score is None else from_micros(score) for score in scores]


def anchor_of(record: EpisodeRecord, used: datetime | None) -> datetime:
    """The moment from which an episode's age counts: when it was, or its last use."""
    return record.at if used is None else max(record.at, used)


def start_anew(transaction: Transaction, settings: Settings, id: str, importance: float, now: datetime) -> None:
    """Make a change to an episode count as its use: its age counts from now."""
    transaction.run("ZADD", transaction.space.keys.named(USED), to_micros(now), encode(id))
    plan(transaction, settings, id, importance, now)


def stop(transaction: Transaction, id: str) -> None:
    """Take an episode out of decay: nothing is planned for it, and its uses are not kept."""
    transaction.settle(ARCHIVE, id)
    transaction.settle(DELETE, id)
    transaction.run("ZREM", transaction.space.keys.named(USED), encode(id))


def touch(kb: KnowledgeBase, used: Mapping[str, float]) -> int:
    """Count the age of episodes anew because they were used: id to importance; how many were refreshed.

    One round trip for all. Episodes that are pinned, archived or gone are left alone. Raises StoreUnavailable.
    """
    if not used:
        return 0
    now = kb.clock()
    words: list[str | int] = [to_micros(now)]
    for id, importance in used.items():
        words += [encode(id), to_micros(decays_at(kb.settings, importance, now))]
    keys = kb.space.keys
    script = kb.space.client.register_script(_TOUCH)
    with reachable():
        return int(script(keys=[keys.due(ARCHIVE), keys.named(USED)], args=words))
