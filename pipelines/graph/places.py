"""Where a statement is entered: the sorted sets by which it is found, and the messages it was inferred from."""

import json

from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.store.commit import Transaction
from reverie.store.graph import registry
from reverie.store.records.graph import GraphObservationRecord, GraphRelationRecord, GraphStatement, Provenance

Sets = tuple[str, str]
"""Keys of two sorted sets: of all statements of one place, and of those that have not ended."""

_BELOW = 2**52

INFERRED_FROM = "INFERRED_FROM"
"""Edge from a statement to a message it was inferred from."""


def standing(provenance: Provenance, moment: int) -> int:
    """Score of an open statement: by time, and whatever was inferred below whatever was curated."""
    return moment if provenance == "curated" else moment - _BELOW


def observation_sets(graph: KnowledgeGraph, record: GraphObservationRecord) -> list[Sets]:
    at = graph.at
    return [(at.observations(record.entity, open_only=False), at.observations(record.entity, open_only=True))]


def relation_sets(graph: KnowledgeGraph, record: GraphRelationRecord) -> list[Sets]:
    """Those of both ends, and of the whole graph."""
    at = graph.at
    ends = dict.fromkeys([at.entity_id(record.source), at.entity_id(record.target)])
    found = [(at.touching(end, open_only=False), at.touching(end, open_only=True)) for end in ends]
    return [*found, (at.relations, at.open_relations)]


def statement_sets(graph: KnowledgeGraph, record: GraphStatement) -> list[Sets]:
    """Those of either."""
    if isinstance(record, GraphObservationRecord):
        return observation_sets(graph, record)
    assert isinstance(record, GraphRelationRecord)
    return relation_sets(graph, record)


def register(transaction: Transaction, graph: KnowledgeGraph) -> None:
    """Enter the graph among those of its namespace, and count the write."""
    owner = json.dumps({"app": graph.app, "user": graph.user})
    transaction.run("HSETNX", registry(graph.kb.space), graph.at.id, owner)
    transaction.run("INCR", graph.at.writes)
