"""Actions: the tool calls an agent made."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import ValidationFailed
from reverie.pipelines.context import Context
from reverie.pipelines.rows import action_draft, artifact_draft
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.activity import ActionRecord
from reverie.store.records.conversation import ParticipantRecord
from reverie.tools.artifacts import artifact, artifact_id, overflows, stub
from reverie.tools.fields import AnyText, Count, Id, Json, Moment, Params, Text, validated
from reverie.tools.identity import fingerprint, fresh_id
from reverie.tools.plainjson import from_text, to_text
from reverie.tools.references import IN_SESSION, References
from reverie.tools.writing import Links, insert

PERFORMED_BY, PRODUCED, NEXT_ACTION = "PERFORMED_BY", "PRODUCED", "NEXT_ACTION"


class RecordActionParams(Params):
    """A tool call that was made. `started_at` defaults to now, `input` and `output` are any JSON."""

    action_type: Text = Field(description="such as shell or http")
    action_id: Id | None = None
    input: Json = None
    output: Json = None
    status: Text | None = Field(None, description="such as success or failure")
    started_at: Moment | None = Field(None, description="default now")
    ended_at: Moment | None = None
    error: AnyText | None = None
    triggered_by_message_id: Id | None = None
    session_id: Id | None = None
    goal_id: Id | None = None
    task_id: Id | None = None
    previous_action_id: Id | None = None


class RecordActionResult(BaseModel):
    """What became of it. `overflow_artifact` is the id under which an output too large for the action is kept whole."""

    model_config = ConfigDict(frozen=True)

    action_id: str
    created: bool
    overflow_artifact: str | None = None
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


class ActionView(BaseModel):
    """An action as it was recorded. With an `artifact_id` the output is a stub of the artifact."""

    model_config = ConfigDict(frozen=True)

    action_id: str
    agent: str
    action_type: str
    input: Any
    output: Any
    artifact_id: str | None
    status: str | None
    error: str | None
    started_at: datetime
    ended_at: datetime | None
    session_id: str | None
    goal_id: str | None
    task_id: str | None
    triggered_by_message_id: str | None
    previous_action_id: str | None


def record_action(ctx: Context, agent: str, params: RecordActionParams) -> RecordActionResult:
    """Record a tool call. Raises ValidationFailed, Conflict, StoreUnavailable.

    An output of more than `artifact_threshold` tokens is kept as an artifact; the action keeps a stub that says what it
    is, how large, and how it begins and ends.
    """
    if params.started_at and params.ended_at and params.ended_at < params.started_at:
        raise ValidationFailed("ended_at", "lies before started_at")
    now = ctx.clock()
    id = params.action_id or fresh_id(now)
    large = overflows(ctx.tokens, params.output, ctx.settings.artifact_threshold)
    whole = artifact(ctx, agent, id, params.action_type, params.output, params.session_id) if large else None
    record = _record(ctx.ns, agent, id, params, now, large)
    references = References(
        agent, record.started_at, record.session, record.goal_id, record.task_id, record.triggered_by
    )

    def link(transaction: Transaction, links: Links) -> None:
        node, at = ("action", id), record.started_at
        transaction.put(ParticipantRecord.new(ctx.ns, agent, recorded_at=now), only_new=True)
        transaction.link(PERFORMED_BY, node, ("participant", agent), at)
        references.link(ctx, transaction, links, node)
        if record.previous_action is not None:
            exists = links.optional("previous_action_id", "action", record.previous_action)
            transaction.link(NEXT_ACTION, ("action", record.previous_action), node, at, when=exists)
        if whole is not None:
            transaction.put(whole)
            transaction.link(PRODUCED, node, ("artifact", whole.id), at)

    drafts = [action_draft(record), *([] if whole is None else [artifact_draft(whole)])]
    written = insert(ctx, record, link, drafts)
    return RecordActionResult(
        action_id=id,
        created=written.created,
        overflow_artifact=written.record.artifact,
        embedded=written.embedded,
        skipped_links=written.skipped_links,
    )


def _record(ns: Namespace, agent: str, id: str, params: RecordActionParams, now: datetime, large: bool) -> ActionRecord:
    output = stub(artifact_id(id), params.output) if large else params.output
    return ActionRecord.new(
        ns,
        id,
        agent=agent,
        action_type=params.action_type,
        input=to_text(params.input),
        output=to_text(output),
        artifact=artifact_id(id) if large else None,
        status=params.status,
        error=params.error,
        started_at=params.started_at or params.ended_at or now,
        ended_at=params.ended_at,
        session=params.session_id,
        goal_id=params.goal_id,
        task_id=params.task_id,
        triggered_by=params.triggered_by_message_id,
        previous_action=params.previous_action_id,
        recorded_at=now,
        digest=fingerprint({**params.model_dump(exclude={"action_id"}), "agent": agent}),
    )


class _Name(Params):
    action_id: Id


class _Listed(Params):
    session_id: Id | None
    newest: Count | None


def get_action(ctx: Context, agent: str, action_id: str) -> ActionView | None:
    """The action; None for an id that is none of the agent's actions."""
    record = ctx.ns.get(ActionRecord, validated(_Name, action_id=action_id).action_id)
    return _view(record) if record is not None and record.agent == agent else None


def actions(ctx: Context, agent: str, *, session_id: str | None = None, newest: int | None = None) -> list[ActionView]:
    """The agent's actions, oldest first: all, those of a session, or the `newest` of these. Raises ValidationFailed."""
    checked = validated(_Listed, session_id=session_id, newest=newest)
    if checked.session_id is None:
        ids = ctx.ns.sources(PERFORMED_BY, "action", ("participant", agent), newest=checked.newest)
    else:
        ids = ctx.ns.sources(IN_SESSION, "action", ("session", checked.session_id))
    found = ctx.ns.get_many(ActionRecord, ids)
    own = [_view(record) for record in found if record is not None and record.agent == agent]
    return own if checked.newest is None else own[-checked.newest :]


def _view(record: ActionRecord) -> ActionView:
    return ActionView(
        action_id=record.id,
        agent=record.agent,
        action_type=record.action_type,
        input=from_text(record.input),
        output=from_text(record.output),
        artifact_id=record.artifact,
        status=record.status,
        error=record.error,
        started_at=record.started_at,
        ended_at=record.ended_at,
        session_id=record.session,
        goal_id=record.goal_id,
        task_id=record.task_id,
        triggered_by_message_id=record.triggered_by,
        previous_action_id=record.previous_action,
    )
