"""Writing a turn of a conversation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from reverie.config.errors import Conflict, ValidationFailed
from reverie.pipelines import ingest, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import CONTEXT_MESSAGES, message_draft
from reverie.pipelines.sessions import IDLE
from reverie.store import timeline, work
from reverie.store.commands import Condition
from reverie.store.commit import Transaction
from reverie.store.keys import MAX_ID_BYTES
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord, ParticipantRecord, SessionRecord
from reverie.store.times import to_micros
from reverie.tools.fields import AnyText, Id, Ids, JsonList, Metadata, Params, ZonedMoment, validated
from reverie.tools.identity import fingerprint, fresh_id
from reverie.tools.parts import KEPT, settled, text_of

LIVE_BATCH = 16
"""A batch of no more messages is a turn with its tool calls; a larger one, or one that leaves embedding to the workers,
is an import, whose work lets that of live messages go first."""

Role = Literal["user", "assistant", "system", "tool"]


class SaidParams(Params):
    """One message. `at` defaults to now; `message_id` to a fresh ULID.

    Content may be None or empty, as it is beside tool calls, or a list of parts: texts, and objects such as
    {"type": "text", "text": ...}. The texts are joined by line breaks and the parts kept in `metadata["parts"]`.
    """

    sender: Id = Field(description="who said it")
    content: Annotated[AnyText, BeforeValidator(text_of)] = Field(description="what was said")
    message_id: Id | None = None
    at: ZonedMoment | None = Field(default=None, description="when; default now")
    role: Role = "user"
    addressed_to: Ids = Field(default=(), description="to whom")
    metadata: Metadata = Field(default_factory=dict)
    content_type: Id = Field(default="text", description="default text")
    goal_id: Id | None = Field(default=None, description="goal that the session serves")

    @model_validator(mode="before")
    @classmethod
    def _settled(cls, given: Any) -> Any:
        return settled(given)


class ObserveParams(SaidParams):
    """One message of a transcript: its calls, and the call that it answers, are kept in the metadata."""

    tool_calls: JsonList | None = Field(default=None, description="calls that it makes")
    tool_call_id: Id | None = Field(default=None, description="call that it answers")


MOST_MESSAGES = 100_000
"""Most messages of one batch: more than any session in use has, and an end for a batch that has none."""

OnError = Literal["refuse", "skip"]
"""What becomes of a batch with a message that cannot be stored: none of it is, or the others are."""


class _Batch(Params):
    agent: Id
    session: Id
    goal_id: Id | None = None
    embed: bool = True
    on_error: OnError = "refuse"


class Receipt(BaseModel):
    """What became of a write. `created` is False when the same message was there already.

    Hand it to `Memory.wait` to wait until the workers have ingested the message.
    """

    model_config = ConfigDict(frozen=True)

    message_id: str
    session_id: str
    created: bool
    embedded: bool
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A message of a batch that was not stored: its place from 0, its id where it has one, and why."""

    place: int
    message_id: str | None
    error: ValidationFailed | Conflict


class Receipts(list[Receipt]):
    """The receipts of a batch in the order given; `refused` are the messages that have none."""

    def __init__(self, receipts: Iterable[Receipt] = (), refused: Iterable[Refused] = ()) -> None:
        super().__init__(receipts)
        self.refused = tuple(refused)


@dataclass(frozen=True)
class _Prepared:
    message: MessageRecord
    transaction: Transaction
    embedded: bool
    goal: Condition | None


def observe(ctx: Context, agent: str, session: str, params: ObserveParams) -> Receipt:
    """Store one message. Raises ValidationFailed, Conflict, StoreUnavailable."""
    batch = validated(_Batch, agent=agent, session=session)
    outcome = _store(ctx, batch, [params])[0]
    if isinstance(outcome, Conflict):
        raise outcome
    return outcome


