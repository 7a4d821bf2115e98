"""Reading a knowledge graph: each verb is one round trip, whatever is asked for."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from reverie.store.graphs.keys import GraphKeys, registry
from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record, unwrapped
from reverie.store.records.graph import GraphEntityRecord, GraphObservationRecord, GraphRelationRecord
from reverie.store.times import from_micros
from reverie.store.unreadable import each

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class EntityReading:
    """An entity as it is stored, and the ids of its statements, last opened first."""

    record: GraphEntityRecord
    updated_at: datetime
    observations: tuple[str, ...]
    relations: tuple[str, ...]


def owners(ns: Namespace) -> list[tuple[str, str]]:
    """The (app, user) of every graph of the namespace."""
    found: list[bytes] = ns.client.hvals(registry(ns))
    return [(owner["app"], owner["user"]) for owner in map(json.loads, found)]


def entity_ids(graph: GraphKeys, *, newest: int | None = None) -> list[str]:
    """Ids of the entities, last updated first: all, or the `newest`."""
    if newest == 0:
        return []
    return _ids(graph.ns.client.zrevrange(graph.entities, 0, -1 if newest is None else newest - 1))


def relation_ids(graph: GraphKeys, *, open_only: bool) -> list[str]:
    """Ids of the relations in the order they were opened: all, or those that have not ended."""
    return _ids(graph.ns.client.zrange(graph.open_relations if open_only else graph.relations, 0, -1))


def entity_count(graph: GraphKeys) -> int:
    """How many entities there are; a relation's end that was never created is none."""
    return int(graph.ns.client.zcard(graph.entities))


def turn_count(graph: GraphKeys) -> int:
    """How many entries the episodic log has."""
    return int(graph.ns.client.zcard(graph.turns))


def write_count(graph: GraphKeys) -> bytes:
    """The counter that every write moves; b"" before the first."""
    found: bytes | None = graph.ns.client.get(graph.writes)
    return found or b""


def entities(
    graph: GraphKeys, ids: Sequence[str], *, open_only: bool, newest: int | None = None, relations: bool = True
) -> dict[str, EntityReading]:
    """The entities of these ids that exist, by id.

    With `open_only` only statements that have not ended are named; `newest` bounds the observations and the relations
    of each; without `relations` those are left out.
    """
    if not ids:
        return {}
    last = -1 if newest is None else newest - 1
    pipe = graph.ns.client.pipeline(transaction=False)
    _ask(pipe, graph, GraphEntityRecord, ids)
    pipe.zmscore(graph.entities, list(ids))
    for id in ids:
        pipe.zrevrange(graph.observations(id, open_only=open_only), 0, last)
    if relations:
        for id in ids:
            pipe.zrevrange(graph.touching(id, open_only=open_only), 0, last)
    documents, scores, *members = pipe.execute()
    records = _records(graph, GraphEntityRecord, ids, documents)
    observed, touching = members[: len(ids)], members[len(ids) :] or [[]] * len(ids)
    return {
        id: EntityReading(
            records[id],
            records[id].recorded_at if score is None else from_micros(score),
            tuple(_ids(observations)),
            tuple(_ids(edges)),
        )
        for id, score, observations, edges in zip(ids, scores, observed, touching, strict=True)
        if id in records and records[id].graph == graph.id
    }


def statements(
    graph: GraphKeys, observations: Iterable[str], relations: Iterable[str]
) -> tuple[dict[str, GraphObservationRecord], dict[str, GraphRelationRecord]]:
    """The observations and the relations of these ids that exist, by id."""
    wanted, edges = list(dict.fromkeys(observations)), list(dict.fromkeys(relations))
    if not wanted and not edges:
        return {}, {}
    pipe = graph.ns.client.pipeline(transaction=False)
    _ask(pipe, graph, GraphObservationRecord, wanted)
    _ask(pipe, graph, GraphRelationRecord, edges)
    replies = pipe.execute()
    said = _records(graph, GraphObservationRecord, wanted, replies.pop(0)) if wanted else {}
    return said, _records(graph, GraphRelationRecord, edges, replies.pop(0)) if edges else {}


def statement_ids(
    graph: GraphKeys, entity_ids: Sequence[str], *, open_only: bool, newest: int | None = None
) -> list[tuple[list[str], list[str]]]:
    """For each entity (or name, by its id) the ids of its observations and of the relations that touch it, last opened
    first, up to the `newest` of each."""
    if not entity_ids:
        return []
    last = -1 if newest is None else newest - 1
    pipe = graph.ns.client.pipeline(transaction=False)
    for id in entity_ids:
        pipe.zrevrange(graph.observations(id, open_only=open_only), 0, last)
        pipe.zrevrange(graph.touching(id, open_only=open_only), 0, last)
    replies = pipe.execute()
    return [(_ids(said), _ids(edges)) for said, edges in zip(replies[::2], replies[1::2], strict=True)]


def statement_counts(graph: GraphKeys, entity_ids: Sequence[str], *, open_only: bool) -> list[tuple[int, int]]:
    """For each entity how many observations it has and how many relations touch it."""
    if not entity_ids:
        return []
    pipe = graph.ns.client.pipeline(transaction=False)
    for id in entity_ids:
        pipe.zcard(graph.observations(id, open_only=open_only))
        pipe.zcard(graph.touching(id, open_only=open_only))
    replies = pipe.execute()
    return [(int(said), int(edges)) for said, edges in zip(replies[::2], replies[1::2], strict=True)]


def ids_called(graph: GraphKeys, folded_names: Sequence[str]) -> list[list[str]]:
    """For each folded name the ids of the entities whose name folds to it."""
    if not folded_names:
        return []
    pipe = graph.ns.client.pipeline(transaction=False)
    for name in folded_names:
        prefix = f"[{encode(name)}:"
        pipe.zrangebylex(graph.names, prefix, prefix + "\x7f")
    return [[member.rpartition(":")[2] for member in _ids(group)] for group in pipe.execute()]


def turn_ids(
    graph: GraphKeys, session: str | None = None, *, newest: int | None = None, oldest: int | None = None
) -> list[str]:
    """Ids of the log's entries in order of time: all or a session's, up to the `newest` or the `oldest` of them."""
    if newest == 0:
        return []
    key = graph.turns if session is None else graph.session(session)
    first, last = (0 if newest is None else -newest), (-1 if oldest is None else oldest - 1)
    return _ids(graph.ns.client.zrange(key, first, last))


def log_sessions(graph: GraphKeys) -> list[str]:
    """The sessions of the log, by their last entry's time."""
    return [decode(id) for id in graph.ns.client.zrange(graph.sessions, 0, -1)]


def _ids(members: Iterable[bytes]) -> list[str]:
    return [member.decode() for member in members]


def _ask(pipe: Any, graph: GraphKeys, model: type[Record], ids: Sequence[str]) -> None:
    if ids:
        pipe.execute_command("JSON.MGET", *(graph.ns.keys.record(model.kind, id) for id in ids), "$")


def _records(graph: GraphKeys, model: type[R], ids: Sequence[str], documents: Iterable[bytes | None]) -> dict[str, R]:
    """The records of a JSON.MGET by id, without those that are not there or cannot be read."""
    there = [unwrapped(document) if document and document != b"[]" else None for document in documents]
    found = each(graph.ns, model.kind, there, model.read, ids, partial(model.salvaged, graph.ns))
    return {record.id: record for record in found if record is not None}
