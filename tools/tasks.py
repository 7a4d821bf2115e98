"""Tasks: units of work that advance a goal."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    computed_field,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from reverie.config.errors import ValidationFailed
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import task_draft
from reverie.store.commands import Condition
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.records.goals import GoalRecord, TaskRecord
from reverie.store.unreadable import read_one, readable
from reverie.tools.fields import AnyText, Id, Ids, Params, Text, Unit, validated
from reverie.tools.goals import changes
from reverie.tools.identity import fingerprint, fresh_id
from reverie.tools.lineage import refuse_cycle
from reverie.tools.phases import TaskPhase, task_phase
from reverie.tools.writing import Links, change, insert

ASSIGNED_TO, PART_OF, DEPENDS_ON, SUBTASK_OF, IN_PHASE = (
    "ASSIGNED_TO",
    "PART_OF",
    "DEPENDS_ON",
    "SUBTASK_OF",
    "IN_PHASE",
)


class CreateTaskParams(Params):
    """A task. `priority` is from 0 to 1, the higher the sooner; its links are made where their targets exist."""

    title: Text = Field(description="in a few words")
    task_id: Id | None = None
    description: AnyText | None = None
    status: Text = Field("todo", description="default todo; or active, blocked")
    priority: Unit | None = Field(None, description="0 to 1, the higher the sooner")
    goal_id: Id | None = None
    depends_on_task_id: SkipJsonSchema[Id | None] = None
    """Not shown to models, which name one or several by the next."""
    depends_on_task_ids: Ids = ()
    subtask_of_task_id: Id | None = None


class UpdateTaskParams(Params):
    """What is to change; what is not given stays. None clears a field, () the tasks it depends on."""

    title: Text | None = None
    description: AnyText | None = None
    status: Text | None = None
    priority: Unit | None = None
    goal_id: Id | None = None
    depends_on_task_ids: Ids = ()
    subtask_of_task_id: Id | None = None


class TaskView(BaseModel):
    """A task as it stands."""

    model_config = ConfigDict(frozen=True)

    task_id: str = Field(validation_alias=AliasChoices("task_id", "id"))
    agent: str
    title: str
    description: str | None = None
    status: str
    priority: float | None = None
    goal_id: str | None = None
    depends_on_task_id: str | None = None
    """The first of the tasks it depends on."""
    depends_on_task_ids: tuple[str, ...] = ()
    """All tasks that have to be done before."""
    subtask_of_task_id: str | None = None
    completed_at: datetime | None = None
    created_at: datetime = Field(validation_alias=AliasChoices("created_at", "recorded_at"))

    @model_validator(mode="after")
    def _names_all_dependencies(self) -> Self:
        if self.depends_on_task_id is not None:
            everything = tuple(dict.fromkeys((self.depends_on_task_id, *self.depends_on_task_ids)))
            object.__setattr__(self, "depends_on_task_ids", everything)  # the model is frozen for its users
        return self

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def phase(self) -> TaskPhase:
        """Where it stands, read off the status."""
        return task_phase(self.status)


class CreatedTask(TaskView):
    """A task as `create_task` found or made it. `created` is False when it was there already."""

    created: bool
    embedded: bool = True
    """False when the embedder was late: found by text now, by meaning once a worker filled the vector in."""
    skipped_links: tuple[str, ...] = ()


_VIEWS = TypeAdapter(list[TaskView])


def create_task(ctx: Context, agent: str, params: CreateTaskParams) -> CreatedTask:
    """Create a task of the agent. Raises ValidationFailed (a circle of tasks included), Conflict, StoreUnavailable."""
    now = ctx.clock()
    record = _record(ctx.ns, agent, params, now)

    def link(transaction: Transaction, links: Links) -> None:
        node = ("task", record.id)
        transaction.put(ParticipantRecord.new(ctx.ns, agent, recorded_at=now), only_new=True)
        transaction.link(ASSIGNED_TO, node, ("participant", agent), now)
        transaction.link(IN_PHASE, node, _phase(record), now)
        for parameter, edge, (kind, target) in _targets(record):
            transaction.link(edge, node, (kind, target), now, when=links.optional(parameter, kind, target))

    def check(transaction: Transaction) -> None:
        if params.task_id is not None:
            _refuse_circles(ctx.ns, transaction, record)

    written = insert(ctx, record, link, (task_draft(record),), check=check)
    fields = written.record.model_dump(include=set(TaskView.model_fields) | {"id", "recorded_at"})
    return CreatedTask(
        **fields, created=written.created, embedded=written.embedded, skipped_links=written.skipped_links
    )


def _record(ns: Namespace, agent: str, params: CreateTaskParams, now: datetime) -> TaskRecord:
    completed = task_phase(params.status) is TaskPhase.COMPLETED
    # Without the field when it is empty, so that the fingerprint is the one of before the field was there.
    left_out = {"task_id"} if params.depends_on_task_ids else {"task_id", "depends_on_task_ids"}
    content = params.model_dump(exclude=left_out)
    return TaskRecord.new(
        ns,
        params.task_id or fresh_id(now),
        agent=agent,
        completed_at=now if completed else None,
        recorded_at=now,
        digest=fingerprint({**content, "agent": agent}),
        **content,
    )


def _targets(record: TaskRecord) -> list[tuple[str, str, tuple[str, str]]]:
    """What the task points to: the parameter that named it, the edge, and the node."""
    goal = [] if record.goal_id is None else [("goal_id", PART_OF, ("goal", record.goal_id))]
    whole = (
        []
        if record.subtask_of_task_id is None
        else [("subtask_of_task_id", SUBTASK_OF, ("task", record.subtask_of_task_id))]
    )
    before = [(_parameter(record, one), DEPENDS_ON, ("task", one)) for one in record.dependencies]
    return [*goal, *before, *whole]


def _parameter(record: TaskRecord, dependency: str) -> str:
    return "depends_on_task_id" if dependency == record.depends_on_task_id else "depends_on_task_ids"


def _wholes(record: TaskRecord) -> list[str]:
    return [] if record.subtask_of_task_id is None else [record.subtask_of_task_id]


def _refuse_circles(ns: Namespace, transaction: Transaction, record: TaskRecord) -> None:
    for one in record.dependencies:
        refuse_cycle(
            ns,
            transaction,
            TaskRecord,
            _parameter(record, one),
            record.id,
            [one],
            lambda above: above.dependencies,
        )
    refuse_cycle(ns, transaction, TaskRecord, "subtask_of_task_id", record.id, _wholes(record), _wholes)


def update_task(ctx: Context, agent: str, task_id: str, params: UpdateTaskParams) -> bool:
    """Change what is set of `params` on a task; False for an id that is none of the agent's tasks.

    Raises ValidationFailed (a circle of tasks included).
    """
    wanted = changes(params, ("title", "status"))
    if "depends_on_task_ids" in wanted:
        before = list(dict.fromkeys(params.depends_on_task_ids))
        wanted |= {"depends_on_task_ids": before, "depends_on_task_id": before[0] if before else None}
    late: list[bool] = []

    def changed(record: TaskRecord, transaction: Transaction) -> TaskRecord | None:
        if record.agent != agent:
            return None
        new: TaskRecord = record.model_copy(update=wanted)
        _settle_completion(ctx, new)
        _move(transaction, record, new)
        _relink(ctx, transaction, record, new)
        if (new.title, new.description) != (record.title, record.description):
            late.append(vectors.embed_row(ctx, transaction, task_draft(new)))
        return new

    done = change(ctx.ns, TaskRecord, validated(_TaskName, task_id=task_id).task_id, changed)
    if done is not None and any(late):
        ctx.wake(vectors.TOPIC, ctx.namespace)
    return done is not None


def _settle_completion(ctx: Context, record: TaskRecord) -> None:
    """A task of the completed phase has a `completed_at`, any other has none."""
    if task_phase(record.status) is not TaskPhase.COMPLETED:
        record.completed_at = None
    elif record.completed_at is None:
        record.completed_at = ctx.clock()


def _move(transaction: Transaction, old: TaskRecord, new: TaskRecord) -> None:
    if _phase(old) != _phase(new):
        transaction.unlink(IN_PHASE, ("task", old.id), _phase(old))
        transaction.link(IN_PHASE, ("task", new.id), _phase(new), new.recorded_at)


def _relink(ctx: Context, transaction: Transaction, old: TaskRecord, new: TaskRecord) -> None:
    """Move the edges to what the task now points to; one to what does not exist is left out."""
    had = {(edge, target) for _, edge, target in _targets(old)}
    has = {(edge, target) for _, edge, target in _targets(new)}
    if had == has:
        return
    _refuse_circles(ctx.ns, transaction, new)
    node = ("task", new.id)
    for edge, target in sorted(had - has):
        transaction.unlink(edge, node, target)
    for edge, target in sorted(has - had):
        exists: Condition = transaction.when_stored(*target)
        transaction.link(edge, node, target, ctx.clock(), when=exists)


def _phase(record: TaskRecord) -> tuple[str, str]:
    """The node that the agent's tasks of one phase point to."""
    return ("phase", f"{task_phase(record.status)}:{record.agent}")


