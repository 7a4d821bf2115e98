"""Goals and tasks of an agent."""

from collections.abc import Mapping
from typing import Any, Self

from reverie.pipelines.base import KnowledgeBase
from reverie.tools import context, goals, tasks
from reverie.tools.context import GoalContext
from reverie.tools.goals import CreatedGoal, CreateGoalParams, GoalView, UpdateGoalParams
from reverie.tools.phases import GoalPhase, TaskPhase
from reverie.tools.tasks import CreatedTask, CreateTaskParams, TaskView


class Goals:
    """What an agent is after. `agent.goals` and `agent.goals()` are the same.

    Parameters are passed as a model or as keywords. Changes give False, and readings None or [], for an id that is none
    of the agent's own. Every call raises ValidationFailed and StoreUnavailable.
    """

    def __init__(self, kb: KnowledgeBase, agent_id: str) -> None:
        self.kb = kb
        self.agent_id = agent_id

    def __call__(self) -> Self:
        return self

    # Goals

    def create(self, params: CreateGoalParams | Mapping[str, Any] | None = None, /, **given: Any) -> CreatedGoal:
        """Create a goal: `title`, and of `goal_id`, `description`, `status` ("active"), `metrics`, `guardrails`,
        `deadline`, `parent_goal_id` what is known. Raises Conflict when the id is taken.
        """
        return goals.create_goal(self.kb, self.agent_id, params, **given)

    def start(self, goal_id: str) -> bool:
        """Pursue it; a completed goal is open again."""
        return self.set_status(goal_id, "active")

    def complete(self, goal_id: str, result: Any = None) -> bool:
        """It is achieved. An object as `result` is merged into the metrics, anything else put under `result`."""
        return goals.set_goal_status(self.kb, self.agent_id, goal_id, "completed", result)

    def abandon(self, goal_id: str) -> bool:
        """It is given up."""
        return self.set_status(goal_id, "abandoned")

    def set_status(self, goal_id: str, status: str) -> bool:
        """Give it any status; the phase is read off it."""
        return goals.set_goal_status(self.kb, self.agent_id, goal_id, status)

    def update(self, goal_id: str, params: UpdateGoalParams | Mapping[str, Any] | None = None, /, **given: Any) -> bool:
        """Change what is given; None clears a field."""
        return goals.update_goal(self.kb, self.agent_id, goal_id, params, **given)

    def get(self, goal_id: str) -> GoalView | None:
        """One goal."""
        return goals.get_goal(self.kb, self.agent_id, goal_id)

    def all(self) -> list[GoalView]:
        """Every goal, oldest first."""
        return goals.goals(self.kb, self.agent_id)

    def in_phase(self, phase: GoalPhase | str) -> list[GoalView]:
        """The goals of one phase, oldest first."""
        return goals.goals(self.kb, self.agent_id, phase)

    def planned(self) -> list[GoalView]:
        """What is to come."""
        return self.in_phase(GoalPhase.PLANNED)

    def active(self) -> list[GoalView]:
        """What is pursued."""
        return self.in_phase(GoalPhase.ACTIVE)

    def completed(self) -> list[GoalView]:
        """What was achieved, with its results."""
        return self.in_phase(GoalPhase.COMPLETED)

    def context(self, goal_id: str, *, messages: int = 20) -> GoalContext | None:
        """What is in front of the agent for a goal right now: its tasks and those of the goals below it, the sessions
        that served them, the newest `messages` of those, and the facts and entities these speak of.
        """
        return context.goal_context(self.kb, self.agent_id, goal_id, messages=messages)

    # Tasks

    def create_task(self, params: CreateTaskParams | Mapping[str, Any] | None = None, /, **given: Any) -> CreatedTask:
        """Create a task: `title`, and of `task_id`, `description`, `status` ("todo"), `priority`, `goal_id`,
        `depends_on_task_id`, `subtask_of_task_id` what is known. Raises Conflict when the id is taken.
        """
        return tasks.create_task(self.kb, self.agent_id, params, **given)

    def start_task(self, task_id: str) -> bool:
        """Work on it; a completed task is open again."""
        return self.set_task_status(task_id, "active")

    def complete_task(self, task_id: str) -> bool:
        """It is done."""
        return self.set_task_status(task_id, "completed")

    def block_task(self, task_id: str) -> bool:
        """It cannot go on."""
        return self.set_task_status(task_id, "blocked")

    def set_task_status(self, task_id: str, status: str) -> bool:
        """Give it any status; the phase is read off it."""
        return tasks.set_task_status(self.kb, self.agent_id, task_id, status)

    def task(self, task_id: str) -> TaskView | None:
        """One task."""
        return tasks.get_task(self.kb, self.agent_id, task_id)

    def tasks(self) -> list[TaskView]:
        """Every task, by priority (none last), then age."""
        return tasks.tasks(self.kb, self.agent_id)

    def tasks_in(self, phase: TaskPhase | str) -> list[TaskView]:
        """The tasks of one phase, by priority (none last), then age."""
        return tasks.tasks(self.kb, self.agent_id, phase)

    def tasks_of(self, goal_id: str) -> list[TaskView]:
        """The tasks that are part of a goal, whoever they are assigned to, by priority (none last), then age."""
        return tasks.tasks_of(self.kb, goal_id)
