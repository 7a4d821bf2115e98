"""Tasks over sessions: closing idle ones, summarising what changed."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import sessions, summaries
from reverie.workers.drain import drain
from reverie.workers.rounds import due_in, make_round


@shared_task(name=task_names.SESSIONS_CLOSE_IDLE, ignore_result=False)
def close_idle() -> str:
    """Close the sessions that are idle, everywhere."""
    return make_round(task_names.SESSIONS_CLOSE_IDLE, due_in(sessions.IDLE), sessions.close_idle, "sessions closed")


@shared_task(name=task_names.SUMMARIES_DRAIN, ignore_result=False)
def drain_summaries(namespace: str | None = None) -> str:
    """Summarise a session that changed: one is a batch by itself."""
    return drain(namespace, summaries.TOPIC, summaries.run, batch=1)
