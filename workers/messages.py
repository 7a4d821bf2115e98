"""Messages from runtimes that only speak Celery."""

from typing import Any

from celery import shared_task

from reverie.config import task_names
from reverie.config.errors import Conflict, ValidationFailed
from reverie.pipelines.erasure import barred
from reverie.tools.documents import ObserveDocument
from reverie.tools.fields import validated
from reverie.tools.observe import observe
from reverie.workers.refusals import refuse
from reverie.workers.runtime import knowledge_base


@shared_task(name=task_names.OBSERVE_MESSAGE, ignore_result=False)
def observe_message(document: Any) -> dict[str, Any]:
    """Store one message as `Session.observe` does; what is malformed or conflicting becomes a dead letter.

    What was erased while it was on its way is dropped.
    """
    try:
        checked = validated(ObserveDocument, document)
        params = checked.model_dump(exclude={"namespace", "agent", "session"}, exclude_unset=True)
        kb = knowledge_base(checked.namespace)
        people = [checked.sender, *checked.addressed_to]
        if barred(kb, message=checked.message_id, session=checked.session, participants=people, at=checked.at):
            return {"erased": True}
        receipt = observe(kb, checked.agent, checked.session, params)
    except (ValidationFailed, Conflict) as error:
        return refuse(task_names.OBSERVE_MESSAGE, document, str(error))
    return receipt.model_dump()
