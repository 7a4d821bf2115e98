"""Reading a graph in few round trips, however much of it is asked for."""

from collections.abc import Sequence
from datetime import datetime

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
from reverie.store.graphs import reading as stored
from reverie.store.records.graph import GraphEntityRecord, GraphObservationRecord, GraphRelationRecord

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
    ids = stored.entity_ids(graph.at)
    relation_ids = stored.relation_ids(graph.at, open_only=as_of.only_open)
    found: dict[str, EntityView] = {}
    for start in range(0, len(ids), _BATCH):
        found |= entities(graph, ids[start : start + _BATCH], as_of)
    relations: list[RelationView] = []
    for start in range(0, len(relation_ids), _BATCH):
        records = graph.ctx.ns.get_many(GraphRelationRecord, relation_ids[start : start + _BATCH])
        relations += [view for record in records if record for view in _relation(record, as_of)]
    return GraphView(entities=tuple(found[id] for id in ids if id in found), relations=tuple(relations))


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
    read = stored.entities(graph.at, ids, open_only=as_of.only_open, newest=newest, relations=relations)
    said, edges = stored.statements(
        graph.at,
        (id for one in read.values() for id in one.observations),
        (id for one in read.values() for id in one.relations),
    )
    observed = {id: view for id, record in said.items() for view in _observation(record, as_of)}
    drawn = {id: view for id, record in edges.items() for view in _relation(record, as_of)}
    return {
        id: entity_view(
            one.record,
            one.updated_at,
            tuple(observed[key] for key in one.observations if key in observed),
            tuple(drawn[key] for key in one.relations if key in drawn),
        )
        for id, one in read.items()
        if one.record.recorded_at <= as_of.known
    }


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
    ids = stored.ids_called(graph.at, [folded(name) for name in names])
    wanted = list(dict.fromkeys(id for group in ids for id in group))
    records = graph.ctx.ns.get_many(GraphEntityRecord, wanted)
    known = {record.id: record.name for record in records if record is not None}
    found: dict[str, str] = {}
    for name, group in zip(names, ids, strict=True):
        called = [known[id] for id in group if id in known]
        found[name] = called[0] if len(called) == 1 and name not in called else name if name in called else name.strip()
    return found
