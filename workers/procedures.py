"""Tasks over episodes: learning procedures."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import procedures
from reverie.workers.drain import drain


@shared_task(name=task_names.PROCEDURES_DRAIN)
def drain_procedures(namespace: str | None = None) -> str:
    """Learn from a batch of the episodes that arrived."""
    return drain(namespace, procedures.TOPIC, procedures.learn)
