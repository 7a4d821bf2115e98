"""Removing a record for good, with what hangs on it."""

from reverie.store.commit import Transaction
from reverie.store.keys import decode, encode, id_of, member_of
from reverie.store.namespace import Namespace
from reverie.store.records.base import UNKNOWN_TIME, Record
from reverie.store.times import to_micros

Links = list[tuple[str, str, str, tuple[bytes | str, ...]]]
"""(edge, kind, id) of what a record points to, and the members that may stand for the record there."""


def links_of(ns: Namespace, records: list[Record]) -> list[Links]:
    """What each record points to; one round trip for all, two where one was salvaged."""
    pipe = ns.client.pipeline(transaction=False)
    for record in records:
        pipe.zrange(ns.keys.links(record.kind, record.id), 0, -1)
    found = pipe.execute()
    links = [[_link(member) for member in members] for members in found]
    return [
        [(*link, members) for link, members in zip(own, _members(ns, record, own), strict=True)]
        for record, own in zip(records, links, strict=True)
    ]


def _members(ns: Namespace, record: Record, links: list[tuple[str, str, str]]) -> list[tuple[bytes | str, ...]]:
    """What may stand for a record among those that point to each of these."""
    if record.recorded_at != UNKNOWN_TIME:
        # An edge is ordered by the moment of its source's arrival or not at all.
        return [(member_of(record.id), member_of(record.id, to_micros(record.recorded_at)))] * len(links)
    pipe = ns.client.pipeline(transaction=False)
    for edge, kind, id in links:
        pipe.zrange(ns.keys.linked(edge, record.kind, kind, id), 0, -1)
    found = pipe.execute() if links else []
    own = encode(record.id).encode()
    return [tuple(member for member in members if id_of(member) == own) for members in found]


def parts_of(ns: Namespace, kind: str, id: str) -> list[int]:
    """The numbers of the rows of a record that does not tell them itself; reads the names of all keys."""
    row = ns.keys.row(kind, id)
    found = [key.decode().removeprefix(row) for key in ns.client.scan_iter(match=f"{row}*", count=1000)]
    return [int(part.removeprefix(".") or 0) for part in found if part == "" or part.startswith(".")]


def _link(member: bytes) -> tuple[str, str, str]:
    edge, kind, id = member.split(b":")
    return edge.decode(), kind.decode(), decode(id)


def remove(transaction: Transaction, record: Record, links: Links) -> None:
    """Make a write remove a record, its row and the edges it points with, if it did not change since it was read."""
    keys = transaction.ns.keys
    transaction.require_unchanged(record.kind, record.id, record.revision)
    transaction.delete(record.kind, record.id)
    transaction.drop_row(record.kind, record.id)
    for edge, kind, id, members in links:
        if members:
            transaction.by_key.run("ZREM", keys.linked(edge, record.kind, kind, id), *members)
        transaction.by_key.run("DEL", keys.edge(edge, record.kind, record.id, kind, id))
    transaction.by_key.run("DEL", keys.links(record.kind, record.id))
