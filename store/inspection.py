"""Looking over a namespace for what does not fit together, and mending it: for the doctor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from reverie.config.errors import IndexMissing
from reverie.store import contents, index, waiting
from reverie.store.keys import NAMESPACES, decode, waiting_key
from reverie.store.lanes import due_range
from reverie.store.namespace import Namespace
from reverie.store.records.listed import MODELS
from reverie.store.schema import KINDS, belongs

_BATCH: Final = 500
_KINDS: Final = frozenset(kind.name for kind in KINDS)
_WITHOUT_RECORD: Final = frozenset({"CLAIM_OF"})
"""Edges from what need not be a record: a claim that nobody believed yet has the id that its fact would have."""
_NUMBERS: Final = (b"at", b"im", b"vf", b"vt", b"rf", b"rt")
"""Fields of a row that the index takes as numbers; a row with anything else there it takes not at all."""


@dataclass(frozen=True)
class Place:
    """A key of a namespace, taken apart. `generation` is that of a row, None for anything else."""

    key: str
    generation: int | None
    rest: str
    """What follows the prefix of the namespace."""


@dataclass(frozen=True)
class RowState:
    """What is wrong with a stored search row: not there, without a vector, or such that the index takes it not."""

    is_there: bool
    has_vector: bool
    is_sound: bool


def places(ns: Namespace) -> list[Place]:
    """Every key of the namespace, sorted."""
    found = []
    for key in sorted(one.decode() for one in contents.keys(ns)):
        head, _, rest = key.partition("}:")
        generation = int(head.partition(":")[0].removeprefix("rvr")) if head.startswith("rvr") else None
        found.append(Place(key, generation, rest))
    return found


def refused(ns: Namespace) -> int | None:
    """How many rows the index in use refused since it was made; None when the index is gone."""
    try:
        return index.failures(ns.client)
    except IndexMissing:
        return None


def tenants(ns: Namespace) -> tuple[set[str], list[str]]:
    """The namespaces that any key of the database names, and the keys that are none of Reverie's."""
    named: set[str] = set()
    unknown: list[str] = []
    for raw in ns.client.scan_iter(match="*", count=1000):
        key = raw.decode(errors="backslashreplace")
        if not belongs(key):
            unknown.append(key)
        elif key.startswith("rv") and ":{" in key and not key.startswith("rv:waiting:"):
            named.add(decode(key.partition(":{")[2].partition("}")[0]))
    return named, sorted(unknown)


def marker(ns: Namespace) -> int | None:
    """The index generation that the namespace is written for; None while it is not registered."""
    found = ns.client.get(ns.keys.marker)
    return None if found is None else int(found)


def is_registered(ns: Namespace) -> bool:
    """Whether the namespace is in the list of those in use."""
    return bool(ns.client.sismember(NAMESPACES, ns.namespace))


def register(ns: Namespace) -> None:
    """Put the namespace into the list of those in use, and have it written for the index in use."""
    ns.client.sadd(NAMESPACES, ns.namespace)
    ns.client.set(ns.keys.marker, ns.keys.generation)


