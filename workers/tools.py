"""Tool calls from runtimes that only speak Celery."""

import json
from dataclasses import dataclass
from typing import Any

from celery import Task, shared_task

from reverie.config import task_names
from reverie.pipelines.context import Context
from reverie.pipelines.erasure import barred
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.store.broker import note_result
from reverie.tools.documents import CallDocument
from reverie.tools.fields import validated
from reverie.tools.registry import dispatch
from reverie.workers.app import RESULTS_KEPT
from reverie.workers.documents import handle, refuse
from reverie.workers.runtime import watched


@dataclass(frozen=True)
class _Agent:
    ctx: Context
    id: str


# What it gives may be what users said, and is no matter of the worker's log.
@shared_task(name=task_names.CALL_TOOL, bind=True, ignore_result=False, max_retries=None, resultrepr_maxsize=0)
def call_tool(self: Task, *arguments: Any, **named: Any) -> Any:
    """Run one tool; what it gives, or {"error": ...} and a dead letter when the call cannot be made as it is.

    Delivered twice, it has one effect: what is created takes the call's id where the call names none. What was erased
    while it was on its way is dropped.
    """
    return handle(self, arguments, named, lambda document: _call(document, self.request.id))


def _call(document: Any, delivery: str | None) -> Any:
    checked = validated(CallDocument, document)
    ctx, token = watched(checked.namespace), checked.call_id or delivery
    if barred(ctx.ns, checked.named(token), checked.time, delivery):
        return {"erased": True}
    if delivery is not None:
        note_result(ctx.ns, delivery, ctx.clock(), RESULTS_KEPT)
    app, user = checked.graph_app or checked.agent, checked.graph_user or checked.agent
    graph = KnowledgeGraph(ctx, app, user)
    result = json.loads(dispatch(_Agent(ctx, checked.agent), checked.tool, checked.arguments, graph=graph, token=token))
    if isinstance(result, dict) and result.keys() == {"error"}:
        return refuse(task_names.CALL_TOOL, document, result["error"])
    return result
