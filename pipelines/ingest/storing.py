"""The records of what a message says, and the transaction that stores them and ends the work."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.knowledge.ids import derived_id
from reverie.knowledge.wording import folded
from reverie.models.embedders import Vector
from reverie.pipelines import consolidate, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.graph import learning
from reverie.pipelines.ingest import chunking
from reverie.pipelines.ingest.entities import People
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.reading import Reading
from reverie.pipelines.rows import Draft, chunk_draft, observation_draft
from reverie.store import fallbacks, nicknames, work
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ChunkRecord, FellBack, MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord, Origin

TOPIC = "ingest"
REPLACED = "replaced"
"""Topic of durable work: observations that a later reading of their message does not bear out, to be removed."""
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
    fell_back: FellBack | None = None
    stale: tuple[str, ...] = ()
    """Ids of observations of an earlier reading that this one does not bear out."""

    @property
    def replacing(self) -> str:
        """The entry of the work that removes what is stale; "" when nothing is."""
        return json.dumps({"message": self.message.id, "observations": self.stale}) if self.stale else ""


def prepare(ctx: Context, reading: Reading, people: People, known: Sequence[ObservationRecord] = ()) -> Result:
    """What is to be stored of a reading; `known` are the observations of the message from before.

    What an earlier reading said in just the same way stays as it is. What an agent added by itself is no reading.
    """
    message = reading.message
    claims = [(claim, people.subject(reading, claim)) for claim in reading.extraction.observations]
    unique = {record.id: record for record in (_observation(ctx, message, *claim) for claim in claims)}
    earlier = {_claimed(record): record.id for record in known if not record.digest}
    wanted = {_claimed(record): record for record in unique.values()}
    taken = {record.id for record in known}
    observations = tuple(
        _renamed(ctx.ns, record, claimed) if record.id in taken else record
        for claimed, record in wanted.items()
        if claimed not in earlier
    )
    parts = chunking.whole(ctx, message)
    drafts = (*map(observation_draft, observations), *(chunk_draft(part, message) for part in parts))
    stale = tuple(sorted(id for claimed, id in earlier.items() if claimed not in wanted))
    return Result(message, observations, people.named(reading), parts, drafts, reading.fell_back, stale)


def _claimed(record: ObservationRecord) -> str:
    """All that an observation says, and nothing of when and as what it was stored."""
    said: str = record.model_dump_json(exclude={"pk", "id", "digest", "revision", "recorded_at"})
    return said


def _renamed(ns: Namespace, record: ObservationRecord, claimed: str) -> ObservationRecord:
    """The same observation beside one of another time or wording that has its id."""
    id = derived_id("observation", record.id, claimed)
    return ObservationRecord.new(ns, id, **record.model_dump(exclude={"pk", "id"}))


def _observation(ctx: Context, message: MessageRecord, claim: Claim, subject: str) -> ObservationRecord:
    polarity = "not" if claim.negated else "" if claim.mood == "asserted" else claim.mood
    return ObservationRecord.new(
        ctx.ns,
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
        recorded_at=ctx.clock(),
    )


def stored(ctx: Context, result: Result, given: Sequence[Vector | None]) -> Transaction:
    """The transaction that stores a result with its rows' vectors; a row without one is filled in later."""
    message = result.message
    transaction = ctx.ns.transaction()
    transaction.require_present(message.kind, message.id)
    work.finish(transaction, TOPIC, message.id)
    fallbacks.note(transaction, message, result.fell_back)
    if result.replacing:
        transaction.queue(REPLACED, result.replacing, ctx.clock())
    for entity in {record.id: record for record in result.entities.values()}.values():
        transaction.put(entity, only_new=True)
        transaction.link("MENTIONS", ("message", message.id), ("entity", entity.id), message.at)
    if result.entities:
        transaction.queue("topics", message.id, message.recorded_at)
    learning.queue(ctx, transaction, message)
    for draft, vector in zip(result.drafts, given, strict=True):
        vectors.write_row(transaction, draft, vector, ctx.clock())
    for observation in result.observations:
        node = ("observation", observation.id)
        transaction.put(observation)
        consolidate.queue(ctx, transaction, observation)
        transaction.link("OBSERVED_IN", node, ("message", message.id), message.at)
        if observation.subject_as is not None:
            transaction.link(nicknames.CALLED, node, ("nickname", folded(observation.subject_as)), message.at)
        about = result.entities.get((observation.subject or "").casefold())
        if about is not None:
            transaction.link("ABOUT", node, ("entity", about.id), message.at)
    chunking.store(transaction, message, result.chunks)
    chunking.queue(transaction, message)
    return transaction
