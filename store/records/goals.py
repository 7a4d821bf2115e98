"""What an agent is after: goals, and the tasks that advance them.

Fields of arbitrary JSON are kept as JSON text: whatever the caller gave comes back, numbers of any size included.
"""

from datetime import datetime

from pydantic import Field

from reverie.store.records.base import Record


class GoalRecord(Record, index=True):
    """An objective of one agent."""

    kind = "goal"
    agent: str
    title: str
    description: str | None = None
    status: str
    metrics: str | None = None
    guardrails: str | None = None
    deadline: datetime | None = None
    parent_goal_id: str | None = None
    completed_at: datetime | None = None


class TaskRecord(Record, index=True):
    """A unit of work, assigned to one agent."""

    kind = "task"
    agent: str
    title: str
    description: str | None = None
    status: str
    priority: float | None = None
    goal_id: str | None = None
    depends_on_task_id: str | None = None
    """The first of the tasks it depends on."""
    depends_on_task_ids: list[str] = Field(default_factory=list)
    """All of them; empty in records of before a task could depend on several."""
    subtask_of_task_id: str | None = None
    completed_at: datetime | None = None

    @property
    def dependencies(self) -> list[str]:
        """The ids of the tasks that have to be done before."""
        first = [] if self.depends_on_task_id is None else [self.depends_on_task_id]
        return list(dict.fromkeys([*first, *self.depends_on_task_ids]))
