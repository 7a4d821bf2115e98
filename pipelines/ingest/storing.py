"""The records of what a message says, and the transaction that stores them and ends the work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.knowledge.wording import folded
from reverie.models.embedders import Vector
from reverie.pipelines import consolidate, vectors
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.graph import learning
from reverie.pipelines.ids import derived_id
from reverie.pipelines.ingest import chunking
from reverie.pipelines.ingest.entities import People
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.reading import Reading
from reverie.pipelines.rows import Draft, chunk_draft, observation_draft
from reverie.store import nicknames, work
from reverie.store.commit import Transaction
from reverie.store.records.conversation import ChunkRecord, MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord, Origin

TOPIC = "ingest"
_ORIGINS: Mapping[str, Origin] = {"user": "user", "tool": "tool"}


@dataclass(frozen=True)
class Result:
    """All that is stored of one message; `drafts` are the rows of its observations, then of its chunks."""

    message: MessageRecord
    observations: tuple[ObservationRecord, ...]
    entities: Mapping[str, EntityRecord]
    """By the name that observations and mentions use, folded."""
    chunks: tuple[ChunkRecord, ...]
    drafts: tuple[Draft, ...]


def prepare(kb: KnowledgeBase, reading: Reading, people: People) -> Result:
    message = reading.message
    claims = [(claim, people.subject(reading, claim)) for claim in reading.extraction.observations]
    unique = {record.id: record for record in (_observation(kb, message, *claim) for claim in claims)}
    observations = tuple(unique.values())
    parts = chunking.whole(kb, message)
    drafts = (*map(observation_draft, observations), *(chunk_draft(part, message) for part in parts))
    return Result(message, observations, people.named(reading), parts, drafts)


def _observation(kb: KnowledgeBase, message: MessageRecord, claim: Claim, subject: str) -> ObservationRecord:
    polarity = "not" if claim.negated else "" if claim.mood == "asserted" else claim.mood
    return ObservationRecord.new(
        kb.space.keys,
        derived_id("observation", message.id, claim.subject, polarity, claim.predicate, claim.object),
        message=message.id,
        session=message.session,
        agent=message.agent,
        content=claim.content,
        subject=subject,
        subject_as=None if subject == claim.subject else claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        negated=claim.negated,
        temporal_phrase=claim.temporal_phrase,
        when_start=claim.when_start,
        when_end=claim.when_end,
        observed_at=message.at,
        confidence=claim.confidence,
        origin=_ORIGINS.get(message.role, "model"),
        said_by=claim.speaker or message.sender,
        utc_offset=message.utc_offset,
        mood=claim.mood,
        state=claim.state,
        kind_of_thing=claim.kind,
        began=claim.began,
        adds=claim.adds,
        since=None if claim.since is None else claim.since.at,
        until=None if claim.until is None else claim.until.at,
        since_told=claim.when if claim.since is None else claim.since.iso,
        until_told=None if claim.until is None else claim.until.iso,
        quantity=claim.quantity,
        counted=claim.counted,
        told=claim.told,
        recorded_at=kb.clock(),
    )


def stored(kb: KnowledgeBase, result: Result, given: Sequence[Vector | None]) -> Transaction:
    """The transaction that stores a result with its rows' vectors; a row without one is filled in later."""
    message = result.message
    transaction = kb.space.transaction()
    transaction.require("present", message.key())
    work.finish(transaction, TOPIC, message.id)
    for entity in {record.id: record for record in result.entities.values()}.values():
        transaction.put(entity, only_new=True)
        transaction.link("MENTIONS", ("message", message.id), ("entity", entity.id), message.at)
    if result.entities:
        transaction.queue("topics", message.id, message.recorded_at)
    learning.queue(kb, transaction, message)
    for draft, vector in zip(result.drafts, given, strict=True):
        transaction.row(draft.with_vector(vector))
        if vector is None:
            transaction.queue(vectors.TOPIC, vectors.entry(draft.row.kind, draft.row.id), kb.clock())
    for observation in result.observations:
        node = ("observation", observation.id)
        transaction.put(observation)
        consolidate.queue(kb, transaction, observation)
        transaction.link("OBSERVED_IN", node, ("message", message.id), message.at)
        if observation.subject_as is not None:
            transaction.link(nicknames.CALLED, node, ("nickname", folded(observation.subject_as)), message.at)
        about = result.entities.get((observation.subject or "").casefold())
        if about is not None:
            transaction.link("ABOUT", node, ("entity", about.id), message.at)
    chunking.store(transaction, message, result.chunks)
    chunking.queue(transaction, message)
    return transaction
