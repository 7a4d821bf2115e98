"""From a message to what it says: observations, entities and, for long texts, chunks.

A message is worked on once: the transaction that stores the result ends the work, and does nothing when the work was
ended before or the message is gone. Ids are made from the message's, so that a replay makes the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from reverie.models.embedders import Vector
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.extract import Claim, EntityMention, Extraction, Turn
from reverie.pipelines.rows import Draft, observation_draft
from reverie.store import timeline, work
from reverie.store.commit import Transaction
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord

if TYPE_CHECKING:
    from reverie.pipelines.extract import Extractor

TOPIC = "ingest"
_HISTORY = 2
_EXTRACTED_ROLES = {"user", "assistant"}


@dataclass(frozen=True)
class Ingested:
    """What one run did."""

    messages: int
    observations: int
    entities: int


@cache
def _extractor() -> "Extractor":
    from reverie.pipelines.extract import Extractor  # brings spaCy along; a process that only writes does without

    return Extractor()


def ingest(kb: KnowledgeBase, message_ids: Sequence[str]) -> Ingested:
    """Extract from these messages and store the result. Raises ModelFailed, StoreUnavailable; then nothing is lost.

    Ids whose message is gone (erased since it was queued) end their work without a trace.
    """
    found = dict(zip(message_ids, kb.space.get_many(MessageRecord, message_ids), strict=True))
    messages = [message for message in found.values() if message is not None]
    history = timeline.preceding(kb.space, messages, _HISTORY)
    extractions = [_extract(message, before) for message, before in zip(messages, history, strict=True)]
    observations = [_observations(kb, m, extraction) for m, extraction in zip(messages, extractions, strict=True)]
    drafts = [[observation_draft(record) for record in group] for group in observations]
    flat = kb.embedder.documents([draft.embedded for group in drafts for draft in group])
    vectors = iter(flat)
    transactions = []
    for message, extraction, records, group in zip(messages, extractions, observations, drafts, strict=True):
        transactions.append(_transaction(kb, message, extraction, records, group, [next(vectors) for _ in group]))
    for id, record in found.items():
        if record is None:
            transaction = kb.space.transaction()
            work.finish(transaction, TOPIC, id)
            transactions.append(transaction)
    outcomes = kb.space.commit(transactions)
    done = [place for place in range(len(messages)) if outcomes[place].committed]
    return Ingested(
        messages=len(done),
        observations=sum(len(observations[place]) for place in done),
        entities=sum(len(extractions[place].entities) for place in done),
    )


def _extract(message: MessageRecord, before: Sequence[MessageRecord]) -> Extraction:
    if message.role not in _EXTRACTED_ROLES:
        return Extraction()
    return _extractor().extract([_turn(message)], [_turn(earlier) for earlier in before])[0]


def _turn(message: MessageRecord) -> Turn:
    return Turn(message.content, message.sender, tuple(message.addressed_to), message.at)


def derived_id(*parts: str) -> str:
    """The id of a record that is made from others: the same parts always give the same id."""
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def entity_id(name: str) -> str:
    """The id of the entity of a name."""
    return derived_id("entity", name.casefold())


def _observations(kb: KnowledgeBase, message: MessageRecord, extraction: Extraction) -> list[ObservationRecord]:
    return [_observation(kb, message, claim) for claim in extraction.observations]


def _observation(kb: KnowledgeBase, message: MessageRecord, claim: Claim) -> ObservationRecord:
    polarity = "not" if claim.negated else ""
    return ObservationRecord.new(
        kb.space.keys,
        derived_id("observation", message.id, claim.subject, polarity, claim.predicate, claim.object or ""),
        message=message.id,
        session=message.session,
        agent=message.agent,
        content=claim.content,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        negated=claim.negated,
        temporal_phrase=claim.temporal_phrase,
        when_start=claim.when_start,
        when_end=claim.when_end,
        observed_at=message.at,
        confidence=claim.confidence,
        origin="model" if message.role == "assistant" else "user",
        said_by=message.sender,
        recorded_at=kb.clock(),
    )


def _transaction(
    kb: KnowledgeBase,
    message: MessageRecord,
    extraction: Extraction,
    observations: Sequence[ObservationRecord],
    drafts: Sequence[Draft],
    vectors: Sequence[Vector],
) -> Transaction:
    transaction = kb.space.transaction()
    transaction.require("present", message.key())
    work.finish(transaction, TOPIC, message.id)
    entities = {mention.name.casefold(): _entity(kb, message, mention) for mention in extraction.entities}
    for entity in entities.values():
        transaction.put(entity, only_new=True)
        transaction.link("MENTIONS", ("message", message.id), ("entity", entity.id), message.at)
    if entities:
        transaction.queue("topics", message.id, message.recorded_at)
    for record, draft, vector in zip(observations, drafts, vectors, strict=True):
        transaction.put(record)
        transaction.row(draft.with_vector(vector))
        node = ("observation", record.id)
        transaction.link("OBSERVED_IN", node, ("message", message.id), message.at)
        about = entities.get((record.subject or "").casefold())
        if about is not None:
            transaction.link("ABOUT", node, ("entity", about.id), message.at)
    return transaction


def _entity(kb: KnowledgeBase, message: MessageRecord, mention: EntityMention) -> EntityRecord:
    return EntityRecord.new(
        kb.space.keys,
        entity_id(mention.name),
        name=mention.name,
        type=mention.type,
        first_seen=message.at,
        recorded_at=kb.clock(),
    )