def rows(ns: Namespace, wanted: Sequence[tuple[str, str, int]], dimension: int) -> list[RowState]:
    """The state of search rows by kind, id and part; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for kind, id, part in wanted:
        key = ns.keys.row(kind, id, part)
        pipe.hmget(key, "n", "k", "v", *_NUMBERS)
    states = []
    for (kind, _, _), (tag, stored_kind, vector, *numbers) in zip(
        wanted, pipe.execute() if wanted else [], strict=True
    ):
        sound = (tag, stored_kind) == (ns.keys.tag.encode(), kind.encode()) and all(map(_is_number, numbers))
        states.append(RowState(tag is not None, vector is not None, sound and len(vector or b"") in (0, 2 * dimension)))
    return states


def _is_number(value: bytes | None) -> bool:
    try:
        return value is None or float(value) == float(value)
    except ValueError:
        return False


@dataclass(frozen=True)
class EdgeEnd:
    """An edge as it is kept from one of its ends: in `key` with the score `at`. `pair` is what names it from either."""

    key: str
    at: float
    pair: tuple[str, str]
    """Key and member of the outgoing side."""


def edge_ends(ns: Namespace, keys: Sequence[str]) -> Iterator[EdgeEnd]:
    """What the keys of edges hold; `keys` follow the prefix of the namespace."""
    for first in range(0, len(keys), _BATCH):
        batch = keys[first : first + _BATCH]
        pipe = ns.client.pipeline(transaction=False)
        for key in batch:
            pipe.zrange(ns.keys.named(key), 0, -1, withscores=True)
        for key, members in zip(batch, pipe.execute(), strict=True):
            for member, at in members:
                yield EdgeEnd(key, at, _pair(key, member.decode()))


def _pair(key: str, member: str) -> tuple[str, str]:
    side, _, rest = key.partition(":")
    if side == "out":
        return key, member
    edge, source_kind, target = rest.split(":", 2)
    return f"out:{source_kind}:{member.rpartition('.')[2]}", f"{edge}:{target}"


def add_end(ns: Namespace, end: EdgeEnd) -> None:
    """Keep an edge from the side where it is missing, given the side from which it is kept."""
    out_key, out_member = end.pair
    if end.key.startswith("in:"):
        ns.client.zadd(ns.keys.named(out_key), {out_member: end.at})
    else:
        source_kind, source = out_key.removeprefix("out:").split(":", 1)
        edge, target = out_member.split(":", 1)
        ns.client.zadd(ns.keys.named(f"in:{edge}:{source_kind}:{target}"), {source: end.at})


def sourceless(ns: Namespace, keys: Sequence[str]) -> list[str]:
    """Those of the keys of outgoing edges whose record is gone."""
    found = []
    for first in range(0, len(keys), _BATCH):
        batch = [key for key in keys[first : first + _BATCH] if key.split(":")[1] in _KINDS]
        pipe = ns.client.pipeline(transaction=False)
        for key in batch:
            pipe.exists(ns.keys.named(key.removeprefix("out:")))
            pipe.zrange(ns.keys.named(key), 0, -1)
        replies = pipe.execute() if batch else []
        for key, there, members in zip(batch, replies[::2], replies[1::2], strict=True):
            edges = {member.partition(b":")[0].decode() for member in members}
            if not there and not edges <= _WITHOUT_RECORD:
                found.append(key)
    return found


def drop_edges(ns: Namespace, key: str) -> None:
    """Remove all that a node points to, from both sides, unless its record is there by now."""
    kind, source = key.removeprefix("out:").split(":", 1)
    if ns.client.exists(ns.keys.record(kind, decode(source))):
        return
    pipe = ns.client.pipeline(transaction=True)
    for member in ns.client.zrange(ns.keys.named(key), 0, -1):
        edge, target = member.decode().split(":", 1)
        other = ns.keys.named(f"in:{edge}:{kind}:{target}")
        pipe.zrem(other, source)
        for one, _ in ns.client.zscan_iter(other, match=f"*.{source}"):
            pipe.zrem(other, one)
    pipe.delete(ns.keys.named(key))
    pipe.execute()


def unlisted(ns: Namespace, kind: str, ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of a listed kind the ids of `ids`, all there are, that its order lacks, and those in it that are none of them."""
    held = {decode(member) for member, _ in ns.client.zscan_iter(ns.keys.every(kind), count=1000)}
    return sorted(set(ids) - held), sorted(held - set(ids))


def unlist(ns: Namespace, kind: str, ids: Sequence[str]) -> None:
    """Take ids of records that are gone out of the order of their kind."""
    for id in ids:
        transaction = ns.transaction()
        transaction.require_absent(kind, id)
        transaction.delete(kind, id)
        transaction.commit()


def listed_kinds() -> list[str]:
    """The kinds that are kept in one order each."""
    return sorted(MODELS)


def planned(ns: Namespace, due_set: str) -> set[str]:
    """The ids for which something is planned in a due set."""
    return {decode(member) for member, _ in ns.client.zscan_iter(ns.keys.due(due_set), count=1000)}


def overdue(ns: Namespace, topics: Sequence[str], before: datetime) -> dict[str, int]:
    """By topic how much work fell due before a moment and is there still."""
    found = {}
    for topic in topics:
        count = sum(ns.client.zcount(ns.keys.work(topic), *due_range(before, bulk=bulk)) for bulk in (False, True))
        if count:
            found[topic] = int(count)
    return found


def unmarked(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str]) -> list[str]:
    """The topics and due sets in which something waits and no mark says so: no worker would look."""
    found = []
    for name, key in [*((topic, ns.keys.work(topic)) for topic in topics), *((d, ns.keys.due(d)) for d in due_sets)]:
        marks = [ns.client.zscore(waiting_key(name, bulk=bulk), ns.namespace) for bulk in (False, True)]
        if ns.client.exists(key) and all(mark is None for mark in marks):
            found.append(name)
    return found


def mark(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str]) -> None:
    """Have the workers look at all that waits in the namespace."""
    waiting.remark_one(ns, topics, due_sets)


def waits(ns: Namespace, topic: str, entries: Sequence[str]) -> list[bool]:
    """For each entry whether it waits in a topic; one round trip."""
    if not entries:
        return []
    return [at is not None for at in ns.client.zmscore(ns.keys.work(topic), list(entries))]


def drop_keys(ns: Namespace, keys: Sequence[str]) -> None:
    """Remove search rows by their whole keys."""
    for first in range(0, len(keys), _BATCH):
        ns.client.unlink(*keys[first : first + _BATCH])
