"""Observations that an agent adds itself: atomic claims tied to the message they were drawn from."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import NotFound
from reverie.knowledge.ids import derived_id, entity_id
from reverie.pipelines import consolidate
from reverie.pipelines.context import Context
from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.rows import observation_draft
from reverie.store import pending
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord, Origin
from reverie.tools.fields import Id, Moment, Params, Text, Unit, validated
from reverie.tools.identity import fingerprint
from reverie.tools.writing import Links, insert

OBSERVED_IN, ABOUT = "OBSERVED_IN", "ABOUT"
_ORIGINS: dict[str, Origin] = {"assistant": "model", "tool": "tool"}


class AddObservationParams(Params):
    """A claim. `observed_at` defaults to the message's time, and so does `temporal_anchor`, the moment from which a
    `temporal_phrase` such as "last week" counts.
    """

    message_id: Id
    content: Text = Field(description="one claim, a sentence that stands alone")
    observation_id: Id | None = None
    subject: Text | None = Field(None, description="such as Caroline")
    predicate: Text | None = Field(None, description="such as plays")
    object: Text | None = Field(None, description="such as clarinet")
    temporal_phrase: Text | None = Field(None, description="as said, such as last week")
    temporal_anchor: Moment | None = Field(None, description="from when that counts; default the message's time")
    observed_at: Moment | None = Field(None, description="default the message's time")
    confidence: Unit = Field(1.0, description="0 to 1; default 1")


class AddObservationResult(BaseModel):
    """What became of it. Without an id of the caller's, the same claim on the same message is one observation."""

    model_config = ConfigDict(frozen=True)

    observation_id: str
    created: bool
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""


class ObservationView(BaseModel):
    """An observation, by whom it was said and what time it is about (`when_end` exclusive)."""

    model_config = ConfigDict(frozen=True)

    observation_id: str
    message_id: str
    session_id: str
    content: str
    subject: str | None
    predicate: str | None
    object: str | None
    negated: bool
    temporal_phrase: str | None
    when_start: datetime | None
    when_end: datetime | None
    observed_at: datetime
    confidence: float
    source: Origin
    said_by: str


def add_observation(ctx: Context, agent: str, params: AddObservationParams) -> AddObservationResult:
    """Add a claim to a message. Raises ValidationFailed, NotFound (no such message), Conflict, StoreUnavailable."""
    message = ctx.ns.get(MessageRecord, params.message_id)
    if message is None:
        raise NotFound("message", params.message_id)
    record = _record(ctx, agent, message, params)
    counted: list[int] = []

    def check(transaction: Transaction) -> None:
        transaction.require_present(message.kind, message.id)

    def link(transaction: Transaction, links: Links) -> None:  # noqa: ARG001  # none of them is optional
        node = ("observation", record.id)
        consolidate.queue(ctx, transaction, record)
        counted[:] = [pending.count_in(transaction, record.agent)]
        transaction.link(OBSERVED_IN, node, ("message", message.id), record.observed_at)
        if record.subject is not None:
            entity = _entity(ctx.ns, record)
            transaction.put(entity, only_new=True)
            transaction.link(ABOUT, node, ("entity", entity.id), record.observed_at)
            transaction.link("MENTIONS", ("message", message.id), ("entity", entity.id), message.at)

    written = insert(ctx, record, link, (observation_draft(record),), check=check)
    if written.created and consolidate.is_enough(ctx, written.replies[counted[0]]):
        consolidate.hasten(ctx, [record.agent])
    return AddObservationResult(observation_id=written.record.id, created=written.created, embedded=written.embedded)


def _record(ctx: Context, agent: str, message: MessageRecord, params: AddObservationParams) -> ObservationRecord:
    when = None
    if params.temporal_phrase is not None:
        when = times.find(params.temporal_phrase, params.temporal_anchor or message.at, past=True)
    triple = (params.subject, params.predicate, params.object)
    named = derived_id("added", message.id, params.content, *triple)
    return ObservationRecord.new(
        ctx.ns,
        params.observation_id or named,
        message=message.id,
        session=message.session,
        agent=message.agent,
        content=params.content,
        subject=params.subject,
        predicate=params.predicate,
        object=params.object,
        temporal_phrase=params.temporal_phrase,
        when_start=None if when is None else when.start,
        when_end=None if when is None else when.end,
        observed_at=params.observed_at or message.at,
        confidence=params.confidence,
        origin=_ORIGINS.get(message.role, "user"),
        said_by=message.sender,
        recorded_at=ctx.clock(),
        digest=fingerprint({**params.model_dump(exclude={"observation_id"}), "agent": agent}),
    )


def _entity(ns: Namespace, record: ObservationRecord) -> EntityRecord:
    name = record.subject or ""
    return EntityRecord.new(ns, entity_id(name), name=name, recorded_at=record.recorded_at)


class _Name(Params):
    observation_id: Id


def get_observation(ctx: Context, observation_id: str) -> ObservationView | None:
    """The observation; None for an unknown id."""
    record = ctx.ns.get(ObservationRecord, validated(_Name, observation_id=observation_id).observation_id)
    return None if record is None else _view(record)


def observations_of(ctx: Context, message_id: str) -> list[ObservationView]:
    """The observations drawn from a message; [] for an unknown id."""
    ids = ctx.ns.sources(OBSERVED_IN, "observation", ("message", validated(_Message, message_id=message_id).message_id))
    return [_view(record) for record in ctx.ns.get_many(ObservationRecord, ids) if record is not None]


class _Message(Params):
    message_id: Id


def _view(record: ObservationRecord) -> ObservationView:
    return ObservationView(
        observation_id=record.id,
        message_id=record.message,
        session_id=record.session,
        content=record.content,
        subject=record.subject,
        predicate=record.predicate,
        object=record.object,
        negated=record.negated,
        temporal_phrase=record.temporal_phrase,
        when_start=record.when_start,
        when_end=record.when_end,
        observed_at=record.observed_at,
        confidence=record.confidence,
        source=record.origin,
        said_by=record.said_by,
    )