def set_task_status(ctx: Context, agent: str, task_id: str, status: str) -> bool:
    """Give a task a status; False for an id that is none of the agent's tasks. Raises ValidationFailed.

    A status of the completed phase sets `completed_at`, any other clears it.
    """
    checked = validated(_StatusParams, task_id=task_id, status=status)

    def changed(record: TaskRecord, transaction: Transaction) -> TaskRecord | None:
        if record.agent != agent:
            return None
        new: TaskRecord = record.model_copy(update={"status": checked.status})
        _settle_completion(ctx, new)
        _move(transaction, record, new)
        return new

    return change(ctx.ns, TaskRecord, checked.task_id, changed) is not None


class _StatusParams(Params):
    task_id: Id
    status: Text


class _TaskName(Params):
    task_id: Id


class _GoalName(Params):
    goal_id: Id


def views(ns: Namespace, documents: Sequence[bytes]) -> list[TaskView]:
    """The views of stored documents, by priority (none last), then age; those that cannot be read are set aside."""
    try:
        found = _VIEWS.validate_json(b"[" + b",".join(documents) + b"]")
    except ValidationError:
        found = readable(ns, "task", documents, TaskView.model_validate_json)
    found.sort(key=lambda task: (-1.0 if task.priority is None else task.priority) * -1)
    return found


