"""The episodic log: what was said, beside the curated graph and apart from it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.pipelines import vectors
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.views import TurnView, turn_view
from reverie.pipelines.rows.graph import turn_draft
from reverie.store.graphs import changes
from reverie.store.graphs import reading as stored
from reverie.store.records.graph import GraphTurnRecord
from reverie.store.retry import attempts
from reverie.store.times import to_micros


@dataclass(frozen=True)
class Turn:
    """Something said. Without `at` it was said now, and saying the same again in the same session adds nothing."""

    content: str
    author: str | None = None
    at: datetime | None = None
    session: str | None = None
    role: str | None = None
    """Such as "user" or "assistant"."""


def add_turns(graph: KnowledgeGraph, given: Sequence[Turn]) -> list[TurnView]:
    """Store the entries that are new, all in one transaction; every entry as it stands then, in the order given."""
    at, ctx = graph.at, graph.ctx
    ids = [_id(graph, turn) for turn in given]
    for _ in attempts("the log of the graph"):
        now = ctx.clock()
        known = {record.id: record for record in ctx.ns.get_many(GraphTurnRecord, ids) if record is not None}
        new: dict[str, GraphTurnRecord] = {}
        for id, turn in zip(ids, given, strict=True):
            if id not in known:
                new[id] = GraphTurnRecord.new(
                    ctx.ns,
                    id,
                    graph=at.id,
                    content=turn.content,
                    author=turn.author,
                    role=turn.role,
                    session=turn.session,
                    at=turn.at or now,
                    recorded_at=now,
                )
        if not new or _store(graph, list(new.values()), now):
            return [turn_view((known | new)[id]) for id in ids]
    raise AssertionError("attempts end by raising")


def _id(graph: KnowledgeGraph, turn: Turn) -> str:
    at = None if turn.at is None else to_micros(turn.at)
    return graph.at.turn_id(json.dumps([turn.session, turn.author, at, turn.content]))


def _store(graph: KnowledgeGraph, turns: Sequence[GraphTurnRecord], now: datetime) -> bool:
    at, ctx = graph.at, graph.ctx
    transaction = ctx.ns.transaction()
    drafts = [turn_draft(turn) for turn in turns]
    embedded = ctx.quick_embedder.documents([draft.embedded for draft in drafts])
    for place, (turn, draft, vector) in enumerate(zip(turns, drafts, embedded, strict=True)):
        transaction.require_absent(turn.kind, turn.id)
        transaction.put(turn)
        vectors.write_row(transaction, draft, vector, now)
        # A microsecond apart: entries of one moment keep the order they were given in.
        moment = to_micros(turn.at) + place
        changes.enter_turn(transaction, at, turn, moment)
    changes.enter_graph(transaction, at)
    if not transaction.commit().committed:
        return False
    if any(vector is None for vector in embedded):
        ctx.wake(vectors.TOPIC, ctx.namespace)
    return True


def turns(graph: KnowledgeGraph, session: str | None = None, *, newest: int | None = None) -> list[TurnView]:
    """The log, oldest first: all of it, of one session, or its newest entries."""
    ids = stored.turn_ids(graph.at, session, newest=newest)
    return [turn_view(record) for record in graph.ctx.ns.get_many(GraphTurnRecord, ids) if record is not None]


def sessions(graph: KnowledgeGraph) -> list[str]:
    """The sessions of the log, by their last entry's time."""
    return stored.log_sessions(graph.at)
