"""Tasks of consolidation."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import consolidate
from reverie.workers.drain import drain


@shared_task(name=task_names.CONSOLIDATE_DRAIN)
def drain_agents(namespace: str) -> str:
    """One cycle for each agent of a namespace that is due."""
    return drain(namespace, consolidate.TOPIC, consolidate.work_off)