def get_task(ctx: Context, agent: str, task_id: str) -> TaskView | None:
    """The task; None for an id that is none of the agent's tasks."""
    stored = ctx.ns.documents("task", [validated(_TaskName, task_id=task_id).task_id])
    found = [read_one("task", document, TaskView.model_validate_json) for document in stored]
    return found[0] if found and found[0].agent == agent else None


def tasks(ctx: Context, agent: str, phase: TaskPhase | str | None = None) -> list[TaskView]:
    """The agent's tasks, of one phase or all, by priority (none last), then age."""
    if phase is None:
        ids = ctx.ns.sources(ASSIGNED_TO, "task", ("participant", agent))
    else:
        ids = ctx.ns.sources(IN_PHASE, "task", ("phase", f"{_phase_named(phase)}:{agent}"))
    return views(ctx.ns, ctx.ns.documents("task", ids))


def tasks_of(ctx: Context, agent: str, goal_id: str) -> list[TaskView]:
    """The tasks that are part of a goal of the agent's, whoever they are assigned to, by priority (none last), then
    age; [] for an id that is none of its goals.
    """
    name = validated(_GoalName, goal_id=goal_id).goal_id
    goal = ctx.ns.get(GoalRecord, name)
    if goal is None or goal.agent != agent:
        return []
    return views(ctx.ns, ctx.ns.documents("task", ctx.ns.sources(PART_OF, "task", ("goal", name))))


def _phase_named(phase: TaskPhase | str) -> TaskPhase:
    try:
        # An enum says in its error what it was given, however large that is when printed.
        return TaskPhase(phase if isinstance(phase, str) else "")
    except Exception:  # noqa: BLE001  # whatever was passed, and whatever its own code does when it is compared
        raise ValidationFailed("phase", f"is none of {', '.join(TaskPhase)}") from None
