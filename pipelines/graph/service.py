"""A graph as a memory service: one search over what was curated and what was said."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from reverie.config.errors import StoreError
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.card import entity_line, profile_card
from reverie.pipelines.graph.search import Question, nodes, turns
from reverie.pipelines.graph.views import EntityView
from reverie.store.graphs import log_tag
from reverie.store.graphs import reading as stored
from reverie.store.search import Filter, Search
from reverie.store.search import find as find_rows


class Fact(BaseModel):
    """A current observation or relation, with the id by which it can be ended."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str


class Memory(BaseModel):
    """One thing that is remembered.

    kind: `entity` (a line of the graph, with its facts one by one), `turn` (an entry of the episodic log), or `card`
    (the profile card, for a blank query). `score` is in (0, 1].
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["entity", "turn", "card"]
    content: str
    score: float
    at: datetime
    entity: str | None = None
    facts: tuple[Fact, ...] = ()
    turn_id: str | None = None
    author: str | None = None
    session_id: str | None = None


def find(graph: KnowledgeGraph, query: str, limit: int = 10, min_score: float = 0.0) -> list[Memory]:
    """What answers the query, best first, none below `min_score`; for a blank query the profile card."""
    if limit < 1:
        return []
    if not query.strip():
        card = profile_card(graph)
        return [Memory(kind="card", content=card, score=1.0, at=graph.ctx.clock())] if card else []
    as_of = graph.moments(None, None)
    question = Question.of(graph, query)
    hits, said = question.search(graph, [graph.at.id, log_tag(graph.at.id)], limit, as_of.valid)
    found = [
        Memory(
            kind="entity",
            content=entity_line(entity, len(entity.observations)),
            score=entity.score or 0.0,
            at=entity.updated_at,
            entity=entity.name,
            facts=facts(entity),
        )
        for entity in nodes(graph, question, hits, limit, min_score, as_of)
    ]
    found += [
        Memory(
            kind="turn",
            content=turn.content,
            score=score,
            at=turn.at,
            turn_id=turn.id,
            author=turn.author,
            session_id=turn.session_id,
        )
        for turn, score in turns(graph, question, said, limit, min_score)
    ]
    return sorted(found, key=lambda one: -one.score)[:limit]


def facts(entity: EntityView) -> tuple[Fact, ...]:
    """An entity's observations and relations as plain sentences with their ids."""
    observed = [Fact(id=one.id, text=one.text) for one in entity.observations]
    related = [Fact(id=one.id, text=f"{one.source} {one.relation_type} {one.target}") for one in entity.relations]
    return (*observed, *related)


class Health(BaseModel):
    """Whether the graph can be read and searched now; `error` says why not. As a truth value it is `ok`."""

    model_config = ConfigDict(frozen=True)

    ok: bool
    entities: int = 0
    turns: int = 0
    error: str | None = None

    def __bool__(self) -> bool:
        return self.ok


def health_check(graph: KnowledgeGraph) -> Health:
    """Read and search the graph once. Never raises for a store that is down."""
    try:
        find_rows(graph.ctx.ns, [Search(Filter(None, graph=graph.at.id), 1, keywords=("health",))])
        counts = stored.entity_count(graph.at), stored.turn_count(graph.at)
    except StoreError as error:
        return Health(ok=False, error=str(error))
    return Health(ok=True, entities=counts[0], turns=counts[1])
