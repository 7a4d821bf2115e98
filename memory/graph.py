"""The knowledge graph of one user of one app."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from reverie.display import ProfileCard
from reverie.pipelines.context import Context
from reverie.pipelines.graph import card, closing, deleting, export, log, reading, search, service, walk
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.deleting import Deleted
from reverie.pipelines.graph.export import Format
from reverie.pipelines.graph.service import Health, Memory
from reverie.pipelines.graph.views import EntityView, GraphView, ObservationView, RelationView, TurnView
from reverie.pipelines.graph.walk import Neighbourhood
from reverie.pipelines.graph.writing import StoredEntity, StoredObservation, StoredRelation
from reverie.store.graphs import reading as stored
from reverie.tools import curating
from reverie.tools import graph as calls
from reverie.tools.curating import Forgotten, Related, Remembered
from reverie.tools.fields import validated


class Graph:
    """Entities, what is observed of them, their relations and the log of what was said, of one (app, user).

    Every statement has two times: when it held in the world, and when the graph believed so. What changes is ended,
    not overwritten, so that reads can ask for any pair of times (`valid_as_of`, `known_as_of`; default now and now).
    A write is one transaction, and a repeated one changes nothing but the support of what it repeats. Names are kept
    exactly: `Acme` and `ACME` are two entities; only `remember` and `relate` take a name for the one it must mean.

    Every call raises ValidationFailed for what is wrong in it and StoreUnavailable when Redis cannot be reached.
    """

    def __init__(self, ctx: Context, app: str, user: str) -> None:
        scope = validated(calls.GraphScope, app=app, user=user)
        self.ctx = ctx
        self.app = scope.app
        self.user = scope.user
        self.handle = KnowledgeGraph(ctx, scope.app, scope.user)
        """The graph as the functions of `reverie.tools` take it."""

    def __repr__(self) -> str:
        return f"Graph(app={self.app!r}, user={self.user!r}, namespace={self.ctx.namespace!r})"

    # Writing

    def create_entities(self, entities: Sequence[calls.EntityParams | Mapping[str, Any]]) -> list[StoredEntity]:
        """Create entities: `name`, and of `entity_type` ("thing") and `observations` what is known.

        A known entity gets the type given and the observations that are new; a repeated one is reinforced. An
        observation is a text, or a text with the time from which it holds: {"text": ..., "valid_from": ...}.
        """
        return calls.create_entities(self.handle, entities)

    def create_relations(self, relations: Sequence[calls.RelationParams | Mapping[str, Any]]) -> list[StoredRelation]:
        """Create relations: `source`, `relation_type`, `target`, and `valid_from` (now). Ends need not exist yet."""
        return calls.create_relations(self.handle, relations)

    def add_observations(
        self, entity: str, observations: Sequence[calls.ObservationParams | Mapping[str, Any] | str]
    ) -> list[StoredObservation]:
        """Add facts to an entity, and refresh its time. Raises NotFound when there is no such entity."""
        params = validated(calls.ObservationsParams, entity=entity, observations=observations)
        return calls.add_observations(self.handle, params)

    def invalidate_observation(
        self, id: str, *, reason: str | None = None, at: datetime | None = None
    ) -> ObservationView:
        """End an observation at `at` (now); its past stays. Ended twice, it keeps the first time and reason.

        Raises NotFound for an id that is not of this graph.
        """
        params = validated(calls.EndParams, id=id, reason=reason, at=at)
        return closing.invalidate_observation(self.handle, **dict(params))

    def invalidate_relation(self, id: str, *, reason: str | None = None, at: datetime | None = None) -> RelationView:
        """End a relation, as `invalidate_observation` does."""
        params = validated(calls.EndParams, id=id, reason=reason, at=at)
        return closing.invalidate_relation(self.handle, **dict(params))

    def delete_entities(self, names: Sequence[str]) -> Deleted:
        """Remove entities for good, past and all, with every relation that touches them; unknown names are skipped."""
        return deleting.delete_entities(self.handle, validated(calls.NamesParams, names=names).names)

    def delete_user(self) -> Deleted:
        """Remove the whole graph and its log for good."""
        return deleting.delete_user(self.handle)

    # Reading

    def search_nodes(
        self,
        query: str,
        limit: int = 10,
        *,
        min_score: float = 0.0,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> list[EntityView]:
        """The entities a question is about, best first, by the words and the meaning of their names, types,
        observations and relations; [] when nothing fits. An entity shows its 50 newest observations and relations."""
        params = validated(
            calls.NodeSearchParams,
            query=query,
            limit=limit,
            min_score=min_score,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
        )
        return search.search_nodes(self.handle, **dict(params))

    def open_nodes(
        self, names: Sequence[str], *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
    ) -> list[EntityView]:
        """The entities of these names, in the order asked; unknown names are left out."""
        params = validated(calls.NamesParams, names=names, valid_as_of=valid_as_of, known_as_of=known_as_of)
        return reading.open_nodes(self.handle, **dict(params))

    def read_graph(self, *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None) -> GraphView:
        """The whole graph, last updated first; for small graphs and for looking into one."""
        params = validated(calls.AsOfParams, valid_as_of=valid_as_of, known_as_of=known_as_of)
        return reading.read_graph(self.handle, **dict(params))

    def export(
        self, format: Format = "json", *, valid_as_of: datetime | None = None, known_as_of: datetime | None = None
    ) -> str:
        """The whole graph as a document: `json`, `graphml`, `dot` (Graphviz) or `mermaid`."""
        params = validated(calls.ExportParams, format=format, valid_as_of=valid_as_of, known_as_of=known_as_of)
        view = reading.read_graph(self.handle, valid_as_of=params.valid_as_of, known_as_of=params.known_as_of)
        return export.export(self.handle, view, params.format)

    def neighbours(
        self,
        name: str,
        *,
        depth: int = 1,
        limit: int = 50,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> Neighbourhood:
        """The up to `limit` names within `depth` (1 to 6) relations of a name, in either direction, nearest first."""
        params = validated(
            calls.NeighboursParams,
            name=name,
            depth=depth,
            limit=limit,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
        )
        return walk.neighbours(self.handle, **dict(params))

    def profile_card(
        self,
        entities: int = 12,
        observations: int = 5,
        characters: int | None = None,
        *,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
    ) -> str:
        """Who the user is, for a system prompt: what they asked the agent to do from then on, then a line for each of
        the most recently updated entities with its newest current observations.

        Such a line is `Alice (person): goal: run a 10k; prefers morning sessions`.
        `characters` bounds the text; a line is whole or left out. "" when nothing is known.
        """
        params = validated(
            calls.CardParams,
            entities=entities,
            observations=observations,
            characters=characters,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
        )
        return ProfileCard(card.profile_card(self.handle, **dict(params)))

    def entity_count(self) -> int:
        """How many entities there are; a relation's end that was never created is none."""
        return stored.entity_count(self.handle.at)

    # As a memory service

    def add_session(
        self, entries: Sequence[calls.TurnParams | Mapping[str, Any] | str], session_id: str | None = None
    ) -> list[TurnView]:
        """Append to the episodic log: texts, or `content` with `author`, `role`, `at` (now) and `session_id`.

        The same entry of the same session twice is one. The log is apart from the entities: nothing is drawn from it.
        """
        params = validated(calls.SessionParams, entries=entries, session_id=session_id)
        return calls.add_session(self.handle, params)

    def turns(self, session_id: str | None = None, *, newest: int | None = None) -> list[TurnView]:
        """The episodic log, oldest first: all of it or one session's, or the newest entries."""
        params = validated(calls.NewestParams, session_id=session_id, newest=newest)
        return log.turns(self.handle, params.session_id, newest=params.newest)

    def search(self, query: str, limit: int = 10, min_score: float = 0.0) -> list[Memory]:
        """What answers a question, from the graph and from the log, best first; for a blank one the profile card."""
        params = validated(calls.SearchParams, query=query, limit=limit, min_score=min_score)
        return service.find(self.handle, **dict(params))

    def delete_session(self, session_id: str) -> Deleted:
        """Remove a session from the episodic log."""
        params = validated(calls.LogSessionParams, session_id=session_id)
        return deleting.delete_session(self.handle, params.session_id)

    def health_check(self) -> Health:
        """Whether the graph can be read and searched now; never raises for a store that is down."""
        return service.health_check(self.handle)

    # As a model's tools

    def remember(self, entity: str, facts: Sequence[str], entity_type: str | None = None) -> Remembered:
        """Create the entity when it is new and add the facts; the result carries all ids."""
        params = validated(curating.RememberParams, entity=entity, facts=facts, entity_type=entity_type)
        return curating.remember(self.handle, params)

    def relate(self, source: str, relation: str, target: str) -> Related:
        """Create the relation and whichever end is no entity yet."""
        params = validated(curating.RelateParams, source=source, relation=relation, target=target)
        return curating.relate(self.handle, params)

    def forget(self, id: str, reason: str | None = None) -> Forgotten:
        """End the observation or relation of this id. Raises NotFound for one that is not of this graph."""
        return curating.forget(self.handle, validated(curating.ForgetParams, id=id, reason=reason))

    def load_memory(self, query: str = "", limit: int = 5, *, token_budget: int | None = None) -> list[Memory]:
        """What is known about something; without a query the profile card.

        query: what is asked, in plain words.
        limit: most memories, from 1 to 50.
        token_budget: most tokens of their contents together; the best that fit it whole are returned.
        """
        params = validated(curating.LoadMemoryParams, query=query, limit=limit, token_budget=token_budget)
        return curating.load_memory(self.handle, params)
