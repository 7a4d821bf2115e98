"""Writing and reading the knowledge graph of an (app, user)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from reverie.pipelines.graph import log
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.export import Format
from reverie.pipelines.graph.views import TurnView
from reverie.pipelines.graph.writing import (
    EntityDraft,
    RelationDraft,
    Statement,
    StoredEntity,
    StoredObservation,
    StoredRelation,
    write,
)
from reverie.tools.fields import AnyText, Count, Id, Moment, Name, Params, Several, Text, Unit, validated
from reverie.tools.observe import Role

MAX_DEPTH = 6
"""Farthest that `neighbours` walks."""
MAX_LIMIT = 1000


class GraphScope(Params):
    """The app and the user to whom a graph belongs."""

    app: Id
    user: Id


class ObservationParams(Params):
    """A fact about an entity. A plain text is one that holds from now on."""

    text: Text
    valid_from: Moment | None = None


def _from_text(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


Observation = Annotated[ObservationParams, BeforeValidator(_from_text)]


class EntityParams(Params):
    """An entity. Without a type a new one is a `thing`, and a known one keeps its type."""

    name: Name
    entity_type: Name | None = None
    observations: Several[Observation] = ()


class RelationParams(Params):
    """source -relation_type-> target. Either end may be no entity yet."""

    source: Name
    relation_type: Name
    target: Name
    valid_from: Moment | None = None


class ObservationsParams(Params):
    """Facts to add to an entity that exists."""

    entity: Name
    observations: Several[Observation] = Field(min_length=1)


class EndParams(Params):
    """What stops holding: at `at`, or now."""

    id: Id
    reason: Text | None = None
    at: Moment | None = None


class TurnParams(Params):
    """An entry of the episodic log. A plain text is one said now by nobody in particular."""

    content: Text
    author: Name | None = None
    role: Role | None = None
    at: Moment | None = None
    session_id: Id | None = None


Turn = Annotated[TurnParams, BeforeValidator(lambda value: {"content": value} if isinstance(value, str) else value)]


class SessionParams(Params):
    entries: Several[Turn]
    session_id: Id | None = None


class AsOfParams(Params):
    """As of which two times is read; None is now."""

    valid_as_of: Moment | None = None
    known_as_of: Moment | None = None


class SearchParams(Params):
    """A question, how many answers are wanted and how good they must be."""

    query: AnyText
    limit: Annotated[Count, Field(le=MAX_LIMIT)] = 10
    min_score: Unit = 0.0


class NodeSearchParams(SearchParams, AsOfParams):
    """A search of the graph as it was at two times."""


class NamesParams(AsOfParams):
    names: Several[Name]


class CardParams(AsOfParams):
    entities: Count = 12
    observations: Count = 5
    characters: Count | None = None


class NeighboursParams(AsOfParams):
    name: Name
    depth: Annotated[Count, Field(le=MAX_DEPTH)] = 1
    limit: Annotated[Count, Field(le=MAX_LIMIT)] = 50


class ExportParams(AsOfParams):
    format: Format = "json"


class LogSessionParams(Params):
    session_id: Id


class NewestParams(Params):
    session_id: Id | None = None
    newest: Count | None = None


class _Entities(Params):
    entities: Several[EntityParams]


class _Relations(Params):
    relations: Several[RelationParams]


def create_entities(graph: KnowledgeGraph, entities: Sequence[EntityParams | Mapping[str, Any]]) -> list[StoredEntity]:
    """Create or update entities, in one transaction; see `Graph.create_entities`."""
    checked = validated(_Entities, entities=entities).entities
    drafts = [EntityDraft(one.name, one.entity_type, statements(one.observations)) for one in checked]
    return list(write(graph, drafts).entities) if drafts else []


def create_relations(
    graph: KnowledgeGraph, relations: Sequence[RelationParams | Mapping[str, Any]]
) -> list[StoredRelation]:
    """Create relations, in one transaction; see `Graph.create_relations`."""
    checked = validated(_Relations, relations=relations).relations
    drafts = [RelationDraft(one.source, one.relation_type, one.target, one.valid_from) for one in checked]
    return list(write(graph, [], drafts).relations) if drafts else []


def add_observations(graph: KnowledgeGraph, params: ObservationsParams) -> list[StoredObservation]:
    """Add facts to an entity; see `Graph.add_observations`."""
    draft = EntityDraft(params.entity, None, statements(params.observations), must_exist=True)
    return list(write(graph, [draft]).entities[0].observations)


def statements(observations: Sequence[ObservationParams]) -> tuple[Statement, ...]:
    return tuple(Statement(one.text, one.valid_from) for one in observations)


def add_session(graph: KnowledgeGraph, params: SessionParams) -> list[TurnView]:
    """Append to the episodic log; see `Graph.add_session`."""
    entries = [
        log.Turn(
            one.content,
            one.author,
            one.at,
            one.session_id if one.session_id is not None else params.session_id,
            one.role,
        )
        for one in params.entries
    ]
    return log.add_turns(graph, entries) if entries else []
