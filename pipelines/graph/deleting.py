"""Removing from a graph for good: records, rows, edges and queued work. To end a fact and keep its past, see `closing`.

What is to go is read first, and goes in one transaction that is refused when anything was written to the graph since:
so nothing is left over that was added meanwhile. A graph of more than some thousand statements goes in several, each of
whole entities; a call that was interrupted is completed by calling again.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reverie.knowledge.wording import folded
from reverie.pipelines import vectors
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.places import INFERRED_FROM, relation_sets, statement_sets
from reverie.store.client import freeing
from reverie.store.commit import Transaction
from reverie.store.graph import registry
from reverie.store.keys import encode
from reverie.store.records.base import Record
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
)
from reverie.store.retry import attempts
from reverie.store.space import reachable

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
def delete_entities(graph: KnowledgeGraph, names: Sequence[str]) -> Deleted:
    """Remove these entities with their observations and every relation that touches them; unknown names are skipped."""
    return _delete(graph, [graph.at.entity_id(name) for name in dict.fromkeys(names)])


@freeing()
def delete_session(graph: KnowledgeGraph, session: str) -> Deleted:
    """Remove a session's entries from the episodic log."""
    return _delete_turns(graph, graph.at.session(session), session)


@freeing()
def delete_user(graph: KnowledgeGraph) -> Deleted:
    """Remove the whole graph and its log: nothing of this user of this app is left."""
    gone, at, client = Deleted(), graph.at, graph.kb.space.client
    for _ in attempts("the graph"):
        with reachable():
            ids = [id.decode() for id in client.zrange(at.entities, 0, -1)]
        for batch in _batches(graph, ids):
            gone += _delete(graph, batch)
        gone += _delete_turns(graph, at.turns, None)
        with reachable():
            writes = client.get(at.writes)
            relation_ids = [id.decode() for id in client.zrange(at.relations, 0, -1)]
            left = client.zcard(at.entities) + client.zcard(at.turns)
        transaction = graph.kb.space.transaction()
        transaction.require("value", at.writes, writes or b"")
        relations = _records(graph, GraphRelationRecord, relation_ids)
        for relation in relations:
            _drop_relation(transaction, graph, relation)
        # What a name that is no entity left behind: the sets of its relations are empty now, and so not there.
        for key in (at.names, at.relations, at.open_relations, at.sessions, at.writes):
            transaction.run("DEL", key)
        transaction.run("HDEL", registry(graph.kb.space), at.id)
        if not left and transaction.commit().committed:
            return gone + Deleted(relations=len(relations))
    raise AssertionError("attempts end by raising")


def take_back(graph: KnowledgeGraph, statement: GraphStatement, message: str) -> bool | None:
    """Take a message from the sources of a statement. True when the statement went with it, because it was inferred
    from nothing else; its entity goes too when it was only inferred and is left with nothing. None when somebody
    changed it meanwhile.
    """
    at = graph.at
    transaction = graph.kb.space.transaction()
    transaction.require("revision", statement.key(), statement.revision)
    others = [one for one in graph.kb.space.targets((statement.kind, statement.id), INFERRED_FROM) if one[1] != message]
    if statement.provenance == "inferred" and not others:
        _drop_statement(transaction, statement)
        for every, still in statement_sets(graph, statement):
            transaction.run("ZREM", every, statement.id)
            transaction.run("ZREM", still, statement.id)
        transaction.run("INCR", at.writes)
        if not transaction.commit().committed:
            return None
        _delete_if_empty(graph, statement)
        return True
    kept = [source for source in statement.sources if source != message]
    transaction.put(
        statement.model_copy(
            update={
                "sources": kept,
                "support": max(1, statement.support - 1),
                "revision": statement.revision + 1,
            }
        )
    )
    row = graph.kb.space.keys.row(statement.kind, statement.id)
    transaction.run("HSET", row, "src", json.dumps(kept), when=transaction.when_exists(row))
    transaction.unlink(INFERRED_FROM, (statement.kind, statement.id), ("message", message))
    return False if transaction.commit().committed else None


def _delete_if_empty(graph: KnowledgeGraph, statement: GraphStatement) -> None:
    """Remove the entities of a statement that went, if they were only inferred and nothing is said of them."""
    names = [statement.name] if isinstance(statement, GraphObservationRecord) else []
    names = [statement.source, statement.target] if isinstance(statement, GraphRelationRecord) else names
    at = graph.at
    for name in names:
        id = at.entity_id(name)
        entity = graph.kb.space.get(GraphEntityRecord, id)
        if entity is None or entity.provenance == "curated":
            continue
        with reachable():
            keys = (at.observations(id, open_only=False), at.touching(id, open_only=False))
            told = graph.kb.space.client.exists(*keys)
        if not told:
            delete_entities(graph, [name])


