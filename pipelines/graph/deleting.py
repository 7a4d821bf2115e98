"""Removing from a graph for good: records, rows, edges and queued work. To end a fact and keep its past, see `closing`.

What is to go is read first, and goes in one transaction that is refused when anything was written to the graph since:
so nothing is left over that was added meanwhile. A graph of more than some thousand statements goes in several, each of
whole entities; a call that was interrupted is completed by calling again.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reverie.knowledge.wording import folded
from reverie.pipelines import vectors
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.store import work
from reverie.store.client import freeing
from reverie.store.commit import Transaction
from reverie.store.graphs import changes
from reverie.store.graphs import reading as stored
from reverie.store.records.base import Record
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
)
from reverie.store.retry import attempts
from reverie.store.unreadable import salvaging

R = TypeVar("R", bound=Record)

_AT_ONCE = 4000
"""Records that go in one transaction, about a tenth of a second of the server's time."""


@dataclass(frozen=True)
class Deleted:
    """How many records went."""

    entities: int = 0
    observations: int = 0
    relations: int = 0
    turns: int = 0

    def __add__(self, other: "Deleted") -> "Deleted":
        return Deleted(
            self.entities + other.entities,
            self.observations + other.observations,
            self.relations + other.relations,
            self.turns + other.turns,
        )


@freeing()
@salvaging()
def delete_entities(graph: KnowledgeGraph, names: Sequence[str]) -> Deleted:
    """Remove these entities with their observations and every relation that touches them; unknown names are skipped."""
    return _delete(graph, [graph.at.entity_id(name) for name in dict.fromkeys(names)])


@freeing()
@salvaging()
def delete_session(graph: KnowledgeGraph, session: str) -> Deleted:
    """Remove a session's entries from the episodic log."""
    return _delete_turns(graph, session)


@freeing()
@salvaging()
def delete_user(graph: KnowledgeGraph) -> Deleted:
    """Remove the whole graph and its log: nothing of this user of this app is left."""
    gone, at = Deleted(), graph.at
    for _ in attempts("the graph"):
        for batch in _batches(graph, list(reversed(stored.entity_ids(at)))):
            gone += _delete(graph, batch)
        gone += _delete_turns(graph, None)
        writes = stored.write_count(at)
        relations = _records(graph, GraphRelationRecord, stored.relation_ids(at, open_only=False))
        left = stored.entity_count(at) + stored.turn_count(at)
        transaction = graph.ctx.ns.transaction()
        changes.require_no_write_since(transaction, at, writes)
        for relation in relations:
            _drop_statement(transaction, graph, relation)
        # What a name that is no entity left behind: the sets of its relations are empty now, and so not there.
        changes.remove_graph(transaction, at)
        if not left and transaction.commit().committed:
            return gone + Deleted(relations=len(relations))
    raise AssertionError("attempts end by raising")


def drop_inferred(graph: KnowledgeGraph, statement: GraphStatement) -> bool:
    """Remove a statement that was inferred from messages. False when it was changed meanwhile."""
    transaction = graph.ctx.ns.transaction()
    transaction.require_unchanged(statement.kind, statement.id, statement.revision)
    _drop_statement(transaction, graph, statement)
    changes.count_write(transaction, graph.at)
    return transaction.commit().committed


def take_back(graph: KnowledgeGraph, statement: GraphStatement, messages: Collection[str]) -> bool:
    """Take messages from the sources of a statement that somebody wrote into the graph as well, or ended there.

    False when it was changed meanwhile.
    """
    transaction = graph.ctx.ns.transaction()
    transaction.require_unchanged(statement.kind, statement.id, statement.revision)
    kept = [source for source in statement.sources if source not in messages]
    support = max(1, statement.support - len(messages))
    transaction.put(statement.revised({"sources": kept, "support": support}))
    for message in messages:
        changes.forget_source(transaction, statement, message, kept)
    return transaction.commit().committed


