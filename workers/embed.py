"""Tasks that fill in late vectors."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import vectors
from reverie.workers.drain import drain


@shared_task(name=task_names.EMBED_DRAIN)
def drain_vectors(namespace: str) -> str:
    """Embed a batch of the rows that wait for their vector."""
    return f"{drain(namespace, vectors.TOPIC, vectors.fill)} vectors"
