"""What every message passes before a worker hands it on: what no task can be given becomes a task that keeps it."""

import inspect
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from reverie.config.task_names import DOCUMENT_TASKS, REFUSE
from reverie.store.envelopes import Envelope, Unreadable, read
from reverie.store.keys import MAX_ID_BYTES

log = logging.getLogger("reverie.workers")


class Gate:
    """Lets through the messages that a task can be given; `find` gives the task of a name, or None."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._find = find

    def admit(self, raw: bytes, queue: str, tag: str) -> tuple[dict[str, Any], datetime | None]:
        """A message of a queue as kombu takes it, with `tag` as its delivery tag; and when it is to be worked on."""
        try:
            envelope = read(raw)
            self._check(envelope)
        except Unreadable as wrong:
            log.warning("a message of the queue %s is refused: %s", queue, wrong.reason)
            return self.refusal(wrong, len(raw), queue, tag), None
        except Exception as error:  # noqa: BLE001  # whatever it is, the worker goes on with the next
            log.warning("a message of the queue %s is refused: %s", queue, type(error).__name__)
            return self.refusal(Unreadable(type(error).__name__), len(raw), queue, tag), None
        return _payload(envelope, queue, tag, redelivered=raw.startswith(b"\n")), envelope.eta

    def _check(self, envelope: Envelope) -> None:
        """Raises Unreadable where there is no such task, or it takes other arguments."""
        arguments, named = envelope.arguments, envelope.named
        document = arguments[0] if arguments else named.get("document")
        if envelope.task in DOCUMENT_TASKS:
            return
        task = self._find(envelope.task) if envelope.task.startswith("reverie.") else None
        wrong = "there is no task of this name"
        if task is not None and envelope.task != REFUSE:
            wrong = "the task takes other arguments"
            if _fits(task, arguments, named) and all(map(_id, (*arguments, *named.values()))):
                return
        namespace = document.get("namespace") if isinstance(document, dict) else None
        known = namespace if _id(namespace) else None
        raise Unreadable(wrong, envelope.task, envelope.id, document, known)

    def refusal(self, wrong: Unreadable, size: int, queue: str, tag: str) -> dict[str, Any]:
        """The task that keeps a refused message as a dead letter, in the message's place."""
        refused = {
            "task": wrong.task or "unreadable",
            "namespace": wrong.namespace,
            "error": wrong.reason,
            # As text: whatever it holds, it goes on as one value.
            "document": None if wrong.document is None else json.dumps(wrong.document),
            "task_id": wrong.id,
            "bytes": size,
        }
        envelope = Envelope(REFUSE, wrong.id or tag, [refused], {}, {}, {}, None, 0)
        return _payload(envelope, queue, tag, redelivered=False)


def _fits(task: Any, arguments: list[Any], named: dict[str, Any]) -> bool:
    try:
        inspect.signature(task.run).bind(*arguments, **named)
    except TypeError:
        return False
    return True


def _id(value: Any) -> bool:
    """All but documents takes ids."""
    try:
        return isinstance(value, str) and 0 < len(value.encode()) <= MAX_ID_BYTES
    except UnicodeEncodeError:
        return False


def _shown(envelope: Envelope) -> str:
    """What Flower shows of a task's arguments: ids, and of a document whose it is, but none of its text."""
    arguments = envelope.arguments or list(envelope.named.values())
    document = arguments[0] if arguments else None
    if envelope.task not in DOCUMENT_TASKS:
        return ", ".join(str(one) for one in arguments if isinstance(one, str))
    if not isinstance(document, dict):
        return ""
    told = {name: document.get(name) for name in ("namespace", "agent", "tool")}
    return ", ".join(f"{name}={value}" for name, value in told.items() if _id(value))


def _payload(envelope: Envelope, queue: str, tag: str, *, redelivered: bool) -> dict[str, Any]:
    return {
        "body": json.dumps([envelope.arguments, envelope.named, envelope.embed]),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"task": envelope.task, "id": envelope.id, "argsrepr": _shown(envelope), **envelope.headers},
        "properties": {
            "delivery_tag": tag,
            "priority": envelope.priority,
            "delivery_info": {"exchange": queue, "routing_key": queue, "redelivered": redelivered},
        },
    }


def until(eta: datetime | None) -> float:
    """Seconds until a message is to be worked on; 0 is now."""
    return 0.0 if eta is None else max(0.0, (eta - datetime.now(UTC)).total_seconds())
