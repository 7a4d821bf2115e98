"""Ending what a graph holds true. Nothing is overwritten: the past can still be asked for."""

from datetime import datetime
from typing import TypeVar

from reverie.config.errors import NotFound
from reverie.knowledge.statements import ended, is_open
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.views import ObservationView, RelationView, observation_view, relation_view
from reverie.store.graphs import changes
from reverie.store.records.graph import GraphObservationRecord, GraphRelationRecord, GraphStatement, Provenance
from reverie.store.retry import attempts

S = TypeVar("S", bound=GraphStatement)


def invalidate_observation(
    graph: KnowledgeGraph, id: str, *, reason: str | None = None, at: datetime | None = None
) -> ObservationView:
    """End an observation at `at` (None: now). Ended twice, it keeps the first time and reason.

    Raises NotFound for an id that this graph does not have, StoreUnavailable.
    """
    record = _end(graph, GraphObservationRecord, id, reason, at, "curated")
    return observation_view(record, record.final)


def invalidate_relation(
    graph: KnowledgeGraph, id: str, *, reason: str | None = None, at: datetime | None = None
) -> RelationView:
    """End a relation at `at` (None: now), as `invalidate_observation` does."""
    record = _end(graph, GraphRelationRecord, id, reason, at, "curated")
    return relation_view(record, record.final)


def end_inferred(graph: KnowledgeGraph, statement: GraphStatement, *, at: datetime, reason: str) -> None:
    """End what was inferred, unless a curator took it over meanwhile."""
    _end(graph, type(statement), statement.id, reason, at, "inferred")


def _end(
    graph: KnowledgeGraph, model: type[S], id: str, reason: str | None, at: datetime | None, provenance: Provenance
) -> S:
    for _ in attempts("the graph"):
        now = graph.ctx.clock()
        record = graph.ctx.ns.get(model, id)
        if record is None or record.graph != graph.at.id:
            raise NotFound(model.kind.removeprefix("graph_"), id)
        if provenance == "inferred" and record.provenance == "curated":
            return record
        after = ended(record, at or now, reason, provenance, now)
        if after is None:
            return record
        if _store(graph, record, after, now):
            return after
    raise AssertionError("attempts end by raising")


def _store(graph: KnowledgeGraph, before: GraphStatement, after: GraphStatement, now: datetime) -> bool:
    transaction = graph.ctx.ns.transaction()
    transaction.require_unchanged(before.kind, before.id, before.revision)
    transaction.put(after)
    final = after.final
    transaction.close_row(after.kind, after.id, final.valid_from, final.valid_to)
    if not is_open(after, now):
        changes.close_statement(transaction, graph.at, after)
    if isinstance(after, GraphObservationRecord):
        changes.touch_entity(transaction, graph.at, after.entity, now, make=False)
    changes.count_write(transaction, graph.at)
    return transaction.commit().committed
