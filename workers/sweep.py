"""Sweeps over what waits: wake workers where a wake-up was lost, and find again what nobody knows to be waiting."""

from celery import shared_task

from reverie.config import task_names
from reverie.config.task_names import DUE_SETS
from reverie.store import waiting
from reverie.workers.app import app
from reverie.workers.quiet import IDLE
from reverie.workers.runtime import ANYWHERE, context, topics, wake

NAMESPACES_AT_ONCE = 500
"""Namespaces that one task of `remark` looks through: some 10,000 commands to Redis in a few round trips."""


@shared_task(name=task_names.WORK_SWEEP)
def sweep() -> str:
    """Wake a worker for every topic of which something is due anywhere; costs the same for any number of namespaces."""
    anywhere = context(ANYWHERE)
    found = waiting.is_due(anywhere.ns, topics(), anywhere.clock())
    for topic in found:
        wake(topic, waiting.ANYONE)
    return f"work waits: {', '.join(found)}" if found else IDLE


@shared_task(name=task_names.WORK_REMARK)
def remark(cursor: int = 0) -> str:
    """Find what waits and was not marked, some hundred namespaces a task; sends itself on until all were seen."""
    anywhere = context(ANYWHERE)
    after, seen = waiting.remark(anywhere.ns, topics(), DUE_SETS, cursor, NAMESPACES_AT_ONCE)
    if after:
        app.send_task(task_names.WORK_REMARK, [after])
    return f"{seen} namespaces looked through" if seen else IDLE
