"""Writing statements into a graph: entities, observations and relations of one call are one transaction.

What is written is read first and guarded: when somebody changed it meanwhile, nothing is stored and the call is planned
again from what stands there now. So a repeated or concurrent statement reinforces the one that exists.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from reverie.config.errors import NotFound
from reverie.knowledge.statements import is_open, stated
from reverie.knowledge.wording import folded
from reverie.models.embedders import Vector
from reverie.pipelines import vectors
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.rows import Draft
from reverie.pipelines.rows.graph import entity_draft, observation_draft, relation_draft
from reverie.store.graphs import changes
from reverie.store.records.base import Record
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
)
from reverie.store.retry import attempts
from reverie.store.times import to_micros

S = TypeVar("S", bound=GraphStatement)


@dataclass(frozen=True)
class Statement:
    """A fact to be held true of an entity, from `valid_from` (None: now) on. `slot`: see its record."""

    text: str
    valid_from: datetime | None = None
    slot: str | None = None


@dataclass(frozen=True)
class EntityDraft:
    """An entity to be there. With `must_exist` it is not made; `entity_type` None keeps the type it has."""

    name: str
    entity_type: str | None = None
    statements: tuple[Statement, ...] = ()
    must_exist: bool = False


@dataclass(frozen=True)
class RelationDraft:
    """A relation to be held true."""

    source: str
    relation_type: str
    target: str
    valid_from: datetime | None = None
    slot: str | None = None


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True)


class StoredObservation(_Result):
    """What became of one observation: `created` when it was not held true before. `support` counts statements of it."""

    id: str
    text: str
    created: bool
    support: int


class StoredRelation(_Result):
    """What became of one relation, as `StoredObservation`."""

    id: str
    source: str
    relation_type: str
    target: str
    created: bool
    support: int


class StoredEntity(_Result):
    """What became of one entity, its observations in the order given."""

    name: str
    entity_type: str
    created: bool
    observations: tuple[StoredObservation, ...] = ()


class Written(_Result):
    """What one write did."""

    entities: tuple[StoredEntity, ...] = ()
    relations: tuple[StoredRelation, ...] = ()


def write(
    graph: KnowledgeGraph,
    entities: Sequence[EntityDraft],
    relations: Sequence[RelationDraft] = (),
    *,
    inferred_from: MessageRecord | None = None,
) -> Written:
    """Store all of it or nothing. Raises NotFound for an entity that must exist and does not, StoreUnavailable.

    With `inferred_from` it is marked as inferred from that message, and nothing is stored once the message is gone.
    """
    known: dict[str, Vector | None] = {}
    for _ in attempts("the graph"):
        plan = _Plan(graph, merged(entities), list(dict.fromkeys(relations)), inferred_from)
        if plan.commit(known):
            return plan.written
        if inferred_from is not None and graph.ctx.ns.get(MessageRecord, inferred_from.id) is None:
            raise NotFound("message", inferred_from.id)
    raise AssertionError("attempts end by raising")


def merged(entities: Sequence[EntityDraft]) -> list[EntityDraft]:
    """One draft a name, with the statements of all that named it, each text once."""
    found: dict[str, EntityDraft] = {}
    for draft in entities:
        before = found.get(draft.name, EntityDraft(draft.name, must_exist=True))
        statements = {folded(one.text): one for one in reversed((*before.statements, *draft.statements))}
        found[draft.name] = EntityDraft(
            draft.name,
            draft.entity_type or before.entity_type,
            tuple(reversed(statements.values())),
            before.must_exist and draft.must_exist,
        )
    return list(found.values())


@dataclass
class _Plan:
    """One attempt: what is there, and the transaction that makes of it what is wanted."""

    graph: KnowledgeGraph
    entities: list[EntityDraft]
    relations: list[RelationDraft]
    message: MessageRecord | None
    written: Written = field(default_factory=Written)
    _drafts: list[Draft] = field(default_factory=list)

    def commit(self, known: dict[str, Vector | None]) -> bool:
        """Read, plan and send; False when somebody else was quicker. `known` keeps vectors from attempt to attempt."""
        ctx = self.graph.ctx
        self._now = ctx.clock()
        self._transaction = ctx.ns.transaction()
        if self.message is not None:
            self._transaction.require_present(self.message.kind, self.message.id)
        self._read()
        stored = [self._entity(draft) for draft in self.entities]
        made = [self._relation(draft, place) for place, draft in enumerate(self.relations)]
        late = self._embed(known)
        changes.enter_graph(self._transaction, self.graph.at)
        if not self._transaction.commit().committed:
            return False
        if late:
            ctx.wake(vectors.TOPIC, ctx.namespace)
        self.written = Written(entities=tuple(stored), relations=tuple(made))
        return True

    def _read(self) -> None:
        ns, at = self.graph.ctx.ns, self.graph.at
        entity_ids = [at.entity_id(draft.name) for draft in self.entities]
        observation_ids = [
            at.observation_id(id, folded(statement.text))
            for id, draft in zip(entity_ids, self.entities, strict=True)
            for statement in draft.statements
        ]
        relation_ids = [at.relation_id(one.source, folded(one.relation_type), one.target) for one in self.relations]
        self._known_entities = {r.id: r for r in ns.get_many(GraphEntityRecord, entity_ids) if r}
        self._known_observations = {r.id: r for r in ns.get_many(GraphObservationRecord, observation_ids) if r}
        self._known_relations = {r.id: r for r in ns.get_many(GraphRelationRecord, relation_ids) if r}

    def _entity(self, draft: EntityDraft) -> StoredEntity:
        transaction, at = self._transaction, self.graph.at
        id = at.entity_id(draft.name)
        found = self._known_entities.get(id)
        if found is None:
            if draft.must_exist:
                raise NotFound("entity", draft.name)
            record = GraphEntityRecord.new(
                self.graph.ctx.ns,
                id,
                graph=at.id,
                name=draft.name,
                type=draft.entity_type or "thing",
                provenance="curated" if self.message is None else "inferred",
                recorded_at=self._now,
            )
            transaction.require_absent(record.kind, record.id)
            changes.enter_name(transaction, at, record, folded(draft.name))
            self._put(record, entity_draft(record))
        elif self.message is None and (draft.entity_type not in (None, found.type) or found.provenance == "inferred"):
            changed = {"type": draft.entity_type or found.type, "provenance": "curated"}
            record = found.revised(changed)
            transaction.require_unchanged(record.kind, record.id, found.revision)
            self._put(record, entity_draft(record))
        else:
            record = found
            transaction.require_present(record.kind, record.id)
        changes.touch_entity(transaction, at, id, self._now, make=True)
        observations = [self._observation(record, one, place) for place, one in enumerate(draft.statements)]
        return StoredEntity(
            name=record.name, entity_type=record.type, created=found is None, observations=tuple(observations)
        )

    def _observation(self, entity: GraphEntityRecord, statement: Statement, place: int) -> StoredObservation:
        at = self.graph.at
        id = at.observation_id(entity.id, folded(statement.text))
        before = self._known_observations.get(id) or GraphObservationRecord.new(
            self.graph.ctx.ns,
            id,
            graph=at.id,
            entity=entity.id,
            name=entity.name,
            text=statement.text,
            versions=[],
            support=0,
            slot=statement.slot,
            recorded_at=self._now,
        )
        created, support = self._state(before, statement.valid_from, observation_draft, place)
        return StoredObservation(id=id, text=before.text, created=created, support=support)

    def _relation(self, draft: RelationDraft, place: int) -> StoredRelation:
        at = self.graph.at
        id = at.relation_id(draft.source, folded(draft.relation_type), draft.target)
        before = self._known_relations.get(id) or GraphRelationRecord.new(
            self.graph.ctx.ns,
            id,
            graph=at.id,
            source=draft.source,
            type=draft.relation_type,
            target=draft.target,
            versions=[],
            support=0,
            slot=draft.slot,
            recorded_at=self._now,
        )
        created, support = self._state(before, draft.valid_from, relation_draft, place)
        return StoredRelation(
            id=id,
            source=before.source,
            relation_type=before.type,
            target=before.target,
            created=created,
            support=support,
        )

    def _state(
        self, before: S, valid_from: datetime | None, draft: Callable[[S], Draft], place: int
    ) -> tuple[bool, int]:
        """State it once more, or for the first time; whether it was not held true before, and its support."""
        message = self.message
        after = stated(before, valid_from, None if message is None else message.id, self._now)
        if after is None:
            return False, before.support
        self._restate(before, after, place)
        self._put(after, draft(after))
        if message is not None:
            self._transaction.link(changes.INFERRED_FROM, (after.kind, after.id), ("message", message.id), message.at)
        return not (before.versions and is_open(before, self._now)), after.support

    def _restate(self, before: GraphStatement, after: GraphStatement, place: int) -> None:
        """Guard the statement against others who change it, and enter it where it is found."""
        transaction, at, now = self._transaction, self.graph.at, self._now
        if before.versions:
            transaction.require_unchanged(before.kind, before.id, before.revision)
        else:
            transaction.require_absent(before.kind, before.id)
        was_open = bool(before.versions) and is_open(before, now)
        opened = is_open(after, now) and not was_open
        # A microsecond apart: the statements of one call keep the order they were given in.
        moment = to_micros(now) + place
        if opened or not before.versions:
            changes.enter_statement(transaction, at, after, moment)
        if opened or (was_open and before.provenance != after.provenance):
            changes.open_statement(transaction, at, after, after.provenance, moment)

    def _put(self, record: Record, draft: Draft) -> None:
        self._transaction.put(record)
        self._drafts.append(draft)

    def _embed(self, known: dict[str, Vector | None]) -> bool:
        """Add the rows with their vectors; True when some have to wait for theirs."""
        ctx = self.graph.ctx
        missing = [text for text in dict.fromkeys(draft.embedded for draft in self._drafts) if text not in known]
        known.update(zip(missing, ctx.quick_embedder.documents(missing), strict=True))
        late = False
        for draft in self._drafts:
            late |= vectors.write_row(self._transaction, draft, known[draft.embedded], self._now)
        return late
