"""Reading what there is of a kind page by page, in an order that never changes.

A page begins after a place, a moment with an id, and not after a number of items: what is written or removed between
two pages moves nothing, so that a walk over all pages meets everything that is there from its beginning to its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.store import scripts
from reverie.store.facts import EVERY, OF
from reverie.store.keys import decode, encode, id_of
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record
from reverie.store.schema import LISTED
from reverie.store.scripts import Word
from reverie.store.times import FOREVER, from_micros, to_micros


@dataclass(frozen=True)
class Place:
    """A place in an order: a moment in microseconds since 1970, and the member that stands there."""

    at: int
    member: str

    @property
    def id(self) -> str:
        """Id of the record that stands there."""
        return decode(id_of(self.member.encode()))


@dataclass(frozen=True)
class Order:
    """One order of records, from `since` on and before `until`, the oldest or the newest first."""

    key: str
    since: datetime | None = None
    until: datetime | None = None
    newest_first: bool = False

    @property
    def low(self) -> int:
        """The first moment in it, in microseconds."""
        return -FOREVER if self.since is None else to_micros(self.since)

    @property
    def high(self) -> int:
        """The last moment in it, in microseconds."""
        return FOREVER if self.until is None else to_micros(self.until) - 1


def every(ns: Namespace, kind: str) -> str:
    """The order of all records of a kind that is listed, or of all facts."""
    return ns.keys.linked(OF, kind, *EVERY) if kind == EVERY[1] else ns.keys.every(kind)


def linked(ns: Namespace, edge: str, source_kind: str, target: tuple[str, str]) -> str:
    """The order of the records of a kind that point to a node by one edge."""
    return ns.keys.linked(edge, source_kind, *target)


def page(ns: Namespace, order: Order, count: int, after: Place | None = None) -> list[Place]:
    """The next `count` places after one, or the first; fewer at the end."""
    low, high = order.low, order.high
    if after is None:
        return _read(ns, order, low, high, 0, count)
    rank = _rank(ns, order, after)
    if rank is not None:
        # Read by its rank, however many others share its moment.
        found = ns.client.zrange(order.key, rank + 1, rank + count, desc=order.newest_first, withscores=True)
        return [place for place in _places(found) if low <= place.at <= high]
    low, high = (low, min(high, after.at)) if order.newest_first else (max(low, after.at), high)
    found_places: list[Place] = []
    offset = 0
    while len(found_places) < count and (more := _read(ns, order, low, high, offset, count)):
        offset += len(more)
        found_places += [place for place in more if _is_after(place, after, newest_first=order.newest_first)]
    return found_places[:count]


def _rank(ns: Namespace, order: Order, place: Place) -> int | None:
    """The rank of a place in its order; None when what stood there is gone or stands elsewhere by now."""
    pipe = ns.client.pipeline(transaction=False)
    pipe.zscore(order.key, place.member)
    (pipe.zrevrank if order.newest_first else pipe.zrank)(order.key, place.member)
    at, rank = pipe.execute()
    return None if at is None or int(at) != place.at else int(rank)


def _read(ns: Namespace, order: Order, low: int, high: int, offset: int, count: int) -> list[Place]:
    bounds = (high, low) if order.newest_first else (low, high)
    found = ns.client.zrange(
        order.key,
        *bounds,
        byscore=True,
        desc=order.newest_first,
        offset=offset,
        num=count,
        withscores=True,
    )
    return _places(found)


def _places(found: Sequence[tuple[bytes, float]]) -> list[Place]:
    return [Place(int(at), member.decode()) for member, at in found]


def _is_after(place: Place, other: Place, *, newest_first: bool) -> bool:
    mine, its = (place.at, place.member), (other.at, other.member)
    return mine < its if newest_first else mine > its


def count(ns: Namespace, order: Order) -> int:
    """How many records stand in an order."""
    return int(ns.client.zcount(order.key, order.low, order.high))


def counts(ns: Namespace) -> dict[str, int]:
    """How many records there are of each listed kind, and how many facts."""
    kinds = sorted({*LISTED, EVERY[1]})
    pipe = ns.client.pipeline(transaction=False)
    for kind in kinds:
        pipe.zcard(every(ns, kind))
    return dict(zip(kinds, pipe.execute(), strict=True))


def members(ns: Namespace, key: str, ids: Sequence[str]) -> list[bool]:
    """For each id whether it stands in an order; one round trip."""
    if not ids:
        return []
    return [at is not None for at in ns.client.zmscore(key, [encode(id) for id in ids])]


def previous(ns: Namespace, places: Sequence[tuple[str, str]]) -> list[str | None]:
    """For each (order, member) the id of what stands right before it, None for the first; two round trips for all."""
    if not places:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for key, member in places:
        pipe.zrank(key, member)
    ranks = pipe.execute()
    for (key, _), rank in zip(places, ranks, strict=True):
        pipe.zrange(key, *((rank - 1, rank - 1) if rank else (1, 0)))
    return [decode(id_of(found[0])) if found else None for found in pipe.execute()]


def ends(ns: Namespace, orders: Sequence[str]) -> list[tuple[int, datetime | None, datetime | None]]:
    """Of each order how many stand in it, and the moments of the first and the last; one round trip for all."""
    if not orders:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for key in orders:
        pipe.zcard(key)
        pipe.zrange(key, 0, 0, withscores=True)
        pipe.zrange(key, -1, -1, withscores=True)
    replies = pipe.execute()
    return [
        (int(size), from_micros(first[0][1]) if first else None, from_micros(last[0][1]) if last else None)
        for size, first, last in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
    ]


def list_records(ns: Namespace, model: type[Record], ids: Sequence[str]) -> None:
    """Put the records of a listed kind that are there into the order of their kind; one that is in it stays."""
    found = [record for record in ns.get_many(model, ids) if record is not None]
    keys = [ns.keys.every(model.kind), *(ns.keys.record(model.kind, record.id) for record in found)]
    words: list[Word] = [word for record in found for word in (to_micros(record.moment), encode(record.id))]
    if found:
        scripts.run(ns.client, "list_records", keys, words)
