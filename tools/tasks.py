"""Tasks: units of work that advance a goal."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, computed_field

from reverie.config.errors import ValidationFailed
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.rows import task_draft
from reverie.store.commit import Transaction
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.records.goals import TaskRecord
from reverie.tools.fields import AnyText, Id, Params, Text, Unit, validated
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
_TARGETS = {
    "goal_id": ("goal", PART_OF),
    "depends_on_task_id": ("task", DEPENDS_ON),
    "subtask_of_task_id": ("task", SUBTASK_OF),
}


class CreateTaskParams(Params):
    """A task. `priority` is from 0 to 1, the higher the sooner; its links are made where their targets exist."""

    title: Text = Field(description="what is to be done, in a few words")
    task_id: Id | None = Field(None, description="makes the call idempotent; default a fresh ULID")
    description: AnyText | None = Field(None, description="what it is about")
    status: Text = Field("todo", description="such as todo (the default), active or blocked")
    priority: Unit | None = Field(None, description="from 0 to 1, the higher the sooner")
    goal_id: Id | None = Field(None, description="the goal that it advances")
    depends_on_task_id: Id | None = Field(None, description="the task that has to be done before")
    subtask_of_task_id: Id | None = Field(None, description="the task that it is a part of")


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
    subtask_of_task_id: str | None = None
    completed_at: datetime | None = None
    created_at: datetime = Field(validation_alias=AliasChoices("created_at", "recorded_at"))

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


def create_task(
    kb: KnowledgeBase, agent: str, params: CreateTaskParams | Mapping[str, Any] | None = None, /, **given: Any
) -> CreatedTask:
    """Create a task of the agent. Raises ValidationFailed (a circle of tasks included), Conflict, StoreUnavailable."""
    checked = validated(CreateTaskParams, params, **given)
    now = kb.clock()
    record = _record(kb, agent, checked, now)

    def link(transaction: Transaction, links: Links) -> None:
        node = ("task", record.id)
        transaction.put(ParticipantRecord.new(kb.space.keys, agent, recorded_at=now), only_new=True)
        transaction.link(ASSIGNED_TO, node, ("participant", agent), now)
        transaction.link(IN_PHASE, node, _phase(record), now)
        for parameter, (kind, edge) in _TARGETS.items():
            target = getattr(record, parameter)
            if target is not None:
                transaction.link(edge, node, (kind, target), now, when=links.optional(parameter, kind, target))

    def check(transaction: Transaction) -> None:
        if checked.task_id is not None:
            for parameter in ("depends_on_task_id", "subtask_of_task_id"):
                target = getattr(record, parameter)
                if target is not None:
                    refuse_cycle(kb, transaction, TaskRecord, parameter, record.id, target)

    written = insert(kb, record, link, (task_draft(record),), check=check)
    fields = written.record.model_dump(include=set(TaskView.model_fields) | {"id", "recorded_at"})
    return CreatedTask(
        **fields, created=written.created, embedded=written.embedded, skipped_links=written.skipped_links
    )


def _record(kb: KnowledgeBase, agent: str, params: CreateTaskParams, now: datetime) -> TaskRecord:
    completed = task_phase(params.status) is TaskPhase.COMPLETED
    content = params.model_dump(exclude={"task_id"})
    return TaskRecord.new(
        kb.space.keys,
        params.task_id or fresh_id(now),
        agent=agent,
        completed_at=now if completed else None,
        recorded_at=now,
        digest=fingerprint({**content, "agent": agent}),
        **content,
    )


def _phase(record: TaskRecord) -> tuple[str, str]:
    """The node that the agent's tasks of one phase point to."""
    return ("phase", f"{task_phase(record.status)}:{record.agent}")


def set_task_status(kb: KnowledgeBase, agent: str, task_id: str, status: str) -> bool:
    """Give a task a status; False for an id that is none of the agent's tasks. Raises ValidationFailed.

    A status of the completed phase sets `completed_at`, any other clears it.
    """
    checked = validated(_StatusParams, task_id=task_id, status=status)

    def changed(record: TaskRecord, transaction: Transaction) -> TaskRecord | None:
        if record.agent != agent:
            return None
        completed = task_phase(checked.status) is TaskPhase.COMPLETED
        at = (record.completed_at or kb.clock()) if completed else None
        new: TaskRecord = record.model_copy(update={"status": checked.status, "completed_at": at})
        if _phase(record) != _phase(new):
            transaction.unlink(IN_PHASE, ("task", record.id), _phase(record))
            transaction.link(IN_PHASE, ("task", new.id), _phase(new), new.recorded_at)
        return new

    return change(kb, TaskRecord, checked.task_id, changed) is not None


class _StatusParams(Params):
    task_id: Id
    status: Text


class _Names(Params):
    task_id: Id | None = None
    goal_id: Id | None = None


def views(documents: Sequence[bytes]) -> list[TaskView]:
    """The views of stored documents, by priority (none last), then age."""
    found = _VIEWS.validate_json(b"[" + b",".join(documents) + b"]")
    found.sort(key=lambda task: (-1.0 if task.priority is None else task.priority) * -1)
    return found


def get_task(kb: KnowledgeBase, agent: str, task_id: str) -> TaskView | None:
    """The task; None for an id that is none of the agent's tasks."""
    name = validated(_Names, task_id=task_id).task_id
    found = views(kb.space.documents("task", [name])) if name else []
    return found[0] if found and found[0].agent == agent else None


def tasks(kb: KnowledgeBase, agent: str, phase: TaskPhase | str | None = None) -> list[TaskView]:
    """The agent's tasks, of one phase or all, by priority (none last), then age."""
    if phase is None:
        ids = kb.space.sources(ASSIGNED_TO, "task", ("participant", agent))
    else:
        ids = kb.space.sources(IN_PHASE, "task", ("phase", f"{_phase_named(phase)}:{agent}"))
    return views(kb.space.documents("task", ids))


def tasks_of(kb: KnowledgeBase, goal_id: str) -> list[TaskView]:
    """The tasks that are part of a goal, whoever they are assigned to, by priority (none last), then age."""
    name = validated(_Names, goal_id=goal_id).goal_id
    ids = kb.space.sources(PART_OF, "task", ("goal", name)) if name else []
    return views(kb.space.documents("task", ids))


def _phase_named(phase: TaskPhase | str) -> TaskPhase:
    try:
        return TaskPhase(phase)
    except ValueError:
        raise ValidationFailed("phase", f"is none of {', '.join(TaskPhase)}") from None
