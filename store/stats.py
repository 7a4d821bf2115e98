"""Figures about the store: how much there is of what, and how far behind the work is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import redis

from reverie.config.errors import IndexMissing, RecordUnreadable
from reverie.store.index import read_meta
from reverie.store.keys import INDEX_ALIAS
from reverie.store.lanes import due_range, moment
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record


@dataclass(frozen=True)
class TopicLag:
    """Work of one topic. `oldest` is when its longest waiting entry became due; None when nothing is due."""

    waiting: int
    due: int
    oldest: datetime | None


@dataclass(frozen=True)
class IndexFigures:
    """The search index in use. `failures` counts rows that it refused: any other number than 0 is a defect."""

    name: str
    embedder: str
    dimension: int
    rows: int
    failures: int


def index_figures(client: "redis.Redis") -> IndexFigures | None:
    """What the index says about itself; None before its first use."""
    meta = read_meta(client)
    if meta is None:
        return None
    try:
        reply = client.execute_command("FT.INFO", meta.name)
    except IndexMissing:
        return None
    about = dict(zip(reply[::2], reply[1::2], strict=True))
    failures = int(float(about.get(b"hash_indexing_failures", 0)))
    return IndexFigures(meta.name, meta.embedder, meta.dimension, int(float(about[b"num_docs"])), failures)


def rows_by_kind(ns: Namespace) -> dict[str, int]:
    """How many search rows of each kind the namespace has."""
    query = ["FT.AGGREGATE", INDEX_ALIAS, f"@n:{{{ns.keys.tag}}}"]
    group = ["GROUPBY", 1, "@k", "REDUCE", "COUNT", 0, "AS", "rows", "DIALECT", 2]
    reply = ns.client.execute_command(*query, *group)
    found = [dict(zip(row[::2], row[1::2], strict=True)) for row in reply[1:]]
    return {row[b"k"].decode(): int(row[b"rows"]) for row in sorted(found, key=lambda row: row[b"k"])}


def lag(ns: Namespace, topics: Sequence[str], now: datetime) -> dict[str, TopicLag]:
    """How far each topic of durable work is behind."""
    pipe = ns.client.pipeline(transaction=False)
    for topic in topics:
        key = ns.keys.work(topic)
        pipe.zcard(key)
        for bulk in (False, True):
            low, high = due_range(now, bulk=bulk)
            pipe.zcount(key, low, high)
            pipe.zrange(key, low, high, byscore=True, offset=0, num=1, withscores=True)
    replies = iter(pipe.execute())
    found = {}
    for topic in topics:
        waiting, live, first_live, bulk, first_bulk = (next(replies) for _ in range(5))
        oldest = [moment(at) for _, at in (*first_live, *first_bulk)]
        found[topic] = TopicLag(waiting, live + bulk, min(oldest, default=None))
    return found


def count_linked(ns: Namespace, edge: str, source_kind: str, targets: Sequence[tuple[str, str]]) -> int:
    """How many nodes of one kind point to any of the targets by one edge."""
    pipe = ns.client.pipeline(transaction=False)
    for target in targets:
        pipe.zcard(ns.keys.linked(edge, source_kind, *target))
    return sum(pipe.execute())


def queue_lengths(broker: "redis.Redis", queues: Sequence[str]) -> dict[str, int]:
    """How many Celery messages wait in each queue of a Redis broker."""
    pipe = broker.pipeline(transaction=False)
    for queue in queues:
        pipe.llen(queue)
    return dict(zip(queues, pipe.execute(), strict=True))


def unreadable_records(ns: Namespace) -> list[tuple[str, str]]:
    """(kind, id) of the records that were set aside because this version cannot read them, and still cannot."""
    noted = sorted(json.loads(one) for one in ns.client.smembers(ns.keys.unreadable))
    models = {model.kind: model for model in Record.__subclasses__()}
    return [(kind, id) for kind, id in noted if not _reads(ns, models.get(kind, Record), kind, id)]


def _reads(ns: Namespace, model: type[Record], kind: str, id: str) -> bool:
    """Whether a record can be read by now, or is gone."""
    try:
        return all(model.read(document) is not None for document in ns.documents(kind, [id]))
    except RecordUnreadable:
        return False
