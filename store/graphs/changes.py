"""Changing a knowledge graph: what a transaction does to the sorted sets by which its records are found."""

import json
from datetime import datetime
from typing import Final

from reverie.store.commit import Transaction
from reverie.store.graphs.keys import GraphKeys, registry
from reverie.store.keys import encode
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
    Provenance,
)
from reverie.store.times import to_micros

INFERRED_FROM: Final = "INFERRED_FROM"
"""Edge from a statement to a message it was inferred from."""
_INFERRED_BELOW: Final = 2**52
"""Taken from the score of what was inferred, so that it stands below all that was curated; a score holds 2^53."""


def count_write(transaction: Transaction, graph: GraphKeys) -> None:
    """Count a write, so that a deletion sees that something came meanwhile."""
    transaction.by_key.run("INCR", graph.writes)


def require_no_write_since(transaction: Transaction, graph: GraphKeys, count: bytes) -> None:
    """Nothing is written unless the count of writes is still what `reading.write_count` gave."""
    transaction.by_key.require_value(graph.writes, count)


def enter_graph(transaction: Transaction, graph: GraphKeys) -> None:
    """Enter the graph among those of its namespace, and count the write."""
    owner = json.dumps({"app": graph.app, "user": graph.user})
    transaction.by_key.run("HSETNX", registry(graph.ns), graph.id, owner)
    count_write(transaction, graph)


def remove_graph(transaction: Transaction, graph: GraphKeys) -> None:
    """Remove what is left of a graph whose records are gone."""
    for key in (graph.names, graph.relations, graph.open_relations, graph.sessions, graph.writes):
        transaction.by_key.run("DEL", key)
    transaction.by_key.run("HDEL", registry(graph.ns), graph.id)


def enter_name(transaction: Transaction, graph: GraphKeys, entity: GraphEntityRecord, folded_name: str) -> None:
    """Let a new entity be found by its folded name."""
    transaction.by_key.run("ZADD", graph.names, 0, _name_member(entity, folded_name))


def touch_entity(transaction: Transaction, graph: GraphKeys, entity_id: str, now: datetime, *, make: bool) -> None:
    """Set when an entity was last updated, never back; with `make` it is entered among the entities, too."""
    options = ("GT",) if make else ("XX", "GT")
    transaction.by_key.run("ZADD", graph.entities, *options, to_micros(now), entity_id)


def remove_entity(transaction: Transaction, graph: GraphKeys, entity: GraphEntityRecord, folded_name: str) -> None:
    """Take an entity out of all that it is found by; its relations are removed by themselves."""
    transaction.by_key.run("ZREM", graph.entities, entity.id)
    transaction.by_key.run("ZREM", graph.names, _name_member(entity, folded_name))
    for open_only in (True, False):
        transaction.by_key.run("DEL", graph.observations(entity.id, open_only=open_only))


def enter_statement(transaction: Transaction, graph: GraphKeys, statement: GraphStatement, moment: int) -> None:
    """Enter a statement in all of its orders by the moment (in microseconds) at which it was opened."""
    for every, _ in _orders(graph, statement):
        transaction.by_key.run("ZADD", every, moment, statement.id)


def open_statement(
    transaction: Transaction, graph: GraphKeys, statement: GraphStatement, provenance: Provenance, moment: int
) -> None:
    """Enter a statement among those that have not ended: what was inferred stands below what was curated."""
    score = moment if provenance == "curated" else moment - _INFERRED_BELOW
    for _, still in _orders(graph, statement):
        transaction.by_key.run("ZADD", still, score, statement.id)


def close_statement(transaction: Transaction, graph: GraphKeys, statement: GraphStatement) -> None:
    """Take a statement that ended from among those that have not."""
    for _, still in _orders(graph, statement):
        transaction.by_key.run("ZREM", still, statement.id)


def remove_statement(transaction: Transaction, graph: GraphKeys, statement: GraphStatement) -> None:
    """Take a statement out of all that it is found by, and from the messages it was inferred from."""
    for every, still in _orders(graph, statement):
        transaction.by_key.run("ZREM", every, statement.id)
        transaction.by_key.run("ZREM", still, statement.id)
    for message in statement.sources:
        transaction.unlink(INFERRED_FROM, (statement.kind, statement.id), ("message", message))


def forget_source(transaction: Transaction, statement: GraphStatement, message: str, remaining: list[str]) -> None:
    """Take a message from the sources of a statement's row and from its edges."""
    transaction.change_row(statement.kind, statement.id, "src", json.dumps(remaining))
    transaction.unlink(INFERRED_FROM, (statement.kind, statement.id), ("message", message))


def enter_turn(transaction: Transaction, graph: GraphKeys, turn: GraphTurnRecord, moment: int) -> None:
    """Enter an entry of the log by the moment (in microseconds) at which it was said."""
    transaction.by_key.run("ZADD", graph.turns, moment, turn.id)
    if turn.session is not None:
        transaction.by_key.run("ZADD", graph.session(turn.session), moment, turn.id)
        transaction.by_key.run("ZADD", graph.sessions, "GT", moment, encode(turn.session))


def remove_turn(transaction: Transaction, graph: GraphKeys, id: str, session: str | None) -> None:
    """Take an entry out of the log and out of its session."""
    transaction.by_key.run("ZREM", graph.turns, id)
    if session is not None:
        transaction.by_key.run("ZREM", graph.session(session), id)


def remove_log_session(transaction: Transaction, graph: GraphKeys, session: str) -> None:
    """Take a session without entries out of the log."""
    transaction.by_key.run("ZREM", graph.sessions, encode(session))


def _name_member(entity: GraphEntityRecord, folded_name: str) -> str:
    return f"{encode(folded_name)}:{entity.id}"


def _orders(graph: GraphKeys, statement: GraphStatement) -> list[tuple[str, str]]:
    """For each order that a statement stands in: the key of all its statements, and of those that have not ended.

    An observation is found at its entity; a relation at both of its ends and in the whole graph.
    """
    if isinstance(statement, GraphObservationRecord):
        entity = statement.entity
        return [(graph.observations(entity, open_only=False), graph.observations(entity, open_only=True))]
    assert isinstance(statement, GraphRelationRecord)
    ends = dict.fromkeys([graph.entity_id(statement.source), graph.entity_id(statement.target)])
    touching = [(graph.touching(end, open_only=False), graph.touching(end, open_only=True)) for end in ends]
    return [*touching, (graph.relations, graph.open_relations)]
