"""When episodes fall due, when they were last used, and by which settings they were planned."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.store import scripts
from reverie.store.commit import Transaction
from reverie.store.keys import DECAY_RULE, Keys, encode, waiting_key
from reverie.store.namespace import Namespace
from reverie.store.times import from_micros, to_micros

ARCHIVE = "decay"
"""Due set of the moments at which episodes become too weak for recall."""
DELETE = "decay-delete"
"""Due set of the moments at which archived episodes are deleted."""
_USED = "used"
"""Name of the sorted set of the last use of each episode that was used since it was written."""
_RULE = "decay-rule"
"""Name of the key that holds the settings planned by; on the way to them, with how far it came."""
_PAGE = 1000
"""Namespaces asked for at a time; a page of this size takes the server some milliseconds."""


def last_used(ns: Namespace, episodes: Sequence[str]) -> list[datetime | None]:
    """When each episode was last used since it was written; one round trip."""
    if not episodes:
        return []
    scores = ns.client.zmscore(ns.keys.named(_USED), [encode(id) for id in episodes])
    return [None if score is None else from_micros(score) for score in scores]


def note_use(transaction: Transaction, episode: str, now: datetime) -> None:
    """Make a write note that an episode was used."""
    transaction.by_key.run("ZADD", transaction.ns.keys.named(_USED), to_micros(now), encode(episode))


def stop(transaction: Transaction, episode: str) -> None:
    """Make a write take an episode out of decay: nothing is planned for it, and its uses are not kept."""
    transaction.settle(ARCHIVE, episode)
    transaction.settle(DELETE, episode)
    transaction.by_key.run("ZREM", transaction.ns.keys.named(_USED), encode(episode))


def touch(ns: Namespace, falls_due: Mapping[str, datetime], now: datetime) -> int:
    """Note a use of episodes, and put them off to the moments given unless they fall due later; how many there were.

    Episodes for which nothing is planned, because they are pinned, archived or gone, are left alone; one round trip.
    """
    keys = [ns.keys.due(ARCHIVE), ns.keys.named(_USED)]
    words: list[scripts.Word] = [to_micros(now)]
    for id, at in falls_due.items():
        words += [encode(id), to_micros(at)]
    return int(scripts.run(ns.client, "touch_episodes", keys, words))


def rule(ns: Namespace) -> str:
    """The settings by which the namespace's episodes were planned, as `set_rule` was given them; "" for none yet."""
    text: bytes | None = ns.client.get(ns.keys.named(_RULE))
    return "" if text is None else text.decode()


def set_rule(transaction: Transaction, was: str, now: str) -> None:
    """Make a write the one that changes the rule, if it still is what it `was`."""
    key = transaction.ns.keys.named(_RULE)
    transaction.by_key.require_value(key, was)
    transaction.by_key.run("SET", key, now)


def planned_otherwise(ns: Namespace, rule: str) -> list[str]:
    """The namespaces with planned episodes whose rule is another one.

    Once there is none, this is remembered for the rule, and asking again costs one command until another one is asked
    for: whoever plans by the same rule meanwhile leaves nothing to be planned anew.
    """
    if ns.client.get(DECAY_RULE) == rule.encode():
        return []
    found: list[str] = []
    cursor = 0
    while True:
        cursor, page = ns.client.zscan(waiting_key(ARCHIVE), cursor, count=_PAGE)
        found += _otherwise(ns, [name.decode() for name, _ in page], rule)
        if cursor == 0:
            break
    # Where some are about to be planned anew, no earlier rule holds for all any more.
    ns.client.set(DECAY_RULE, "" if found else rule)
    return sorted(set(found))


def _otherwise(ns: Namespace, names: Sequence[str], rule: str) -> list[str]:
    pipe = ns.client.pipeline(transaction=False)
    for name in names:
        pipe.get(Keys(name).named(_RULE))
        pipe.exists(Keys(name).due(ARCHIVE))
    replies = pipe.execute()
    planned = zip(names, replies[::2], replies[1::2], strict=True)
    return [name for name, known, any_planned in planned if any_planned and known != rule.encode()]
