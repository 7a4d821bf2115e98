"""The knowledge graph of an (app, user): entities, what is observed of them, their relations, and the episodic log."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from reverie.store.records.base import Record
from reverie.store.records.facts import Version

Provenance = Literal["curated", "inferred"]
"""Who stands behind a statement: somebody who wrote it into the graph, or the extraction from messages."""


class GraphRecord(Record):
    """What every record of a graph has. `graph` is the id of its (app, user); see `store.graphs`."""

    graph: str


class GraphEntityRecord(GraphRecord, index=True):
    """A named thing. When it was last updated is its score among the entities, so that a fact changes no entity."""

    kind = "graph_entity"
    name: str
    type: str = "thing"
    provenance: Provenance = "curated"


class GraphStatement(GraphRecord):
    """What is held true over intervals of two times, and by how much: the base of observations and relations."""

    versions: list[Version]
    support: int = 1
    """How often it was stated."""
    provenance: Provenance = "curated"
    sources: list[str] = Field(default_factory=list)
    """Ids of the messages it was inferred from."""
    slot: str | None = None
    """Of what was inferred: its subject and predicate, when that predicate has one value at a time."""

    @property
    def final(self) -> Version:
        """The last version believed in; of a statement that was called off altogether, one that never held."""
        last = max(self.versions, key=lambda one: (one.retired_at is None, one.valid_from, one.number))
        if last.retired_at is None:
            return last
        return last.model_copy(update={"valid_to": last.valid_from, "reason": last.retirement})


class GraphObservationRecord(GraphStatement, index=True):
    """A fact about one entity. The id is made from the entity and the folded text."""

    kind = "graph_observation"
    entity: str
    """Id of the entity; `name` is its name."""
    name: str
    text: str


class GraphRelationRecord(GraphStatement, index=True):
    """A typed edge between two names, of which either may be no entity yet. The id is made from all three."""

    kind = "graph_relation"
    source: str
    type: str
    target: str


class GraphTurnRecord(GraphRecord, index=True):
    """One entry of the episodic log."""

    kind = "graph_turn"
    content: str
    author: str | None = None
    role: str | None = None
    session: str | None = None
    at: datetime
