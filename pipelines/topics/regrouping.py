"""Grouping anew what changed, and writing the topics it gives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.knowledge.ids import derived_id
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import topic_draft
from reverie.pipelines.sweeps import Budget, Slice, Swept, sweep
from reverie.pipelines.topics.communities import Community, communities, matched
from reverie.pipelines.topics.counting import CHANGED
from reverie.store import topics
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import EntityRecord
from reverie.store.records.synopses import TopicRecord

_SLICE = 200
_NEIGHBOURS = 40
"""The strongest neighbours of an entity that count."""
_MOST_NODES = 1500
"""Entities that are grouped at once; beyond them a topic stays as it is."""
_NAMED = 3
_TOLD = 20
"""Members that a topic's text names."""
_SOURCES = 10


@dataclass(frozen=True)
class _Region:
    """The part of the graph around what changed: entities with their names, and the topics they are in."""

    names: dict[str, str]
    weights: dict[str, dict[str, float]]
    topics: dict[str, TopicRecord]


def regroup_changed(ctx: Context, budget: Budget) -> Swept:
    """Group the entities that changed and what lies around them anew, within the budget. Raises StoreUnavailable."""
    return sweep(ctx, CHANGED, lambda found: _regroup(ctx, found), budget, slice_items=_SLICE)


def _regroup(ctx: Context, changed: Slice) -> int:
    region = _region(ctx.ns, [id for id, _ in changed])
    found = communities(region.weights)
    ids = matched(found, {id: topic.members for id, topic in region.topics.items()})
    mentions = topics.mentions(ctx.ns, sorted({id for one in found for id in one.members[:_TOLD]}), _SOURCES)
    records = [_record(ctx, region, community, id, mentions) for community, id in zip(found, ids, strict=True)]
    new = [record for record in records if _changed(record, region.topics.get(record.id))]
    transaction = ctx.ns.transaction()
    for id, at in changed:
        transaction.require_due(CHANGED, id, at)
        transaction.settle(CHANGED, id)
    for id, topic in sorted(region.topics.items()):
        transaction.require_unchanged("topic", id, topic.revision)
        if id not in ids:
            topics.drop(transaction, topic)
    topics.free(transaction, sorted({member for topic in region.topics.values() for member in topic.members}))
    drafts = [topic_draft(record) for record in new]
    made = ctx.quick_embedder.documents([draft.embedded for draft in drafts])
    for record, draft, vector in zip(new, drafts, made, strict=True):
        if record.id not in region.topics:
            transaction.require_absent("topic", record.id)
        topics.put(transaction, record)
        vectors.write_row(transaction, draft, vector, record.recorded_at)
    for record in records:
        topics.place(transaction, record)
    return len(changed) if transaction.commit().committed else 0


def _region(ns: Namespace, changed: Sequence[str]) -> _Region:
    near = topics.near(ns, changed, _NEIGHBOURS)
    around = sorted({other for group in near for other in group} - set(changed))
    inside = topics.containing(ns, [*changed, *around])
    records = ns.get_many(TopicRecord, sorted({id for id in inside.values() if id is not None}))
    known: dict[str, TopicRecord] = {}
    nodes = set(changed)
    for topic in (record for record in records if record is not None):
        if len(nodes | set(topic.members)) <= _MOST_NODES or nodes & set(topic.members) & set(changed):
            known[topic.id] = topic
            nodes |= set(topic.members)
    # An entity of a topic that is left out stays where it is.
    nodes |= {id for id in around if inside[id] is None or inside[id] in known}
    found = ns.get_many(EntityRecord, sorted(nodes))
    names = {record.id: record.name for record in found if record is not None}
    order = sorted(names)
    weights = {
        id: {other: weight for other, weight in group.items() if other in names}
        for id, group in zip(order, topics.near(ns, order, _NEIGHBOURS), strict=True)
    }
    return _Region(names, _both_ways(weights), known)


def _both_ways(weights: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """A hub keeps its strongest neighbours only; one that it left out still knows it."""
    for one, group in list(weights.items()):
        for other, weight in group.items():
            weights[other].setdefault(one, weight)
    return weights


def _record(
    ctx: Context,
    region: _Region,
    community: Community,
    id: str | None,
    mentions: dict[str, list[tuple[str, datetime]]],
) -> TopicRecord:
    known = region.topics.get(id) if id is not None else None
    named = [region.names[member] for member in community.members]
    sources, at = _sources(mentions[member] for member in community.members[:_TOLD])
    return TopicRecord.new(
        ctx.ns,
        id or derived_id("topic", *sorted(community.members)),
        name=", ".join(named[:_NAMED]),
        text=", ".join(named[:_TOLD]),
        members=list(community.members),
        at=at or ctx.clock(),
        sources=sources,
        recorded_at=ctx.clock(),
        revision=0 if known is None else known.revision + 1,
    )


def _sources(mentions: Iterable[list[tuple[str, datetime]]]) -> tuple[list[str], datetime | None]:
    """The newest messages that speak of its members, those that speak of several first."""
    counted: dict[str, tuple[int, datetime]] = {}
    for group in mentions:
        for message, at in group:
            counted[message] = (counted.get(message, (0, at))[0] + 1, at)
    best = sorted(
        counted, key=lambda message: (-min(counted[message][0], 2), -counted[message][1].timestamp(), message)
    )
    chosen = best[:_SOURCES]
    return chosen, max((counted[message][1] for message in chosen), default=None)


def _changed(record: TopicRecord, known: TopicRecord | None) -> bool:
    return known is None or (record.members, record.text, record.sources) != (known.members, known.text, known.sources)
