"""The phases of goals and tasks, read off their free-form status."""

from enum import StrEnum


class GoalPhase(StrEnum):
    """Where a goal stands."""

    PLANNED = "planned"
    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class TaskPhase(StrEnum):
    """Where a task stands."""

    PLANNED = "planned"
    ACTIVE = "active"
    BLOCKED = "blocked"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


_NAMES = {
    "completed": ("done", "completed", "complete", "achieved"),
    "abandoned": ("abandoned", "cancelled", "canceled", "dropped", "failed"),
    "planned": ("planned", "pending", "proposed", "todo"),
}
_GOAL = {status: GoalPhase(phase) for phase, statuses in _NAMES.items() for status in statuses}
_TASK = {status: TaskPhase(phase) for phase, statuses in _NAMES.items() for status in statuses}
_TASK["blocked"] = TaskPhase.BLOCKED


def goal_phase(status: str) -> GoalPhase:
    """Phase of a goal's status, compared casefolded and trimmed; a status that is none of the known ones is active."""
    return _GOAL.get(status.strip().casefold(), GoalPhase.ACTIVE)


def task_phase(status: str) -> TaskPhase:
    """Phase of a task's status, by the same rule."""
    return _TASK.get(status.strip().casefold(), TaskPhase.ACTIVE)