def observe_many(
    ctx: Context,
    agent: str,
    session: str,
    messages: Sequence[ObserveParams | Mapping[str, Any]],
    *,
    goal_id: str | None = None,
    embed: bool = True,
    on_error: OnError = "refuse",
) -> Receipts:
    """Store the messages of one session in the order given, embedded as a batch; each is a transaction of its own.

    With `embed=False` they are found by text at once and by meaning when the workers have embedded them: for large
    imports, which then take as many processes as there are workers. The workers take such messages, and those of a
    batch of more than `LIVE_BATCH`, after what was said live.

    A message that is wrong or whose id is taken is named by its place and its id. With "refuse" nothing is stored and
    ValidationFailed or Conflict raised for the first one; a Conflict with what somebody else stores at the same time
    leaves the others stored. With "skip" the others are stored, and these are in `refused` of the result.
    """
    batch = validated(_Batch, agent=agent, session=session, goal_id=goal_id, embed=embed, on_error=on_error)
    if not isinstance(messages, Iterable) or isinstance(messages, str | bytes | Mapping):
        raise ValidationFailed("messages", f"must be a list of messages, not {type(messages).__name__}")
    refused: list[Refused] = []
    checked: dict[int, ObserveParams] = {}
    for place, one in enumerate(messages):
        try:
            checked[place] = with_goal(validated(ObserveParams, one), batch.goal_id)
        except ValidationFailed as error:
            refused.append(_refused(place, one, error))
            if batch.on_error == "refuse":
                raise refused[0].error from None
        if place == MOST_MESSAGES:
            raise ValidationFailed("messages", f"must be at most {MOST_MESSAGES:,}; store them in several batches")
    receipts = []
    places = list(checked)
    for number, outcome in sorted(_store(ctx, batch, list(checked.values())).items()):
        if isinstance(outcome, Receipt):
            receipts.append(outcome)
        else:
            place = places[number]
            named = Conflict(outcome.kind, outcome.id, f"{outcome.reason} (messages.{place})")
            refused.append(Refused(place, outcome.id, named))
    if refused and batch.on_error == "refuse":
        raise refused[0].error
    return Receipts(receipts, sorted(refused, key=lambda one: one.place))


def with_goal(params: ObserveParams, goal_id: str | None) -> ObserveParams:
    """The message as one that counts towards a goal, unless it names another."""
    if goal_id is None or params.goal_id is not None:
        return params
    return params.model_copy(update={"goal_id": goal_id})


def _refused(place: int, given: object, error: ValidationFailed) -> Refused:
    """The error of one message of a batch, with the message's place and id."""
    named = given.get("message_id") if isinstance(given, Mapping) else None
    id = named if isinstance(named, str) and named.isprintable() and len(named) <= MAX_ID_BYTES else None
    field = f"messages.{place}.{error.field}" if error.field else f"messages.{place}"
    reason = error.reason if id is None else f"{error.reason} (of the message {id!r})"
    return Refused(place, id, ValidationFailed(field, reason))


def _store(ctx: Context, batch: _Batch, checked: Sequence[ObserveParams]) -> dict[int, Receipt | Conflict]:
    """What became of each message, by its place.

    With "refuse" a Conflict that is there before the write leaves all unwritten, and only what conflicts is returned.
    """
    now = ctx.clock()
    records: list[MessageRecord] = []
    contexts: list[list[MessageRecord]] = []
    drafts = []
    existing: dict[int, MessageRecord] = {}
    first: dict[str, MessageRecord] = {}
    latest_known = ctx.ns.latest.get(batch.session) if len(checked) == 1 else None
    for place, params in enumerate(checked):
        # A microsecond apart, so that messages of one moment keep the order they were given in.
        record = _record(ctx.ns, batch, params, now + timedelta(microseconds=place))
        if latest_known is not None and latest_known.precedes(record):
            before = list(latest_known.messages)
        else:
            latest_known = None
            found, before = timeline.before(ctx.ns, batch.session, record.at, record.id, CONTEXT_MESSAGES)
            found = found or first.get(record.id)
            if found is not None:
                existing[place] = found
        first.setdefault(record.id, record)
        earlier = [r for r in records if r.at <= record.at][-CONTEXT_MESSAGES:]
        merged = sorted({r.id: r for r in [*before, *earlier]}.values(), key=lambda r: (r.at, r.recorded_at))
        records.append(record)
        contexts.append(merged[-CONTEXT_MESSAGES:])
        drafts.append(message_draft(record, contexts[-1]))
    conflicts = _conflicts(existing, records)
    if conflicts and batch.on_error == "refuse":
        return {**conflicts}
    new = [place for place in range(len(records)) if place not in existing]
    texts = [drafts[place].embedded for place in new]
    embedded = ctx.quick_embedder.documents(texts) if batch.embed else [None] * len(new)
    prepared = []
    bulk = not batch.embed or len(checked) > LIVE_BATCH
    for place, vector in zip(new, embedded, strict=True):
        transaction, goal = _transaction(ctx, records[place], bulk=bulk)
        if latest_known is not None:
            latest_known.require(transaction, batch.session)
        vectors.write_row(transaction, drafts[place], vector, now, bulk=bulk)
        prepared.append(_Prepared(records[place], transaction, vector is not None, goal))
    outcomes = ctx.ns.commit([one.transaction for one in prepared]) if prepared else []
    if latest_known is not None and outcomes[0].guard == 1:
        # Somebody else wrote to the session since: read its end and write again.
        ctx.ns.latest.drop(batch.session)
        return _store(ctx, batch, checked)
    receipts: dict[int, Receipt | Conflict] = {}
    for place, one, result in zip(new, prepared, outcomes, strict=True):
        if result.committed:
            skipped = ("goal_id",) if one.goal is not None and not result.conditions[one.goal.number - 1] else ()
            receipts[place] = _receipt(one.message, True, one.embedded, skipped)
            if place == len(records) - 1:
                ctx.ns.latest.put(batch.session, [*contexts[place], one.message], CONTEXT_MESSAGES)
        else:
            existing[place] = MessageRecord.read(result.payload)
    if receipts:
        ctx.wake(ingest.TOPIC, ctx.namespace)
    if any(vector is None for vector in embedded):
        ctx.wake(vectors.TOPIC, ctx.namespace)
    receipts |= _conflicts(existing, records)
    for place in existing.keys() - receipts.keys():
        found = existing[place]
        waits = work.pending(ctx.ns, vectors.TOPIC, [vectors.entry("message", found.id)])[0]
        receipts[place] = _receipt(found, False, not waits, ())
    return receipts