def delete_if_empty(graph: KnowledgeGraph, statement: GraphStatement) -> None:
    """Remove the entities of a statement that went, if they were only inferred and nothing is said of them."""
    names = [statement.name] if isinstance(statement, GraphObservationRecord) else []
    names = [statement.source, statement.target] if isinstance(statement, GraphRelationRecord) else names
    at = graph.at
    for name in names:
        id = at.entity_id(name)
        entity = graph.ctx.ns.get(GraphEntityRecord, id)
        if entity is None or entity.provenance == "curated":
            continue
        if not any(stored.statement_counts(at, [id], open_only=False)[0]):
            delete_entities(graph, [name])


def _delete(graph: KnowledgeGraph, ids: Sequence[str]) -> Deleted:
    """Remove the entities of these ids in one transaction."""
    at = graph.at
    for _ in attempts("the graph"):
        writes = stored.write_count(at)
        groups = stored.statement_ids(at, ids, open_only=False)
        entities = _records(graph, GraphEntityRecord, ids)
        observations = _records(graph, GraphObservationRecord, _flat(said for said, _ in groups))
        relations = _records(graph, GraphRelationRecord, _flat(edges for _, edges in groups))
        if not entities:
            return Deleted()
        transaction = graph.ctx.ns.transaction()
        changes.require_no_write_since(transaction, at, writes)
        for entity in entities:
            _drop(transaction, entity)
            changes.remove_entity(transaction, at, entity, folded(entity.name))
        for observation in observations:
            _drop_statement(transaction, graph, observation)
        gone = {entity.name for entity in entities}
        relations = [relation for relation in relations if gone & {relation.source, relation.target}]
        for relation in relations:
            _drop_statement(transaction, graph, relation)
        changes.count_write(transaction, at)
        if transaction.commit().committed:
            return Deleted(len(entities), len(observations), len(relations))
    raise AssertionError("attempts end by raising")


def _delete_turns(graph: KnowledgeGraph, session: str | None) -> Deleted:
    """Remove the log's entries: those of a session, or all."""
    at, count = graph.at, 0
    while ids := stored.turn_ids(at, session, oldest=_AT_ONCE):
        transaction = graph.ctx.ns.transaction()
        known = {turn.id: turn for turn in _records(graph, GraphTurnRecord, ids)}
        for id in ids:
            if (turn := known.get(id)) is not None:
                _drop(transaction, turn)
            changes.remove_turn(transaction, at, id, session if turn is None else turn.session)
        if session is not None:
            changes.remove_log_session(transaction, at, session)
        changes.count_write(transaction, at)
        transaction.commit()
        count += len(ids)
    return Deleted(turns=count)


def _batches(graph: KnowledgeGraph, ids: Sequence[str]) -> Iterator[list[str]]:
    """The entities in groups of a bounded number of statements."""
    batch: list[str] = []
    size = 0
    counts = stored.statement_counts(graph.at, ids, open_only=False)
    for id, (observations, relations) in zip(ids, counts, strict=True):
        if batch and size + observations + relations + 1 > _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(id)
        size += observations + relations + 1
    if batch:
        yield batch


def _records(graph: KnowledgeGraph, model: type[R], ids: Sequence[str]) -> list[R]:
    return [record for record in graph.ctx.ns.get_many(model, list(ids)) if record is not None]


def _flat(groups: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(id for group in groups for id in group))


def _drop_statement(transaction: Transaction, graph: KnowledgeGraph, statement: GraphStatement) -> None:
    _drop(transaction, statement)
    changes.remove_statement(transaction, graph.at, statement)


def _drop(transaction: Transaction, record: Record) -> None:
    """Make a write remove a record, its row, and the work that waits for its vector."""
    transaction.delete(record.kind, record.id)
    transaction.drop_row(record.kind, record.id)
    work.cancel(transaction, vectors.TOPIC, vectors.entry(record.kind, record.id))
