"""Removing a record for good, with what hangs on it."""

from reverie.store.commit import Transaction
from reverie.store.keys import decode, member_of
from reverie.store.namespace import Namespace, reachable
from reverie.store.records.base import Record
from reverie.store.times import to_micros

Links = list[tuple[str, str, str]]
"""(edge, kind, id) of what a record points to."""


def links_of(ns: Namespace, records: list[Record]) -> list[Links]:
    """What each record points to; one round trip for all."""
    pipe = ns.client.pipeline(transaction=False)
    for record in records:
        pipe.zrange(ns.keys.links(record.kind, record.id), 0, -1)
    with reachable():
        found = pipe.execute()
    return [[_link(member) for member in members] for members in found]


def _link(member: bytes) -> tuple[str, str, str]:
    edge, kind, id = member.split(b":")
    return edge.decode(), kind.decode(), decode(id)


def remove(transaction: Transaction, record: Record, links: Links) -> None:
    """Make a write remove a record, its row and the edges it points with, if it did not change since it was read."""
    keys = transaction.ns.keys
    transaction.require_unchanged(record.kind, record.id, record.revision)
    transaction.delete(record.kind, record.id)
    transaction.drop_row(record.kind, record.id)
    # An edge is ordered by the moment of its source's arrival or not at all.
    members = (member_of(record.id), member_of(record.id, to_micros(record.recorded_at)))
    for edge, kind, id in links:
        transaction.run("ZREM", keys.linked(edge, record.kind, kind, id), *members)
        transaction.run("DEL", keys.edge(edge, record.kind, record.id, kind, id))
    transaction.run("DEL", keys.links(record.kind, record.id))
