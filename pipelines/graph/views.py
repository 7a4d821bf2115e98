"""What a reader of a graph gets."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from reverie.store.records.facts import Version
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
    Provenance,
)


class _View(BaseModel):
    model_config = ConfigDict(frozen=True)


class Held(_View):
    """When a statement holds: in the world from `valid_from` until `valid_to` (None: still), as the system believed
    from `recorded_at` on. `reason` says why it ended. `support` counts how often it was stated."""

    id: str
    valid_from: datetime
    valid_to: datetime | None = None
    recorded_at: datetime
    reason: str | None = None
    support: int = 1
    provenance: Provenance = "curated"
    sources: tuple[str, ...] = ()


class ObservationView(Held):
    """A fact about an entity."""

    entity: str
    text: str


class RelationView(Held):
    """A typed edge between two names."""

    source: str
    relation_type: str
    target: str


class EntityView(_View):
    """An entity with its observations, newest first, and the relations that touch it. `score` is set by a search."""

    name: str
    entity_type: str
    updated_at: datetime
    observations: tuple[ObservationView, ...] = ()
    relations: tuple[RelationView, ...] = ()
    score: float | None = None


class GraphView(_View):
    """A whole graph or a part of it."""

    entities: tuple[EntityView, ...] = ()
    relations: tuple[RelationView, ...] = ()


class TurnView(_View):
    """An entry of the episodic log."""

    id: str
    content: str
    author: str | None = None
    role: str | None = None
    session_id: str | None = None
    at: datetime


def observation_view(record: GraphObservationRecord, version: Version) -> ObservationView:
    return ObservationView(entity=record.name, text=record.text, **_held(record, version))


def relation_view(record: GraphRelationRecord, version: Version) -> RelationView:
    return RelationView(source=record.source, relation_type=record.type, target=record.target, **_held(record, version))


def _held(record: GraphStatement, version: Version) -> dict[str, Any]:
    return {
        "id": record.id,
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "recorded_at": version.recorded_at,
        "reason": version.reason,
        "support": record.support,
        "provenance": record.provenance,
        "sources": tuple(record.sources),
    }


def entity_view(
    record: GraphEntityRecord,
    updated_at: datetime,
    observations: tuple[ObservationView, ...] = (),
    relations: tuple[RelationView, ...] = (),
    score: float | None = None,
) -> EntityView:
    return EntityView(
        name=record.name,
        entity_type=record.type,
        updated_at=updated_at,
        observations=observations,
        relations=relations,
        score=score,
    )


def turn_view(record: GraphTurnRecord) -> TurnView:
    return TurnView(
        id=record.id,
        content=record.content,
        author=record.author,
        role=record.role,
        session_id=record.session,
        at=record.at,
    )
