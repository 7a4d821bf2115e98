"""Walking a graph along its relations."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.graph.base import AsOf, KnowledgeGraph
from reverie.pipelines.graph.views import RelationView, relation_view
from reverie.store.graphs import reading as stored
from reverie.store.records.graph import GraphEntityRecord, GraphRelationRecord

_PER_NODE = 200
"""Relations followed from one name: the newest ones."""


class Neighbour(BaseModel):
    """A name that is reached. `entity_type` is None for one that was never created; `distance` counts relations."""

    model_config = ConfigDict(frozen=True)

    name: str
    entity_type: str | None
    distance: int


class Neighbourhood(BaseModel):
    """What lies around a name, nearest first, and the relations by which it is reached."""

    model_config = ConfigDict(frozen=True)

    neighbours: tuple[Neighbour, ...] = ()
    relations: tuple[RelationView, ...] = ()


def neighbours(
    graph: KnowledgeGraph,
    name: str,
    *,
    depth: int = 1,
    limit: int = 50,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> Neighbourhood:
    """Up to `limit` names within `depth` relations of a name, in either direction; two round trips a step."""
    as_of = graph.moments(valid_as_of, known_as_of)
    distances = {name: 0}
    relations: dict[str, RelationView] = {}
    frontier = [name]
    for distance in range(1, depth + 1):
        reached: list[str] = []
        for view in _touching(graph, frontier, as_of):
            for end in (view.source, view.target):
                if end not in distances and len(distances) <= limit:
                    distances[end] = distance
                    reached.append(end)
            if view.source in distances and view.target in distances:
                relations.setdefault(view.id, view)
        frontier = reached
        if not frontier:
            break
    del distances[name]
    names = list(distances)
    records = graph.ctx.ns.get_many(GraphEntityRecord, [graph.at.entity_id(one) for one in names])
    types = [None if record is None or record.recorded_at > as_of.known else record.type for record in records]
    found = [
        Neighbour(name=one, entity_type=type_, distance=distances[one]) for one, type_ in zip(names, types, strict=True)
    ]
    return Neighbourhood(neighbours=tuple(found), relations=tuple(relations.values()))


def _touching(graph: KnowledgeGraph, names: list[str], as_of: AsOf) -> list[RelationView]:
    at = graph.at
    ends = [at.entity_id(name) for name in names]
    groups = stored.statement_ids(at, ends, open_only=as_of.only_open, newest=_PER_NODE)
    ids = list(dict.fromkeys(id for _, edges in groups for id in edges))
    found = []
    for record in graph.ctx.ns.get_many(GraphRelationRecord, ids):
        version = None if record is None else as_of.holding(record.versions)
        if record is not None and version is not None:
            found.append(relation_view(record, version))
    return found
