"""Reverie: long-term memory for AI agents.

memory = Memory()
session = memory.agent("assistant").session("s-1")
session.observe(sender="ana", content="I moved to Lyon in May.")
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
    from reverie.agent import Agent
    from reverie.memory import Memory
    from reverie.session import Session

# Loaded at first use: the rooms below import `reverie.config` through this package, and pay for no more than that.
_LAZY = {"Agent": "reverie.agent", "Memory": "reverie.memory", "Session": "reverie.session"}

__all__ = [
    "Agent",
    "ConfigurationError",
    "Conflict",
    "EmbeddedServerError",
    "EmbedderMismatch",
    "IndexMissing",
    "LanguageModelMissing",
    "Memory",
    "ModelFailed",
    "NotFound",
    "RecordUnreadable",
    "ReverieError",
    "Session",
    "StoreBusy",
    "StoreDenied",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreUnavailable",
    "StoreUnfit",
    "ValidationFailed",
    "WaitTimeout",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")
