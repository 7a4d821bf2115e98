"""The agent's synchronous calls, as functions over a `Context`, and as tools that a model calls.

This room may use `pipelines`, `store`, `models` and `config`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.tools.actions import RecordActionParams, record_action
    from reverie.tools.episodes import RecordEpisodeParams, record_episode
    from reverie.tools.facts import AssertFactParams, InvalidateFactParams, assert_fact, invalidate_fact
    from reverie.tools.goals import CreateGoalParams, UpdateGoalParams, create_goal, update_goal
    from reverie.tools.observations import AddObservationParams, add_observation
    from reverie.tools.registry import ToolReply, dispatch, schemas
    from reverie.tools.tasks import CreateTaskParams, create_task
    from reverie.tools.view import ToolView

__all__ = [
    "AddObservationParams",
    "AssertFactParams",
    "CreateGoalParams",
    "CreateTaskParams",
    "InvalidateFactParams",
    "RecordActionParams",
    "RecordEpisodeParams",
    "ToolReply",
    "ToolView",
    "UpdateGoalParams",
    "add_observation",
    "assert_fact",
    "create_goal",
    "create_task",
    "dispatch",
    "invalidate_fact",
    "record_action",
    "record_episode",
    "schemas",
    "update_goal",
]

# Loaded at first use: the modules of this room import one another through this package.
_LAZY = {
    "actions": ("RecordActionParams", "record_action"),
    "episodes": ("RecordEpisodeParams", "record_episode"),
    "facts": ("AssertFactParams", "InvalidateFactParams", "assert_fact", "invalidate_fact"),
    "goals": ("CreateGoalParams", "UpdateGoalParams", "create_goal", "update_goal"),
    "observations": ("AddObservationParams", "add_observation"),
    "registry": ("ToolReply", "dispatch", "schemas"),
    "tasks": ("CreateTaskParams", "create_task"),
    "view": ("ToolView",),
}
_HOME = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"reverie.tools.{_HOME[name]}"), name)
    raise AttributeError(f"module 'reverie.tools' has no attribute {name!r}")
