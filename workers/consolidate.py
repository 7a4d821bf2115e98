"""Tasks of consolidation."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import consolidate
from reverie.workers.drain import drain


@shared_task(name=task_names.CONSOLIDATE_DRAIN)
def drain_agents(namespace: str | None = None) -> str:
    """One cycle of an agent that is due; a cycle of `consolidate_batch` observations is a batch by itself."""
    return drain(namespace, consolidate.TOPIC, consolidate.work_off, batch=1)
