"""Writing a turn of a conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import Conflict
from reverie.pipelines import ingest, vectors
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.rows import CONTEXT_MESSAGES, message_draft
from reverie.pipelines.sessions import IDLE
from reverie.store import timeline, work
from reverie.store.commit import Condition, Transaction
from reverie.store.records.conversation import MessageRecord, ParticipantRecord, SessionRecord
from reverie.store.times import to_micros
from reverie.tools.fields import Id, JsonObject, Params, Text, ZonedMoment, validated
from reverie.tools.identity import fingerprint, fresh_id

LIVE_BATCH = 16
"""A batch of no more messages is a turn with its tool calls; a larger one, or one that leaves embedding to the workers,
is an import, whose work lets that of live messages go first."""

Role = Literal["user", "assistant", "system", "tool"]


class ObserveParams(Params):
    """One message. `at` defaults to now; `message_id` to a fresh ULID."""

    sender: Id = Field(description="who said it")
    content: Text = Field(description="what was said")
    message_id: Id | None = None
    at: ZonedMoment | None = Field(default=None, description="when; default now")
    role: Role = "user"
    addressed_to: tuple[Id, ...] = Field(default=(), description="to whom")
    metadata: JsonObject = Field(default_factory=dict)
    content_type: Id = Field(default="text", description="default text")
    goal_id: Id | None = Field(default=None, description="goal that the session serves")


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
class _Prepared:
    message: MessageRecord
    transaction: Transaction
    embedded: bool
    goal: Condition | None


def observe(kb: KnowledgeBase, agent: str, session: str, params: ObserveParams) -> Receipt:
    """Store one message. Raises ValidationFailed, Conflict, StoreUnavailable."""
    return observe_many(kb, agent, session, [params])[0]


def observe_many(
    kb: KnowledgeBase,
    agent: str,
    session: str,
    messages: Sequence[ObserveParams | Mapping[str, Any]],
    *,
    embed: bool = True,
) -> list[Receipt]:
    """Store the messages of one session in the order given, embedded as a batch; each is a transaction of its own.

    With `embed=False` they are found by text at once and by meaning when the workers have embedded them: for large
    imports, which then take as many processes as there are workers. The workers take such messages, and those of a
    batch of more than `LIVE_BATCH`, after what was said live.

    Raises ValidationFailed before anything is written. Raises Conflict for the first message whose id is taken; the
    others are stored.
    """
    scope = validated(_Scope, agent=agent, session=session)
    checked = [validated(ObserveParams, one) for one in messages]
    now = kb.clock()
    records: list[MessageRecord] = []
    contexts: list[list[MessageRecord]] = []
    drafts = []
    existing: dict[int, MessageRecord] = {}
    tail = kb.space.tails.get(scope.session) if len(checked) == 1 else None
    for place, params in enumerate(checked):
        # A microsecond apart, so that messages of one moment keep the order they were given in.
        record = _record(kb, scope, params, now + timedelta(microseconds=place))
        if tail is not None and tail.precedes(record):
            before = list(tail.messages)
        else:
            tail = None
            found, before = timeline.before(kb.space, scope.session, record.at, record.id, CONTEXT_MESSAGES)
            if found is not None:
                existing[place] = found
        earlier = [r for r in records if r.at <= record.at][-CONTEXT_MESSAGES:]
        merged = sorted({r.id: r for r in [*before, *earlier]}.values(), key=lambda r: (r.at, r.recorded_at))
        records.append(record)
        contexts.append(merged[-CONTEXT_MESSAGES:])
        drafts.append(message_draft(record, contexts[-1]))
    new = [place for place in range(len(records)) if place not in existing]
    embedded = kb.quick_embedder.documents([drafts[place].embedded for place in new]) if embed else [None] * len(new)
    prepared = []
    bulk = not embed or len(checked) > LIVE_BATCH
    for place, vector in zip(new, embedded, strict=True):
        transaction, goal = _transaction(kb, records[place], bulk=bulk)
        if tail is not None:
            transaction.require("tail", timeline.order_key(kb.space, scope.session), tail.guard)
        transaction.row(drafts[place].with_vector(vector))
        if vector is None:
            transaction.queue(vectors.TOPIC, vectors.entry("message", records[place].id), now, bulk=bulk)
        prepared.append(_Prepared(records[place], transaction, vector is not None, goal))
    outcomes = kb.space.commit([one.transaction for one in prepared]) if prepared else []
    if tail is not None and outcomes[0].guard == 1:
        # Somebody else wrote to the session since: read its end and write again.
        kb.space.tails.drop(scope.session)
        return observe_many(kb, scope.agent, scope.session, checked, embed=embed)
    receipts: dict[int, Receipt] = {}
    for place, one, result in zip(new, prepared, outcomes, strict=True):
        if result.committed:
            skipped = ("goal_id",) if one.goal is not None and not result.conditions[one.goal.number - 1] else ()
            receipts[place] = _receipt(one.message, True, one.embedded, skipped)
            if place == len(records) - 1:
                kb.space.tails.put(scope.session, [*contexts[place], one.message], CONTEXT_MESSAGES)
        else:
            existing[place] = MessageRecord.read(result.payload)
    if receipts:
        kb.wake(ingest.TOPIC, kb.namespace)
    if not all(receipt.embedded for receipt in receipts.values()):
        kb.wake(vectors.TOPIC, kb.namespace)
    for place, found in existing.items():
        if found.digest != records[place].digest:
            raise Conflict("message", found.id, _difference(found, records[place]))
        waits = work.pending(kb.space, vectors.TOPIC, [vectors.entry("message", found.id)])[0]
        receipts[place] = _receipt(found, False, not waits, ())
    return [receipts[place] for place in range(len(records))]


class _Scope(Params):
    agent: Id
    session: Id


def _record(kb: KnowledgeBase, scope: _Scope, params: ObserveParams, now: datetime) -> MessageRecord:
    at = params.at or now
    moment = None if params.at is None else params.at.astimezone(UTC)
    content = {**params.model_dump(exclude={"message_id"}), "at": moment}
    return MessageRecord.new(
        kb.space.keys,
        params.message_id or fresh_id(now),
        session=scope.session,
        agent=scope.agent,
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
        digest=fingerprint({**content, "session": scope.session, "agent": scope.agent}),
    )


def _transaction(kb: KnowledgeBase, message: MessageRecord, *, bulk: bool) -> tuple[Transaction, Condition | None]:
    keys = kb.space.keys
    transaction = kb.space.transaction()
    transaction.require("absent", message.key())
    for participant in dict.fromkeys([message.sender, *message.addressed_to, message.agent]):
        record = ParticipantRecord.new(keys, participant, recorded_at=message.recorded_at)
        transaction.put(record, only_new=True)
    session = SessionRecord.new(keys, message.session, agent=message.agent, recorded_at=message.recorded_at)
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
        goal = transaction.when_exists(keys.record("goal", message.goal_id))
        transaction.link("FOR_GOAL", ("session", message.session), ("goal", message.goal_id), message.at, when=goal)
    # A message dated ahead keeps its session open no longer than one of now.
    last = min(message.at, message.recorded_at)
    transaction.schedule(IDLE, message.session, last + kb.settings.session_idle, later_only=True)
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
