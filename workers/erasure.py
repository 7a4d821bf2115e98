"""Tasks that finish an erasure whose process died."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import erasure
from reverie.workers.drain import drain


@shared_task(name=task_names.ERASURE_DRAIN)
def drain_erasure(namespace: str | None = None) -> str:
    """Remove what was drawn from a batch of messages that are gone."""
    return drain(namespace, erasure.TOPIC, erasure.finish)
