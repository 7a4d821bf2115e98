"""Reverie: long-term memory for AI agents.

memory = Memory()
session = memory.agent("assistant").session("s-1")
session.observe("ana", "I moved to Lyon in May.")
print(memory.agent("assistant").recall("where does Ana live?").render())
"""

from typing import TYPE_CHECKING, Any

from reverie.config.errors import (
    ConfigurationError,
    Conflict,
    EmbeddedServerError,
    EmbedderMismatch,
    IndexMissing,
    LanguageModelMissing,
    ModelFailed,
    NotFound,
    RecordUnreadable,
    ReverieError,
    StoreBusy,
    StoreDenied,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreUnfit,
    ValidationFailed,
    WaitTimeout,
)

if TYPE_CHECKING:
    __version__: str
    from reverie.agent import Agent
    from reverie.browse import Browse
    from reverie.config.settings import Settings
    from reverie.config.unset import UNSET, Unset
    from reverie.cycles import Cycles
    from reverie.facts import Facts, Predicates
    from reverie.goals import Goals
    from reverie.graph import Graph
    from reverie.memory import Memory
    from reverie.models.embedders import Embedder
    from reverie.models.llm import LanguageModel, Prompt, Reply, Usage
    from reverie.models.rerankers import Reranker
    from reverie.pipelines.consolidate import CycleView
    from reverie.pipelines.decay import DecayView
    from reverie.pipelines.entities import MentionedEntity
    from reverie.pipelines.erasure import ErasureReport
    from reverie.pipelines.facts import FactView
    from reverie.pipelines.graph.views import EntityView, GraphView, RelationView
    from reverie.pipelines.instructions import InstructionView
    from reverie.pipelines.procedures import ProcedureView
    from reverie.pipelines.recall import ContextBundle, Item
    from reverie.pipelines.spending import Spending
    from reverie.pipelines.topics import TopicView
    from reverie.pipelines.transfer import Exported, Imported
    from reverie.session import Session
    from reverie.tools.actions import ActionView, RecordActionResult
    from reverie.tools.answer import Answer, GeneratedAnswer, QueryRecordOptions
    from reverie.tools.artifacts import ArtifactView
    from reverie.tools.browse import MessageView, NamespaceView, Page, ParticipantView, SessionView
    from reverie.tools.context import GoalContext
    from reverie.tools.episodes import EpisodeView, RecordEpisodeResult
    from reverie.tools.facts import FactUpsert
    from reverie.tools.goals import CreatedGoal, GoalView
    from reverie.tools.observations import AddObservationResult, ObservationView
    from reverie.tools.observe import Receipt
    from reverie.tools.phases import GoalPhase, TaskPhase
    from reverie.tools.tasks import CreatedTask, TaskView

# Loaded at first use: the rooms below import `reverie.config` through this package, and pay for no more than that.
_LAZY = {
    "reverie.agent": ("Agent",),
    "reverie.browse": ("Browse",),
    "reverie.config.settings": ("Settings",),
    "reverie.config.unset": (
        "UNSET",
        "Unset",
    ),
    "reverie.cycles": ("Cycles",),
    "reverie.facts": (
        "Facts",
        "Predicates",
    ),
    "reverie.goals": ("Goals",),
    "reverie.graph": ("Graph",),
    "reverie.memory": ("Memory",),
    "reverie.models.embedders": ("Embedder",),
    "reverie.models.rerankers": ("Reranker",),
    "reverie.models.llm": (
        "LanguageModel",
        "Prompt",
        "Reply",
        "Usage",
    ),
    "reverie.pipelines.consolidate": ("CycleView",),
    "reverie.pipelines.decay": ("DecayView",),
    "reverie.pipelines.entities": ("MentionedEntity",),
    "reverie.pipelines.erasure": ("ErasureReport",),
    "reverie.pipelines.facts": ("FactView",),
    "reverie.pipelines.graph.views": (
        "EntityView",
        "GraphView",
        "RelationView",
    ),
    "reverie.pipelines.instructions": ("InstructionView",),
    "reverie.pipelines.procedures": ("ProcedureView",),
    "reverie.pipelines.recall": (
        "ContextBundle",
        "Item",
    ),
    "reverie.pipelines.spending": ("Spending",),
    "reverie.pipelines.topics": ("TopicView",),
    "reverie.pipelines.transfer": (
        "Exported",
        "Imported",
    ),
    "reverie.session": ("Session",),
    "reverie.tools.actions": (
        "ActionView",
        "RecordActionResult",
    ),
    "reverie.tools.answer": (
        "Answer",
        "GeneratedAnswer",
        "QueryRecordOptions",
    ),
    "reverie.tools.artifacts": ("ArtifactView",),
    "reverie.tools.browse": (
        "MessageView",
        "NamespaceView",
        "Page",
        "ParticipantView",
        "SessionView",
    ),
    "reverie.tools.context": ("GoalContext",),
    "reverie.tools.episodes": (
        "EpisodeView",
        "RecordEpisodeResult",
    ),
    "reverie.tools.facts": ("FactUpsert",),
    "reverie.tools.goals": (
        "CreatedGoal",
        "GoalView",
    ),
    "reverie.tools.observations": (
        "AddObservationResult",
        "ObservationView",
    ),
    "reverie.tools.observe": ("Receipt",),
    "reverie.tools.phases": (
        "GoalPhase",
        "TaskPhase",
    ),
    "reverie.tools.tasks": (
        "CreatedTask",
        "TaskView",
    ),
}
_HOME = {name: module for module, names in _LAZY.items() for name in names}

__all__ = [
    "UNSET",
    "ActionView",
    "AddObservationResult",
    "Agent",
    "Answer",
    "ArtifactView",
    "Browse",
    "ConfigurationError",
    "Conflict",
    "ContextBundle",
    "CreatedGoal",
    "CreatedTask",
    "CycleView",
    "Cycles",
    "DecayView",
    "EmbeddedServerError",
    "Embedder",
    "EmbedderMismatch",
    "EntityView",
    "EpisodeView",
    "ErasureReport",
    "Exported",
    "FactUpsert",
    "FactView",
    "Facts",
    "GeneratedAnswer",
    "GoalContext",
    "GoalPhase",
    "GoalView",
    "Goals",
    "Graph",
    "GraphView",
    "Imported",
    "IndexMissing",
    "InstructionView",
    "Item",
    "LanguageModel",
    "LanguageModelMissing",
    "Memory",
    "MentionedEntity",
    "MessageView",
    "ModelFailed",
    "NamespaceView",
    "NotFound",
    "ObservationView",
    "Page",
    "ParticipantView",
    "Predicates",
    "ProcedureView",
    "Prompt",
    "QueryRecordOptions",
    "Receipt",
    "RecordActionResult",
    "RecordEpisodeResult",
    "RecordUnreadable",
    "RelationView",
    "Reply",
    "Reranker",
    "ReverieError",
    "Session",
    "SessionView",
    "Settings",
    "Spending",
    "StoreBusy",
    "StoreDenied",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreUnavailable",
    "StoreUnfit",
    "TaskPhase",
    "TaskView",
    "TopicView",
    "Unset",
    "Usage",
    "ValidationFailed",
    "WaitTimeout",
    "__version__",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module, metadata

    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name == "__version__":
        return metadata.version("reverie")
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")
