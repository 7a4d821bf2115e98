"""Tasks that take one JSON document from a runtime outside: nobody may be waiting for the answer, so none is lost.

What no task can act on is kept as a dead letter that says why. What failed is tried again with a growing delay: for as
long as it takes while the store, which would have to keep the dead letter, is away or busy; else up to `work_attempts`
times.
"""

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from celery import Task
from celery.exceptions import Reject
from kombu.utils.json import dumps

from reverie.config.errors import (
    Conflict,
    EmbedderMismatch,
    ReverieError,
    StoreBusy,
    StoreUnavailable,
    ValidationFailed,
)
from reverie.config.settings import current
from reverie.store import work
from reverie.store.broker import count_delivery
from reverie.tools.fields import Id, Params, validated
from reverie.workers import runtime

log = logging.getLogger("reverie.workers")

UNREADABLE: Final = "reverie"
"""Namespace that keeps the dead letters of documents that name no namespace of their own, without their text: no
tenant's `forget` would reach it."""
LONGEST_DELAY: Final = 300.0
"""Seconds between two tries."""


class _Home(Params):
    namespace: Id


def handle(task: Task, arguments: Sequence[Any], named: Mapping[str, Any], work_on: Callable[[Any], Any]) -> Any:
    """Work on the document that a task was sent; gives what the task answers. Raises celery's Retry."""
    try:
        return _answer(task, arguments, named, work_on)
    except Exception as error:  # noqa: BLE001  # whatever it was, the document is the only copy
        # The type alone for errors of libraries: their texts may quote what a user wrote.
        failure = error if isinstance(error, ReverieError) else ReverieError(type(error).__name__)
    # Outside of the handler, so that no traceback with the first error's text is kept.
    if isinstance(failure, EmbedderMismatch):
        # The index was rebuilt under this process: the next try opens it anew.
        runtime.close()
    settings, tries = current(), task.request.retries
    if not isinstance(failure, StoreUnavailable | StoreBusy | EmbedderMismatch) and tries + 1 >= settings.work_attempts:
        return refuse(task.name, _document(arguments, named), str(failure), tries + 1)
    log.warning("%s failed (attempt %d), it is tried again: %s", task.name, tries + 1, failure)
    delay = settings.work_backoff.total_seconds() * 2 ** min(tries, 12) * random.uniform(0.75, 1.25)
    try:
        raise task.retry(exc=failure, countdown=min(delay, LONGEST_DELAY))
    except Reject:
        # The next try could not be sent, for the broker is away or full: this delivery goes back to its queue instead.
        raise Reject(str(failure), requeue=True) from None


def _answer(task: Task, arguments: Sequence[Any], named: Mapping[str, Any], work_on: Callable[[Any], Any]) -> Any:
    document = _document(arguments, named)
    if len(arguments) + len(named) != 1 or (named and "document" not in named):
        return refuse(task.name, document, "the task takes one argument, a JSON document")
    if _deaths(task) > current().work_attempts:
        return refuse(task.name, document, "every worker died on it")
    try:
        return work_on(document)
    except (ValidationFailed, Conflict) as error:
        return refuse(task.name, document, str(error))


def _document(arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """What was sent, as the one document it should be."""
    if len(arguments) == 1 and not named:
        return arguments[0]
    if not arguments and named.keys() == {"document"}:
        return named["document"]
    whole = {**named, "arguments": list(arguments)} if arguments else dict(named)
    first = arguments[0] if arguments else named.get("document")
    return {"namespace": first.get("namespace"), **whole} if isinstance(first, dict) else whole


def _deaths(task: Task) -> int:
    """How often the broker delivered the task again because its worker was gone."""
    again = (task.request.delivery_info or {}).get("redelivered")
    return count_delivery(runtime.context(runtime.ANYWHERE).ns, task.request.id) if again else 0


def refuse(task: str, document: Any, reason: str, attempts: int = 1) -> dict[str, Any]:
    """Bury a document with the reason; what the task answers. Raises StoreUnavailable."""
    home = document.get("namespace") if isinstance(document, dict) else None
    # Kombu's JSON: a document may hold what a client's Celery tagged with a type, such as a time.
    entry = document if isinstance(document, str) and document.isprintable() else dumps(document)
    return bury(task, home, entry, reason, attempts)


def bury(task: str, namespace: Any, entry: str, reason: str, attempts: int = 1) -> dict[str, Any]:
    """Keep a document as a dead letter of its namespace; without a valid one only its size, in that of `UNREADABLE`.

    Raises StoreUnavailable.
    """
    try:
        home = validated(_Home, namespace=namespace).namespace
    except ValidationFailed:
        home, entry = UNREADABLE, work.withheld("no namespace can forget it", characters=len(entry))
    ctx = runtime.context(home)
    letter = work.bury(ctx.ns, task, entry, reason, attempts, ctx.clock())
    return {"error": reason, "dead_letter": letter.id, "namespace": home}
