"""Messages from runtimes that only speak Celery."""

import json
from typing import Any

from celery import shared_task

from reverie.config import task_names
from reverie.config.errors import Conflict, ValidationFailed
from reverie.store import work
from reverie.tools.documents import ObserveDocument
from reverie.tools.fields import validated
from reverie.tools.observe import observe
from reverie.workers.runtime import knowledge_base

UNREADABLE = "reverie"
"""Namespace that keeps the dead letters of documents that name no namespace of their own."""


@shared_task(name=task_names.OBSERVE_MESSAGE, ignore_result=False)
def observe_message(document: Any) -> dict[str, Any]:
    """Store one message as `Session.observe` does; what is malformed or conflicting becomes a dead letter."""
    try:
        checked = validated(ObserveDocument, document)
        params = checked.model_dump(exclude={"namespace", "agent", "session"}, exclude_unset=True)
        receipt = observe(knowledge_base(checked.namespace), checked.agent, checked.session, params)
    except (ValidationFailed, Conflict) as error:
        given = document.get("namespace") if isinstance(document, dict) else None
        home = given if isinstance(given, str) and 0 < len(given.encode("utf-8", "replace")) <= 256 else UNREADABLE
        kb = knowledge_base(home)
        entry = document if isinstance(document, str) else json.dumps(document)
        letter = work.bury(kb.space, task_names.OBSERVE_MESSAGE, entry, str(error), 1, kb.clock())
        return {"error": str(error), "dead_letter": letter.id, "namespace": home}
    return receipt.model_dump()
