"""A session's messages in order of time, then of arrival.

The order is the incoming IN_SESSION edge itself: who follows whom, and after which gap, is read from it and stored
nowhere else, so that a late message finds its place and concurrent ones cannot tear a chain.
"""

from collections.abc import Sequence
from datetime import datetime

from reverie.store import scripts
from reverie.store.keys import decode, id_of, member_of
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord
from reverie.store.times import from_micros, to_micros
from reverie.store.unreadable import readable


def order_key(ns: Namespace, session: str) -> str:
    """The sorted set that is the order of a session's messages."""
    return ns.keys.messages_of(session)


def before(
    ns: Namespace, session: str, at: datetime, message_id: str, count: int
) -> tuple[MessageRecord | None, list[MessageRecord]]:
    """The message of this id if it exists, and up to `count` messages before `at`, oldest first; one round trip.

    Messages of the very same moment count as before: they arrived earlier.
    """
    existing, documents = scripts.run(
        ns.client,
        "read_preceding",
        [order_key(ns, session), ns.keys.record("message", message_id)],
        [to_micros(at) + 1, count, f"{ns.keys.base}message:"],
    )
    stored = [document for document in reversed(documents) if document]
    found = readable(ns, MessageRecord.kind, stored, MessageRecord.read)
    return (MessageRecord.read(existing) if existing else None), found


def preceding(ns: Namespace, messages: Sequence[MessageRecord], count: int) -> list[list[MessageRecord]]:
    """For each message up to `count` messages of its session before it, oldest first; two round trips for all."""
    pipe = ns.client.pipeline(transaction=False)
    for message in messages:
        pipe.zrevrank(order_key(ns, message.session), member_of(message.id, to_micros(message.recorded_at)))
    ranks = pipe.execute()
    pipe = ns.client.pipeline(transaction=False)
    for message, rank in zip(messages, ranks, strict=True):
        if rank is None:
            pipe.zrange(order_key(ns, message.session), 1, 0)
        else:
            pipe.zrevrange(order_key(ns, message.session), rank + 1, rank + count)
    members = pipe.execute()
    ids = [[decode(id_of(member)) for member in reversed(found)] for found in members]
    records = ns.get_many(MessageRecord, list(dict.fromkeys(id for group in ids for id in group)))
    known = {record.id: record for record in records if record is not None}
    return [[known[id] for id in group if id in known] for group in ids]


def messages(
    ns: Namespace, session: str, *, newest: int | None = None, since: datetime | None = None, first: int | None = None
) -> list[MessageRecord]:
    """A session's messages, oldest first: all, the `newest` (at least one), or the `first` ones from `since` on."""
    key = order_key(ns, session)
    if since is not None:
        members = ns.client.zrange(
            key, to_micros(since), "+inf", byscore=True, offset=0, num=-1 if first is None else first
        )
    else:
        members = ns.client.zrange(key, 0 if newest is None else -newest, -1)
    ids = [decode(id_of(member)) for member in members]
    return [record for record in ns.get_many(MessageRecord, ids) if record is not None]


def ends(ns: Namespace, session: str, first: int, newest: int) -> list[str]:
    """Ids of the `first` and the `newest` messages of a session, oldest first, each once."""
    key = order_key(ns, session)
    pipe = ns.client.pipeline(transaction=False)
    pipe.zrange(key, 0, first - 1)
    pipe.zrange(key, -newest, -1)
    begin, end = pipe.execute()
    return [decode(id_of(member)) for member in dict.fromkeys([*begin, *end])]


def span(ns: Namespace, session: str) -> tuple[datetime, datetime] | None:
    """The moments of a session's first and last message; None when it has none."""
    key = order_key(ns, session)
    pipe = ns.client.pipeline(transaction=False)
    pipe.zrange(key, 0, 0, withscores=True)
    pipe.zrange(key, -1, -1, withscores=True)
    first, last = pipe.execute()
    return (from_micros(first[0][1]), from_micros(last[0][1])) if first else None
