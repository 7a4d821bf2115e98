"""Taking what is to be forgotten out of Celery: tasks on their way to the workers, and the results of others.

A task that a worker took already cannot be called back; its delivery is barred, so that it finds itself erased.
"""

from collections.abc import Iterator

from reverie.config.task_names import DOCUMENT_TASKS
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.documents import names, says
from reverie.store.broker import Sent
from reverie.store.tombstones import bar_beside

_ERASED = {"erased": True}


def withdraw_tasks(ctx: Context, scope: str, id: str) -> int:
    """Remove the tasks whose document names what is forgotten; how many."""
    if ctx.broker is None:
        return 0
    found = list(_sent(ctx, scope, id))
    bar_beside(ctx.ns, [("delivery", one.id) for one in found], ctx.clock())
    ctx.broker.withdraw(found)
    return len(found)


def left(ctx: Context, scope: str, id: str) -> list[str]:
    """The tasks of what was forgotten that the broker still holds, for the proof."""
    return [f"task {one.id}" for one in _sent(ctx, scope, id)]


def _sent(ctx: Context, scope: str, id: str) -> Iterator[Sent]:
    for one in ctx.broker.sent() if ctx.broker is not None else ():
        document = one.document
        if one.task not in DOCUMENT_TASKS or not isinstance(document, dict):
            continue
        if document.get("namespace") == ctx.namespace and (scope == "namespace" or names(document, scope, id)):
            yield one


def erase_results(ctx: Context, texts: set[str] | None) -> int:
    """Put a mark in the place of every result that holds one of these texts, of all of them with None; how many."""
    if ctx.broker is None:
        return 0
    found = [id for id, result in ctx.broker.results(ctx.ns).items() if texts is None or says(result, texts)]
    for id in found:
        ctx.broker.replace_result(id, _ERASED)
    return len(found)