def _delete(graph: KnowledgeGraph, ids: Sequence[str]) -> Deleted:
    """Remove the entities of these ids in one transaction."""
    at, client = graph.at, graph.kb.space.client
    for _ in attempts("the graph"):
        with reachable():
            writes = client.get(at.writes)
            pipe = client.pipeline(transaction=False)
            for id in ids:
                pipe.zrange(at.observations(id, open_only=False), 0, -1)
                pipe.zrange(at.touching(id, open_only=False), 0, -1)
            groups = [[member.decode() for member in group] for group in pipe.execute()]
        entities = _records(graph, GraphEntityRecord, ids)
        observations = _records(graph, GraphObservationRecord, _flat(groups[::2]))
        relations = _records(graph, GraphRelationRecord, _flat(groups[1::2]))
        if not entities:
            return Deleted()
        transaction = graph.kb.space.transaction()
        transaction.require("value", at.writes, writes or b"")
        for entity in entities:
            _drop(transaction, entity)
            transaction.run("ZREM", at.entities, entity.id)
            transaction.run("ZREM", at.names, f"{encode(folded(entity.name))}:{entity.id}")
            for open_only in (True, False):
                transaction.run("DEL", at.observations(entity.id, open_only=open_only))
        for observation in observations:
            _drop_statement(transaction, observation)
        gone = {entity.name for entity in entities}
        relations = [relation for relation in relations if gone & {relation.source, relation.target}]
        for relation in relations:
            _drop_relation(transaction, graph, relation)
        transaction.run("INCR", at.writes)
        if transaction.commit().committed:
            return Deleted(len(entities), len(observations), len(relations))
    raise AssertionError("attempts end by raising")


def _delete_turns(graph: KnowledgeGraph, key: str, session: str | None) -> Deleted:
    """Remove the log's entries that a sorted set names."""
    at, client, count = graph.at, graph.kb.space.client, 0
    while True:
        with reachable():
            ids = [id.decode() for id in client.zrange(key, 0, _AT_ONCE - 1)]
        if not ids:
            return Deleted(turns=count)
        transaction = graph.kb.space.transaction()
        for turn in _records(graph, GraphTurnRecord, ids):
            _drop(transaction, turn)
            if turn.session is not None:
                transaction.run("ZREM", at.session(turn.session), turn.id)
        for id in ids:
            transaction.run("ZREM", at.turns, id)
            transaction.run("ZREM", key, id)
        if session is not None:
            transaction.run("ZREM", at.sessions, encode(session))
        transaction.run("INCR", at.writes)
        transaction.commit()
        count += len(ids)


def _batches(graph: KnowledgeGraph, ids: Sequence[str]) -> Iterator[list[str]]:
    """The entities in groups of a bounded number of statements."""
    pipe = graph.kb.space.client.pipeline(transaction=False)
    for id in ids:
        pipe.zcard(graph.at.observations(id, open_only=False))
        pipe.zcard(graph.at.touching(id, open_only=False))
    with reachable():
        counts = pipe.execute() if ids else []
    batch: list[str] = []
    size = 0
    for id, observations, relations in zip(ids, counts[::2], counts[1::2], strict=True):
        if batch and size + observations + relations + 1 > _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(id)
        size += observations + relations + 1
    if batch:
        yield batch


def _records(graph: KnowledgeGraph, model: type[R], ids: Sequence[str]) -> list[R]:
    return [record for record in graph.kb.space.get_many(model, list(ids)) if record is not None]


def _flat(groups: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(id for group in groups for id in group))


def _drop_relation(transaction: Transaction, graph: KnowledgeGraph, relation: GraphRelationRecord) -> None:
    _drop_statement(transaction, relation)
    for every, still in relation_sets(graph, relation):
        transaction.run("ZREM", every, relation.id)
        transaction.run("ZREM", still, relation.id)


def _drop_statement(transaction: Transaction, statement: GraphStatement) -> None:
    _drop(transaction, statement)
    for message in statement.sources:
        transaction.unlink(INFERRED_FROM, (statement.kind, statement.id), ("message", message))


def _drop(transaction: Transaction, record: Record) -> None:
    """Record, row, and the work that waits for its vector."""
    transaction.run("DEL", record.key())
    transaction.drop_row(record.kind, record.id)
    entry = vectors.entry(record.kind, record.id)
    keys = transaction.space.keys
    transaction.run("ZREM", keys.work(vectors.TOPIC), entry)
    transaction.run("HDEL", keys.attempts(vectors.TOPIC), entry)
