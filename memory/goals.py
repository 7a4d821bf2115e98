"""Goals and tasks of an agent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

from reverie.config.unset import UNSET, Unset, without_unset
from reverie.pipelines.context import Context
from reverie.tools import context, goals, tasks
from reverie.tools.context import GoalContext
from reverie.tools.fields import validated
from reverie.tools.goals import CreatedGoal, CreateGoalParams, GoalView, UpdateGoalParams
from reverie.tools.phases import GoalPhase, TaskPhase
from reverie.tools.tasks import CreatedTask, CreateTaskParams, TaskView, UpdateTaskParams


class Goals:
    """What an agent is after. `agent.goals` and `agent.goals()` are the same.

    Changes give False, and readings None or [], for an id that is none of the agent's own. Every call raises
    ValidationFailed for what is wrong in it and StoreUnavailable when Redis cannot be reached.
    """

    def __init__(self, ctx: Context, agent_id: str) -> None:
        self.ctx = ctx
        self.agent_id = agent_id

    def __call__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return f"Goals(agent={self.agent_id!r}, namespace={self.ctx.namespace!r})"

    # Goals

    def create(
        self,
        title: str,
        *,
        goal_id: str | None = None,
        description: str | None = None,
        status: str = "active",
        metrics: Any = None,
        guardrails: Any = None,
        deadline: datetime | None = None,
        parent_goal_id: str | None = None,
    ) -> CreatedGoal:
        """Create a goal. The same `goal_id` with the same content again gives the goal that exists.

        title: the objective in a few words.
        goal_id: makes the call idempotent; a fresh ULID when not given.
        description: what it is about.
        status: such as "planned" or "active".
        metrics: what success is, any JSON.
        guardrails: what must not happen, any JSON.
        deadline: when it has to be achieved, an aware datetime.
        parent_goal_id: the goal that it serves; skipped and named in `skipped_links` when there is none of that id.

        Raises Conflict when the id is taken by another goal.
        """
        params = validated(
            CreateGoalParams,
            title=title,
            goal_id=goal_id,
            description=description,
            status=status,
            metrics=metrics,
            guardrails=guardrails,
            deadline=deadline,
            parent_goal_id=parent_goal_id,
        )
        return goals.create_goal(self.ctx, self.agent_id, params)

    def start(self, goal_id: str) -> bool:
        """Pursue a goal; a completed one is open again."""
        return self.set_status(goal_id, "active")

    def complete(self, goal_id: str, result: Any = None) -> bool:
        """Say that a goal is achieved.

        result: what came of it, any JSON; an object is merged into the goal's metrics, anything else put under
        `result` there.
        """
        return goals.set_goal_status(self.ctx, self.agent_id, goal_id, "completed", result)

    def abandon(self, goal_id: str) -> bool:
        """Give a goal up."""
        return self.set_status(goal_id, "abandoned")

    def set_status(self, goal_id: str, status: str) -> bool:
        """Give a goal any status; its phase is read off the status."""
        return goals.set_goal_status(self.ctx, self.agent_id, goal_id, status)

    def update(
        self,
        goal_id: str,
        *,
        title: str | Unset = UNSET,
        description: str | Unset | None = UNSET,
        status: str | Unset = UNSET,
        metrics: Any = UNSET,
        guardrails: Any = UNSET,
        deadline: datetime | Unset | None = UNSET,
        parent_goal_id: str | Unset | None = UNSET,
    ) -> bool:
        """Change what is given of a goal, and leave the rest as it is. None clears a field.

        The parameters are those of `create`; title and status cannot be cleared.
        """
        given = without_unset(
            title=title,
            description=description,
            status=status,
            metrics=metrics,
            guardrails=guardrails,
            deadline=deadline,
            parent_goal_id=parent_goal_id,
        )
        return goals.update_goal(self.ctx, self.agent_id, goal_id, validated(UpdateGoalParams, given))

    def get(self, goal_id: str) -> GoalView | None:
        """The id of a goal."""
        return goals.get_goal(self.ctx, self.agent_id, goal_id)

    def all(self) -> list[GoalView]:
        """Every goal, oldest first."""
        return goals.goals(self.ctx, self.agent_id)

    def in_phase(self, phase: GoalPhase | str) -> list[GoalView]:
        """The goals of one phase ("planned", "active", "completed" or "abandoned"), oldest first."""
        return goals.goals(self.ctx, self.agent_id, phase)

    def planned(self) -> list[GoalView]:
        """The goals that are to come, oldest first."""
        return self.in_phase(GoalPhase.PLANNED)

    def active(self) -> list[GoalView]:
        """The goals that are pursued, oldest first."""
        return self.in_phase(GoalPhase.ACTIVE)

    def completed(self) -> list[GoalView]:
        """The goals that were achieved, with their results, oldest first."""
        return self.in_phase(GoalPhase.COMPLETED)

    def abandoned(self) -> list[GoalView]:
        """The goals that were given up, oldest first."""
        return self.in_phase(GoalPhase.ABANDONED)

    def context(self, goal_id: str, *, messages: int = 20) -> GoalContext | None:
        """What is in front of the agent for a goal right now: its tasks and those of the goals below it, the sessions
        that served them, the newest `messages` of those, and the facts and entities these speak of.
        """
        return context.goal_context(self.ctx, self.agent_id, goal_id, messages=messages)

    # Tasks

    def create_task(
        self,
        title: str,
        *,
        task_id: str | None = None,
        description: str | None = None,
        status: str = "todo",
        priority: float | None = None,
        goal_id: str | None = None,
        depends_on_task_id: str | None = None,
        depends_on_task_ids: Sequence[str] = (),
        subtask_of_task_id: str | None = None,
    ) -> CreatedTask:
        """Create a task. The same `task_id` with the same content again gives the task that exists.

        title: what is to be done, in a few words.
        task_id: makes the call idempotent; a fresh ULID when not given.
        description: what it is about.
        status: such as "todo", "active" or "blocked".
        priority: from 0 to 1, the higher the sooner.
        goal_id: the goal that it advances.
        depends_on_task_id: a task that has to be done before.
        depends_on_task_ids: further tasks that have to be done before.
        subtask_of_task_id: the task that it is a part of.

        Links to what does not exist are skipped and named in `skipped_links`. Raises Conflict when the id is taken by
        another task.
        """
        params = validated(
            CreateTaskParams,
            title=title,
            task_id=task_id,
            description=description,
            status=status,
            priority=priority,
            goal_id=goal_id,
            depends_on_task_id=depends_on_task_id,
            depends_on_task_ids=depends_on_task_ids,
            subtask_of_task_id=subtask_of_task_id,
        )
        return tasks.create_task(self.ctx, self.agent_id, params)

    def update_task(
        self,
        task_id: str,
        *,
        title: str | Unset = UNSET,
        description: str | Unset | None = UNSET,
        status: str | Unset = UNSET,
        priority: float | Unset | None = UNSET,
        goal_id: str | Unset | None = UNSET,
        depends_on_task_ids: Sequence[str] | Unset = UNSET,
        subtask_of_task_id: str | Unset | None = UNSET,
    ) -> bool:
        """Change what is given of a task, and leave the rest as it is. None, and () of the tasks it depends on, clears
        a field; title and status cannot be cleared.

        depends_on_task_ids: all tasks that have to be done before, in place of those it depended on.
        """
        given = without_unset(
            title=title,
            description=description,
            status=status,
            priority=priority,
            goal_id=goal_id,
            depends_on_task_ids=depends_on_task_ids,
            subtask_of_task_id=subtask_of_task_id,
        )
        return tasks.update_task(self.ctx, self.agent_id, task_id, validated(UpdateTaskParams, given))

    def start_task(self, task_id: str) -> bool:
        """Work on a task; a completed one is open again."""
        return self.set_task_status(task_id, "active")

    def complete_task(self, task_id: str) -> bool:
        """Say that a task is done."""
        return self.set_task_status(task_id, "completed")

    def block_task(self, task_id: str) -> bool:
        """Say that a task cannot go on."""
        return self.set_task_status(task_id, "blocked")

    def set_task_status(self, task_id: str, status: str) -> bool:
        """Give a task any status; its phase is read off the status."""
        return tasks.set_task_status(self.ctx, self.agent_id, task_id, status)

    def task(self, task_id: str) -> TaskView | None:
        """The id of a task."""
        return tasks.get_task(self.ctx, self.agent_id, task_id)

    def tasks(self) -> list[TaskView]:
        """Every task, by priority (none last), then age."""
        return tasks.tasks(self.ctx, self.agent_id)

    def tasks_in(self, phase: TaskPhase | str) -> list[TaskView]:
        """The tasks of one phase ("planned", "active", "completed" or "blocked"), by priority (none last), then age."""
        return tasks.tasks(self.ctx, self.agent_id, phase)

    def tasks_of(self, goal_id: str) -> list[TaskView]:
        """The tasks that are part of a goal of its own, whoever they are assigned to, by priority (none last), then
        age.
        """
        return tasks.tasks_of(self.ctx, self.agent_id, goal_id)
