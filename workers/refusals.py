"""Documents that no task can act on: kept as dead letters, because nobody may be waiting for the answer."""

import json
from typing import Any

from reverie.store import work
from reverie.workers.runtime import knowledge_base

UNREADABLE = "reverie"
"""Namespace that keeps the dead letters of documents that name no namespace of their own."""


def refuse(task: str, document: Any, reason: str) -> dict[str, Any]:
    """Bury a document with the reason; what the task answers."""
    given = document.get("namespace") if isinstance(document, dict) else None
    home = given if isinstance(given, str) and 0 < len(given.encode("utf-8", "replace")) <= 256 else UNREADABLE
    kb = knowledge_base(home)
    entry = document if isinstance(document, str) else json.dumps(document)
    letter = work.bury(kb.space, task, entry, reason, 1, kb.clock())
    return {"error": reason, "dead_letter": letter.id, "namespace": home}
