"""Taking what is to be forgotten out of Celery: tasks on their way to the workers, and the results of others.

A task that a worker took already cannot be called back; its delivery is barred, so that it finds itself erased.
"""

from collections.abc import Iterator

from reverie.config.task_names import DOCUMENT_TASKS
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure.documents import names, says
from reverie.store.tombstones import bar_beside
from reverie.store.transit import Sent

_ERASED = {"erased": True}


def withdraw_tasks(kb: KnowledgeBase, scope: str, id: str) -> int:
    """Remove the tasks whose document names what is forgotten; how many."""
    if kb.transit is None:
        return 0
    found = list(_sent(kb, scope, id))
    bar_beside(kb.space, [("delivery", one.id) for one in found], kb.clock())
    kb.transit.withdraw(found)
    return len(found)


def left(kb: KnowledgeBase, scope: str, id: str) -> list[str]:
    """The tasks of what was forgotten that the broker still holds, for the proof."""
    return [f"task {one.id}" for one in _sent(kb, scope, id)]


def _sent(kb: KnowledgeBase, scope: str, id: str) -> Iterator[Sent]:
    for one in kb.transit.sent() if kb.transit is not None else ():
        document = one.document
        if one.task not in DOCUMENT_TASKS or not isinstance(document, dict):
            continue
        if document.get("namespace") == kb.namespace and (scope == "namespace" or names(document, scope, id)):
            yield one


def erase_results(kb: KnowledgeBase, texts: set[str] | None) -> int:
    """Put a mark in the place of every result that holds one of these texts, of all of them with None; how many."""
    if kb.transit is None:
        return 0
    found = [id for id, result in kb.transit.results(kb.space).items() if texts is None or says(result, texts)]
    for id in found:
        kb.transit.replace_result(id, _ERASED)
    return len(found)
