"""Messages from runtimes that only speak Celery."""

from typing import Any

from celery import Task, shared_task

from reverie.config import task_names
from reverie.config.errors import Conflict, ValidationFailed
from reverie.pipelines.erasure import barred, not_barred
from reverie.tools.documents import ObserveDocument
from reverie.tools.fields import validated
from reverie.tools.observe import observe
from reverie.workers.refusals import refuse
from reverie.workers.runtime import knowledge_base


@shared_task(name=task_names.OBSERVE_MESSAGE, bind=True, ignore_result=False)
def observe_message(self: Task, document: Any) -> dict[str, Any]:
    """Store one message as `Session.observe` does; what is malformed or conflicting becomes a dead letter.

    Delivered twice it is one message: without an id of its own it takes the task's. What was erased while it was on its
    way is dropped.
    """
    try:
        checked = validated(ObserveDocument, document)
        if checked.message_id is None and self.request.id is not None:
            checked = validated(ObserveDocument, {**document, "message_id": self.request.id})
        kb = knowledge_base(checked.namespace)
        if barred(kb, [*checked.named, ("delivery", self.request.id or "")], checked.at):
            return {"erased": True}
        params = checked.model_dump(exclude={"namespace", "agent", "session"}, exclude_unset=True)
        params["addressed_to"] = not_barred(kb, checked.addressed_to, checked.at)
        receipt = observe(kb, checked.agent, checked.session, params)
    except (ValidationFailed, Conflict) as error:
        return refuse(task_names.OBSERVE_MESSAGE, document, str(error))
    return receipt.model_dump()
