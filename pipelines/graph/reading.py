"""Reading a graph: few round trips, whatever is asked for."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from reverie.knowledge.wording import folded
from reverie.pipelines.graph.base import AsOf, KnowledgeGraph
from reverie.pipelines.graph.views import (
    EntityView,
    GraphView,
    ObservationView,
    RelationView,
    entity_view,
    observation_view,
    relation_view,
)
from reverie.store.keys import encode
from reverie.store.records.base import Record, unwrapped
from reverie.store.records.graph import GraphEntityRecord, GraphObservationRecord, GraphRelationRecord
from reverie.store.space import reachable
from reverie.store.times import from_micros
from reverie.store.unreadable import readable

R = TypeVar("R", bound=Record)

_BATCH = 500


def open_nodes(
    graph: KnowledgeGraph,
    names: Sequence[str],
    *,
    newest: int | None = None,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> list[EntityView]:
    """The entities of these names in the order asked, each once; unknown names are left out.

    `newest` bounds the observations of each, and its relations.
    """
    ids = [graph.at.entity_id(name) for name in dict.fromkeys(names)]
    found = entities(graph, ids, graph.moments(valid_as_of, known_as_of), newest=newest)
    return [found[id] for id in ids if id in found]


def read_graph(
    graph: KnowledgeGraph, *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
) -> GraphView:
    """All of it: the entities, last updated first, and the relations, also between what is no entity."""
    as_of = graph.moments(valid_as_of, known_as_of)
    at = graph.at
    with reachable():
        ids = [id.decode() for id in graph.kb.space.client.zrevrange(at.entities, 0, -1)]
        key = at.open_relations if as_of.only_open else at.relations
        relation_ids = [id.decode() for id in graph.kb.space.client.zrange(key, 0, -1)]
    found: dict[str, EntityView] = {}
    for start in range(0, len(ids), _BATCH):
        found |= entities(graph, ids[start : start + _BATCH], as_of)
    relations: list[RelationView] = []
    for start in range(0, len(relation_ids), _BATCH):
        records = graph.kb.space.get_many(GraphRelationRecord, relation_ids[start : start + _BATCH])
        relations += [view for record in records if record for view in _relation(record, as_of)]
    return GraphView(entities=tuple(found[id] for id in ids if id in found), relations=tuple(relations))


def entity_count(graph: KnowledgeGraph) -> int:
    """How many entities there are; ends of relations that were never created do not count."""
    with reachable():
        return int(graph.kb.space.client.zcard(graph.at.entities))


def entities(
    graph: KnowledgeGraph,
    ids: Sequence[str],
    as_of: AsOf,
    *,
    newest: int | None = None,
    relations: bool = True,
) -> dict[str, EntityView]:
    """The entities of these ids with what held of them, in two round trips.

    `newest` bounds the observations of each, and its relations; without `relations` those are left out.
    """
    if not ids:
        return {}
    at, last = graph.at, -1 if newest is None else newest - 1
    pipe = graph.kb.space.client.pipeline(transaction=False)
    _ask(pipe, graph, GraphEntityRecord, ids)
    pipe.zmscore(at.entities, list(ids))
    for id in ids:
        pipe.zrevrange(at.observations(id, open_only=as_of.only_open), 0, last)
    if relations:
        for id in ids:
            pipe.zrevrange(at.touching(id, open_only=as_of.only_open), 0, last)
    with reachable():
        documents, scores, *members = pipe.execute()
    records = read_documents(graph, GraphEntityRecord, documents)
    observation_ids = [[member.decode() for member in group] for group in members[: len(ids)]]
    relation_ids = [[member.decode() for member in group] for group in members[len(ids) :]]
    said, edges = _statements(graph, observation_ids, relation_ids, as_of)
    found: dict[str, EntityView] = {}
    for place, id in enumerate(ids):
        record = records.get(id)
        if record is None or record.graph != at.id or record.recorded_at > as_of.known:
            continue
        observed = tuple(said[one] for one in observation_ids[place] if one in said)
        touching = tuple(edges[one] for one in relation_ids[place] if one in edges) if relations else ()
        updated = record.recorded_at if scores[place] is None else from_micros(scores[place])
        found[id] = entity_view(record, updated, observed, touching)
    return found


def _statements(
    graph: KnowledgeGraph, observations: Iterable[Sequence[str]], relations: Iterable[Sequence[str]], as_of: AsOf
) -> tuple[dict[str, ObservationView], dict[str, RelationView]]:
    wanted = list(dict.fromkeys(id for group in observations for id in group))
    edges = list(dict.fromkeys(id for group in relations for id in group))
    pipe = graph.kb.space.client.pipeline(transaction=False)
    _ask(pipe, graph, GraphObservationRecord, wanted)
    _ask(pipe, graph, GraphRelationRecord, edges)
    with reachable():
        replies = pipe.execute() if wanted or edges else []
    said = read_documents(graph, GraphObservationRecord, replies.pop(0)) if wanted else {}
    drawn = read_documents(graph, GraphRelationRecord, replies.pop(0)) if edges else {}
    return (
        {id: view for id, record in said.items() for view in _observation(record, as_of)},
        {id: view for id, record in drawn.items() for view in _relation(record, as_of)},
    )


def _ask(pipe: Any, graph: KnowledgeGraph, model: type[Record], ids: Sequence[str]) -> None:
    if ids:
        keys = [graph.kb.space.keys.record(model.kind, id) for id in ids]
        pipe.execute_command("JSON.MGET", *keys, "$")


def read_documents(graph: KnowledgeGraph, model: type[R], documents: Iterable[bytes | None]) -> dict[str, R]:
    """The records of the documents of a JSON.MGET, by id, without those that cannot be read."""
    there = [unwrapped(document) for document in documents if document and document != b"[]"]
    records = readable(graph.kb.space, model.kind, there, model.read)
    return {record.id: record for record in records}


def _observation(record: GraphObservationRecord, as_of: AsOf) -> list[ObservationView]:
    version = as_of.holding(record.versions)
    return [] if version is None else [observation_view(record, version)]


def _relation(record: GraphRelationRecord, as_of: AsOf) -> list[RelationView]:
    version = as_of.holding(record.versions)
    return [] if version is None else [relation_view(record, version)]


def resolve(graph: KnowledgeGraph, names: Sequence[str]) -> dict[str, str]:
    """Each name as its entity is called: by this very name, else by the only one that differs in case, width or blanks.

    A name that no entity has, or that several might, stays as it is, but for blanks around it.
    """
    at = graph.at
    pipe = graph.kb.space.client.pipeline(transaction=False)
    for name in names:
        prefix = f"[{encode(folded(name))}:"
        pipe.zrangebylex(at.names, prefix, prefix + "\x7f")
    with reachable():
        groups = pipe.execute() if names else []
    ids = [[member.decode().rpartition(":")[2] for member in group] for group in groups]
    wanted = list(dict.fromkeys(id for group in ids for id in group))
    records = graph.kb.space.get_many(GraphEntityRecord, wanted)
    known = {record.id: record.name for record in records if record is not None}
    found: dict[str, str] = {}
    for name, group in zip(names, ids, strict=True):
        called = [known[id] for id in group if id in known]
        found[name] = called[0] if len(called) == 1 and name not in called else name if name in called else name.strip()
    return found
