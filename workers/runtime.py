"""What a worker process holds: one connection and its models, made after the fork."""

import threading
from dataclasses import replace
from functools import cache

from reverie.config.settings import current
from reverie.config.task_names import TOPIC_TASKS
from reverie.models import embedders, llm
from reverie.pipelines.context import Context
from reverie.pipelines.opening import Connection, open_connection
from reverie.store import waiting
from reverie.workers.app import app

ANYWHERE = "reverie"
"""Any namespace will do to ask what waits in all of them."""

_lock = threading.Lock()
_connection: Connection | None = None


def connection() -> Connection:
    """The process's connection, opened at first use."""
    global _connection
    with _lock:
        if _connection is None:
            settings = current()
            _connection = open_connection(settings, embedders.create(settings), llm=llm.create(settings))
        return _connection


def close() -> None:
    """Close the connection; the next use opens a new one."""
    global _connection
    with _lock:
        if _connection is not None:
            _connection.close()
            _connection = None
            context.cache_clear()


@cache
def context(namespace: str) -> Context:
    return connection().context(namespace, wake=wake)


def watched(namespace: str) -> Context:
    """The same, for a task whose document may be overtaken by an erasure while it is worked on."""
    ctx = context(namespace)
    return replace(ctx, ns=ctx.ns.watched())


def wake(topic: str, namespace: str) -> None:
    """Wake a worker for a topic, unless a wake-up for the namespace is on its way; it sees itself whose turn it is."""
    anywhere = context(ANYWHERE)
    if not waiting.ask_for_wake_up(anywhere.ns, topic, namespace, anywhere.clock()):
        return
    try:
        app.send_task(TOPIC_TASKS[topic], [namespace] if namespace != waiting.ANYONE else [])
    except Exception:
        waiting.wake_up_failed(anywhere.ns, topic, namespace)
        raise


def topics() -> tuple[str, ...]:
    """Every topic of durable work."""
    return tuple(TOPIC_TASKS)
