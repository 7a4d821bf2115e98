"""Goals: objectives an agent committed to, and where they stand."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, computed_field
from pydantic import Json as JsonText

from reverie.config.errors import ValidationFailed
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import goal_draft
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.records.goals import GoalRecord
from reverie.store.unreadable import read_one, readable
from reverie.tools.fields import AnyText, Id, Json, Moment, Params, Text, validated
from reverie.tools.identity import fingerprint, fresh_id
from reverie.tools.lineage import refuse_cycle
from reverie.tools.phases import GoalPhase, goal_phase
from reverie.tools.plainjson import from_text, to_text
from reverie.tools.writing import Links, change, insert

OWNED_BY, PARENT_GOAL, IN_PHASE = "OWNED_BY", "PARENT_GOAL", "IN_PHASE"


class CreateGoalParams(Params):
    """A goal. `metrics` says what success is, `guardrails` what must not happen; both are any JSON."""

    title: Text = Field(description="in a few words")
    goal_id: Id | None = None
    description: AnyText | None = None
    status: Text = Field("active", description="default active; or planned")
    metrics: Json = Field(None, description="what success is")
    guardrails: Json = Field(None, description="what must not happen")
    deadline: Moment | None = None
    parent_goal_id: Id | None = None


class UpdateGoalParams(Params):
    """What is to change; what is not given stays. None clears a field."""

    title: Text | None = None
    description: AnyText | None = None
    status: Text | None = None
    metrics: Json = None
    guardrails: Json = None
    deadline: Moment | None = None
    parent_goal_id: Id | None = None


class GoalView(BaseModel):
    """A goal as it stands. `metrics` are those it was created with, merged with the result it was completed with."""

    model_config = ConfigDict(frozen=True)

    goal_id: str = Field(validation_alias=AliasChoices("goal_id", "id"))
    agent: str
    title: str
    description: str | None = None
    status: str
    metrics: JsonText[Any] | None = None
    guardrails: JsonText[Any] | None = None
    deadline: datetime | None = None
    parent_goal_id: str | None = None
    completed_at: datetime | None = None
    created_at: datetime = Field(validation_alias=AliasChoices("created_at", "recorded_at"))

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def phase(self) -> GoalPhase:
        """Where it stands, read off the status."""
        return goal_phase(self.status)


class CreatedGoal(GoalView):
    """A goal as `create` found or made it. `created` is False when it was there already."""

    created: bool
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


_VIEWS = TypeAdapter(list[GoalView])


def create_goal(ctx: Context, agent: str, params: CreateGoalParams) -> CreatedGoal:
    """Create a goal of the agent. Raises ValidationFailed (a goal above itself too), Conflict, StoreUnavailable."""
    now = ctx.clock()
    record = _record(ctx.ns, agent, params, now)
    parent = params.parent_goal_id

    def link(transaction: Transaction, links: Links) -> None:
        node = ("goal", record.id)
        participant = ParticipantRecord.new(ctx.ns, agent, recorded_at=now)
        transaction.put(participant, only_new=True)
        transaction.link(OWNED_BY, node, ("participant", agent), now)
        transaction.link(IN_PHASE, node, _phase(record), now)
        if parent is not None:
            exists = links.optional("parent_goal_id", "goal", parent)
            transaction.link(PARENT_GOAL, node, ("goal", parent), now, when=exists)

    def check(transaction: Transaction) -> None:
        if parent is not None and params.goal_id is not None:
            refuse_cycle(ctx.ns, transaction, GoalRecord, "parent_goal_id", record.id, [parent], _parents)

    written = insert(
        ctx, record, link, (goal_draft(record),), check=check, same=lambda found: _content(found) == _content(record)
    )
    return CreatedGoal(
        **view_fields(written.record),
        created=written.created,
        embedded=written.embedded,
        skipped_links=written.skipped_links,
    )


def _record(ns: Namespace, agent: str, params: CreateGoalParams, now: datetime) -> GoalRecord:
    completed = goal_phase(params.status) is GoalPhase.COMPLETED
    return GoalRecord.new(
        ns,
        params.goal_id or fresh_id(now),
        agent=agent,
        title=params.title,
        description=params.description,
        status=params.status,
        metrics=to_text(params.metrics),
        guardrails=to_text(params.guardrails),
        deadline=params.deadline,
        parent_goal_id=params.parent_goal_id,
        completed_at=now if completed else None,
        recorded_at=now,
        digest=fingerprint({**params.model_dump(exclude={"goal_id"}), "agent": agent}),
    )


def _parents(record: GoalRecord) -> list[str]:
    return [] if record.parent_goal_id is None else [record.parent_goal_id]


def _content(record: GoalRecord) -> tuple[Any, ...]:
    fields = ("agent", "title", "description", "status", "metrics", "guardrails", "deadline", "parent_goal_id")
    return tuple(getattr(record, field) for field in fields)


def _phase(record: GoalRecord) -> tuple[str, str]:
    """The node that the agent's goals of one phase point to."""
    return ("phase", f"{goal_phase(record.status)}:{record.agent}")


def view_fields(record: GoalRecord) -> dict[str, Any]:
    """The fields of a view of the record."""
    fields: dict[str, Any] = record.model_dump(include=set(GoalView.model_fields) | {"id", "recorded_at"})
    return fields


def views(ns: Namespace, documents: Sequence[bytes]) -> list[GoalView]:
    """The views of stored documents, read in one go; those that cannot be read are set aside."""
    try:
        return _VIEWS.validate_json(b"[" + b",".join(documents) + b"]")
    except ValidationError:
        return readable(ns, "goal", documents, GoalView.model_validate_json)


