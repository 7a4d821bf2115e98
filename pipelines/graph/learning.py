"""What the extraction learns of a user, fed into the user's graph and marked as inferred. Off unless `graph_learns`.

The graph is that of the agent that heard it (or of `graph_app`) and of the participant who said it. What a curator
wrote has the last word: an inference changes nothing of it, and none that contradicts a curated relation is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.config.errors import NotFound
from reverie.knowledge.identity import slot_of
from reverie.knowledge.reasons import TAKEN_OVER
from reverie.knowledge.wording import folded
from reverie.pipelines.context import Context
from reverie.pipelines.facts.cardinality import single_valued
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.closing import end_inferred
from reverie.pipelines.graph.reading import resolve
from reverie.pipelines.graph.writing import EntityDraft, RelationDraft, Statement, write
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.graphs import reading as stored
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.graph import GraphObservationRecord, GraphRelationRecord, GraphStatement
from reverie.store.records.knowledge import EntityRecord, ObservationRecord

TOPIC = "graph"
_LOOKED_AT = 500
"""Open statements of an entity among which a newer one of the same slot looks for the one it takes over from."""


@dataclass(frozen=True)
class Learnt:
    """What one run fed into graphs."""

    messages: int
    statements: int

    def __str__(self) -> str:
        return f"{self.statements} statements of {self.messages} messages"


def queue(ctx: Context, transaction: Transaction, message: MessageRecord) -> None:
    """Let the transaction that stores what a message says also queue its way into the graph."""
    if ctx.settings.graph_learns and message.role == "user":
        transaction.queue(TOPIC, message.id, message.recorded_at)


def learn(ctx: Context, message_ids: Sequence[str]) -> Learnt:
    """Feed what these messages said into their senders' graphs and end their work. Doing it again changes nothing."""
    messages = statements = 0
    for id, message in zip(message_ids, ctx.ns.get_many(MessageRecord, message_ids), strict=True):
        if message is not None:
            messages += 1
            statements += _learn(ctx, message)
        transaction = ctx.ns.transaction()
        work.finish(transaction, TOPIC, id)
        transaction.commit()
    return Learnt(messages, statements)


def _learn(ctx: Context, message: MessageRecord) -> int:
    graph = KnowledgeGraph(ctx, ctx.settings.graph_app or message.agent, message.sender)
    ids = ctx.ns.sources("OBSERVED_IN", "observation", ("message", message.id))
    observations = [one for one in ctx.ns.get_many(ObservationRecord, ids) if one and one.subject]
    if not observations:
        return 0
    named = {folded(one.name): one.name for one in _mentioned(ctx.ns, message)}
    wanted = [name for one in observations for name in (one.subject, one.object) if name]
    called = resolve(graph, list(dict.fromkeys(wanted)))
    entities: list[EntityDraft] = []
    relations: list[RelationDraft] = []
    for one in observations:
        assert one.subject is not None
        subject = called[one.subject]
        since = min(one.when_start or one.observed_at, one.observed_at)
        single = one.predicate is not None and single_valued(ctx.ns, one.predicate)
        slot = slot_of(subject, one.predicate) if one.predicate and single else None
        if slot is not None and _contradicted(graph, subject, slot, one):
            continue
        entity_type = "person" if folded(subject) == folded(message.sender) else None
        entities.append(EntityDraft(subject, entity_type, (Statement(one.content, since, slot),)))
        if one.object and one.predicate and not one.negated and folded(one.object) in named:
            relation_type = "_".join(one.predicate.split())
            relations.append(RelationDraft(subject, relation_type, called[one.object], since, slot))
    if not entities:
        return 0
    try:
        written = write(graph, entities, relations, inferred_from=message)
    except NotFound:
        return 0  # the message was erased meanwhile
    for entity in entities:
        for statement in entity.statements:
            if statement.slot is not None:
                _take_over(graph, entity.name, statement.slot)
    return sum(len(one.observations) for one in written.entities) + len(written.relations)


def _mentioned(ns: Namespace, message: MessageRecord) -> list[EntityRecord]:
    ids = [id for _, id in ns.targets(("message", message.id), "MENTIONS")]
    return [one for one in ns.get_many(EntityRecord, ids) if one is not None]


def _contradicted(graph: KnowledgeGraph, subject: str, slot: str, claim: ObservationRecord) -> bool:
    """Whether a curated relation fills the slot with something else."""
    return any(
        relation.provenance == "curated"
        and relation.source == subject
        and slot_of(subject, relation.type.replace("_", " ")) == slot
        and (claim.negated or folded(relation.target) != folded(claim.object or ""))
        for relation in _open_relations(graph, subject)
    )


def _take_over(graph: KnowledgeGraph, name: str, slot: str) -> None:
    """Of the inferred statements in a slot that holds one value at a time, the latest ends the others."""
    groups: list[list[GraphStatement]] = [list(_open_observations(graph, name)), list(_open_relations(graph, name))]
    for group in groups:
        rivals = sorted(
            (one for one in group if one.slot == slot and one.provenance == "inferred"),
            key=lambda one: (one.final.valid_from, one.final.recorded_at),
        )
        for before, after in pairwise(rivals):
            end_inferred(graph, before, at=after.final.valid_from, reason=TAKEN_OVER)


def rivals(graph: KnowledgeGraph, statement: GraphStatement) -> list[GraphStatement]:
    """The other inferred statements of its kind in the same slot, ended or not."""
    if statement.slot is None:
        return []
    is_observation = isinstance(statement, GraphObservationRecord)
    assert is_observation or isinstance(statement, GraphRelationRecord)
    home = statement.entity if is_observation else graph.at.entity_id(statement.source)
    [(said, edges)] = stored.statement_ids(graph.at, [home], open_only=False, newest=_LOOKED_AT)
    found = graph.ctx.ns.get_many(type(statement), said if is_observation else edges)
    place = (statement.slot, "inferred")
    return [one for one in found if one and one.id != statement.id and (one.slot, one.provenance) == place]


def _open_observations(graph: KnowledgeGraph, name: str) -> list[GraphObservationRecord]:
    [(ids, _)] = _open_statements(graph, name)
    return [one for one in graph.ctx.ns.get_many(GraphObservationRecord, ids) if one]


def _open_relations(graph: KnowledgeGraph, name: str) -> list[GraphRelationRecord]:
    [(_, ids)] = _open_statements(graph, name)
    return [one for one in graph.ctx.ns.get_many(GraphRelationRecord, ids) if one and one.source == name]


def _open_statements(graph: KnowledgeGraph, name: str) -> list[tuple[list[str], list[str]]]:
    return stored.statement_ids(graph.at, [graph.at.entity_id(name)], open_only=True, newest=_LOOKED_AT)
