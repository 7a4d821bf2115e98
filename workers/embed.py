"""Tasks that fill in late vectors."""

from collections.abc import Sequence

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.workers.drain import drain
from reverie.workers.ingest import drain_live


@shared_task(name=task_names.EMBED_DRAIN)
def drain_vectors(namespace: str | None = None) -> str:
    """Embed a batch of the rows that wait for their vector, after a batch of live messages if any wait."""
    return "; ".join([*drain_live(), drain(namespace, vectors.TOPIC, _fill)])


def _fill(ctx: Context, entries: Sequence[str]) -> str:
    return f"{vectors.fill(ctx, entries)} vectors filled in"
