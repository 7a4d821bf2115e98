"""Messages from runtimes that only speak Celery."""

from typing import Any

from celery import Task, shared_task
from celery.exceptions import Reject

from reverie.config import task_names
from reverie.config.errors import StoreUnavailable
from reverie.pipelines.erasure import barred, not_barred
from reverie.store import work
from reverie.tools.documents import ObserveDocument
from reverie.tools.fields import validated
from reverie.tools.observe import ObserveParams, observe
from reverie.workers.documents import bury, handle
from reverie.workers.runtime import watched


@shared_task(name=task_names.OBSERVE_MESSAGE, bind=True, ignore_result=False, max_retries=None)
def observe_message(self: Task, *arguments: Any, **named: Any) -> Any:
    """Store one message as `Session.observe` does; what is malformed or conflicting becomes a dead letter.

    Delivered twice it is one message: without an id of its own it takes the task's. What was erased while it was on its
    way is dropped.
    """
    return handle(self, arguments, named, lambda document: _observe(document, self.request.id))


@shared_task(name=task_names.REFUSE, ignore_result=False)
def refuse_message(refused: dict[str, Any]) -> dict[str, Any]:
    """Keep what the gate refused (see `reverie.workers.gate`) as a dead letter that says why."""
    entry = refused["document"]
    if entry is None:
        entry = work.withheld("it cannot be read", task_id=refused["task_id"], bytes=refused["bytes"])
    try:
        return bury(refused["task"], refused["namespace"], entry, refused["error"])
    except StoreUnavailable as error:
        raise Reject(str(error), requeue=True) from None


def _observe(document: Any, delivery: str | None) -> dict[str, Any]:
    checked = validated(ObserveDocument, document)
    if checked.message_id is None and delivery is not None:
        checked = validated(ObserveDocument, document, message_id=delivery)
    ctx = watched(checked.namespace)
    if barred(ctx.ns, checked.named, checked.at, delivery):
        return {"erased": True}
    params = checked.model_dump(exclude={"namespace", "agent", "session"}, exclude_unset=True)
    params["addressed_to"] = not_barred(ctx.ns, checked.addressed_to, checked.at)
    return observe(ctx, checked.agent, checked.session, validated(ObserveParams, params)).model_dump()