def _conflicts(existing: Mapping[int, MessageRecord], records: Sequence[MessageRecord]) -> dict[int, Conflict]:
    """By its place what is there already under a message's id and says something else."""
    return {
        place: Conflict("message", found.id, _difference(found, records[place]))
        for place, found in sorted(existing.items())
        if found.digest != records[place].digest
    }


def _record(ns: Namespace, batch: _Batch, params: ObserveParams, now: datetime) -> MessageRecord:
    at = params.at or now
    moment = None if params.at is None else params.at.astimezone(UTC)
    content = {**params.model_dump(exclude={"message_id", *KEPT}), "at": moment}
    return MessageRecord.new(
        ns,
        params.message_id or fresh_id(now),
        session=batch.session,
        agent=batch.agent,
        sender=params.sender,
        content=params.content,
        at=at.astimezone(UTC),
        utc_offset=int((at.utcoffset() or timedelta()).total_seconds() // 60),
        role=params.role,
        addressed_to=list(params.addressed_to),
        content_type=params.content_type,
        metadata=params.metadata,
        goal_id=params.goal_id,
        recorded_at=now,
        digest=fingerprint({**content, "session": batch.session, "agent": batch.agent}),
    )


def _transaction(ctx: Context, message: MessageRecord, *, bulk: bool) -> tuple[Transaction, Condition | None]:
    transaction = ctx.ns.transaction()
    transaction.require_absent(message.kind, message.id)
    for participant in dict.fromkeys([message.sender, *message.addressed_to, message.agent]):
        record = ParticipantRecord.new(ctx.ns, participant, recorded_at=message.recorded_at)
        transaction.put(record, only_new=True)
    session = SessionRecord.new(ctx.ns, message.session, agent=message.agent, recorded_at=message.recorded_at)
    transaction.put(session, only_new=True)
    transaction.put(message)
    node = ("message", message.id)
    transaction.link("SENT_BY", node, ("participant", message.sender), message.at)
    for participant in message.addressed_to:
        transaction.link("ADDRESSED_TO", node, ("participant", participant), message.at)
    arrival = to_micros(message.recorded_at)
    transaction.link("IN_SESSION", node, ("session", message.session), message.at, order=arrival)
    transaction.link("SESSION_OF", ("session", message.session), ("participant", message.agent), message.at)
    goal = None
    if message.goal_id is not None:
        goal = transaction.when_stored("goal", message.goal_id)
        transaction.link("FOR_GOAL", ("session", message.session), ("goal", message.goal_id), message.at, when=goal)
    # A message dated ahead keeps its session open no longer than one of now.
    last = min(message.at, message.recorded_at)
    transaction.schedule(IDLE, message.session, last + ctx.settings.session_idle, later_only=True)
    transaction.queue(ingest.TOPIC, message.id, message.recorded_at, bulk=bulk)
    return transaction, goal


def _receipt(message: MessageRecord, created: bool, embedded: bool, skipped: tuple[str, ...]) -> Receipt:
    return Receipt(
        message_id=message.id,
        session_id=message.session,
        created=created,
        embedded=embedded,
        skipped_links=skipped,
    )


def _difference(found: MessageRecord, asked: MessageRecord) -> str:
    for field in ("session", "sender", "content", "agent"):
        if getattr(found, field) != getattr(asked, field):
            return f"with another {field}"
    return "with other content"
