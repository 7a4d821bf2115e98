"""Due sets: ids sorted by the moment something is to be done with them, so that a sweep touches only what is due."""

from collections.abc import Sequence
from datetime import datetime

from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.times import from_micros, to_micros


def due(ns: Namespace, name: str, now: datetime, limit: int) -> list[tuple[str, datetime]]:
    """The first `limit` ids that are due at `now`, with the moments they fell due, longest due first."""
    found = ns.client.zrange(
        ns.keys.due(name), "-inf", to_micros(now), byscore=True, offset=0, num=limit, withscores=True
    )
    return [(decode(member), from_micros(score)) for member, score in found]


def when(ns: Namespace, name: str, id: str) -> datetime | None:
    """When an id falls due; None when nothing is planned for it."""
    score = ns.client.zscore(ns.keys.due(name), encode(id))
    return None if score is None else from_micros(score)


def waiting(ns: Namespace, name: str, ids: Sequence[str]) -> list[bool]:
    """For each id whether anything is planned for it; one round trip."""
    if not ids:
        return []
    return [at is not None for at in ns.client.zmscore(ns.keys.due(name), [encode(id) for id in ids])]


def count(ns: Namespace, name: str, now: datetime) -> tuple[int, int]:
    """How many ids are in the set, and how many of them are due."""
    pipe = ns.client.pipeline(transaction=False)
    pipe.zcard(ns.keys.due(name))
    pipe.zcount(ns.keys.due(name), "-inf", to_micros(now))
    total, now_due = pipe.execute()
    return int(total), int(now_due)


def scan(ns: Namespace, name: str, cursor: int, count: int) -> tuple[int, list[tuple[str, datetime]]]:
    """Some `count` ids of the set with their moments, and the cursor of the next ones: 0 to begin with and at the end.

    What stands in the set all the while is seen at least once, whatever happens to its moment. A cursor holds within
    one `process` of the server.
    """
    after, found = ns.client.zscan(ns.keys.due(name), cursor, count=count)
    return int(after), [(decode(member), from_micros(score)) for member, score in found]


def process(ns: Namespace) -> str:
    """Which process of the server it is: another one each time the server starts."""
    return str(ns.client.info("server")["run_id"])