def set_goal_status(ctx: Context, agent: str, goal_id: str, status: str, result: Any = None) -> bool:
    """Give a goal a status; False for an id that is none of the agent's goals.

    A status of the completed phase sets `completed_at`, any other clears it. An object as `result` is merged into the
    metrics key by key, anything else is put under `result`. Raises ValidationFailed.
    """
    checked = validated(_StatusParams, goal_id=goal_id, status=status, result=result)

    def changed(record: GoalRecord, transaction: Transaction) -> GoalRecord | None:
        if record.agent != agent:
            return None
        now = ctx.clock()
        completed = goal_phase(checked.status) is GoalPhase.COMPLETED
        update = {
            "status": checked.status,
            "completed_at": (record.completed_at or now) if completed else None,
            "metrics": _merged(record.metrics, checked.result),
        }
        new: GoalRecord = record.model_copy(update=update)
        _move(transaction, record, new)
        return new

    return change(ctx.ns, GoalRecord, checked.goal_id, changed) is not None


class _StatusParams(Params):
    goal_id: Id
    status: Text
    result: Json = None


def _merged(metrics: str | None, result: Any) -> str | None:
    if result is None:
        return metrics
    before = from_text(metrics)
    whole = before if isinstance(before, dict) else {} if before is None else {"metrics": before}
    return to_text({**whole, **(result if isinstance(result, dict) else {"result": result})})


def _move(transaction: Transaction, old: GoalRecord, new: GoalRecord) -> None:
    if _phase(old) != _phase(new):
        transaction.unlink(IN_PHASE, ("goal", old.id), _phase(old))
        transaction.link(IN_PHASE, ("goal", new.id), _phase(new), new.recorded_at)


def update_goal(ctx: Context, agent: str, goal_id: str, params: UpdateGoalParams) -> bool:
    """Change what is set of `params` on a goal; False for an id that is none of the agent's goals.

    Raises ValidationFailed.
    """
    wanted = changes(params, ("title", "status"))
    for field in ("metrics", "guardrails"):
        if field in wanted:
            wanted[field] = to_text(wanted[field])
    late: list[bool] = []

    def changed(record: GoalRecord, transaction: Transaction) -> GoalRecord | None:
        if record.agent != agent:
            return None
        new: GoalRecord = record.model_copy(update=wanted)
        if goal_phase(new.status) is not GoalPhase.COMPLETED:
            new.completed_at = None
        elif new.completed_at is None:
            new.completed_at = ctx.clock()
        _move(transaction, record, new)
        if new.parent_goal_id != record.parent_goal_id:
            _reparent(ctx, transaction, record, new)
        if (new.title, new.description) != (record.title, record.description):
            late.append(vectors.embed_row(ctx, transaction, goal_draft(new)))
        return new

    done = change(ctx.ns, GoalRecord, validated(_GoalName, goal_id=goal_id).goal_id, changed)
    if done is not None and any(late):
        ctx.wake(vectors.TOPIC, ctx.namespace)
    return done is not None


def changes(params: Params, kept: Sequence[str]) -> dict[str, Any]:
    """What the caller set of `params`, by field. Raises ValidationFailed for None in one of the fields `kept`."""
    wanted = params.model_dump(include=params.model_fields_set)
    for field in kept:
        if field in wanted and wanted[field] is None:
            raise ValidationFailed(field, "cannot be cleared; leave it out to keep it")
    return wanted


class _GoalName(Params):
    goal_id: Id


def _reparent(ctx: Context, transaction: Transaction, old: GoalRecord, new: GoalRecord) -> None:
    if old.parent_goal_id is not None:
        transaction.unlink(PARENT_GOAL, ("goal", old.id), ("goal", old.parent_goal_id))
    if new.parent_goal_id is not None:
        refuse_cycle(ctx.ns, transaction, GoalRecord, "parent_goal_id", new.id, [new.parent_goal_id], _parents)
        exists = transaction.when_stored("goal", new.parent_goal_id)
        transaction.link(PARENT_GOAL, ("goal", new.id), ("goal", new.parent_goal_id), ctx.clock(), when=exists)


def get_goal(ctx: Context, agent: str, goal_id: str) -> GoalView | None:
    """The goal; None for an id that is none of the agent's goals."""
    stored = ctx.ns.documents("goal", [validated(_GoalName, goal_id=goal_id).goal_id])
    found = [read_one("goal", document, GoalView.model_validate_json) for document in stored]
    return found[0] if found and found[0].agent == agent else None


def goals(ctx: Context, agent: str, phase: GoalPhase | str | None = None) -> list[GoalView]:
    """The agent's goals, of one phase or all, oldest first."""
    if phase is None:
        ids = ctx.ns.sources(OWNED_BY, "goal", ("participant", agent))
    else:
        ids = ctx.ns.sources(IN_PHASE, "goal", ("phase", f"{_phase_named(phase)}:{agent}"))
    return views(ctx.ns, ctx.ns.documents("goal", ids))


def _phase_named(phase: GoalPhase | str) -> GoalPhase:
    try:
        # An enum says in its error what it was given, however large that is when printed.
        return GoalPhase(phase if isinstance(phase, str) else "")
    except Exception:  # noqa: BLE001  # whatever was passed, and whatever its own code does when it is compared
        raise ValidationFailed("phase", f"is none of {', '.join(GoalPhase)}") from None
