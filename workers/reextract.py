"""Tasks that read messages anew which rules read while the language model was out."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import erasure, ingest
from reverie.pipelines.reextract import reextract
from reverie.workers.app import app
from reverie.workers.drain import drain
from reverie.workers.runtime import context


@shared_task(name=task_names.INGEST_REPLACED)
def drain_replaced(namespace: str | None = None) -> str:
    """Remove what a batch of messages, by a later reading, does not say."""
    return drain(namespace, ingest.REPLACED, erasure.finish_replaced)


@shared_task(name=task_names.REEXTRACT)
def reextract_messages(namespace: str, skip: int = 0) -> str:
    """Read a batch of a namespace's messages anew; sends itself on until all were tried or the model is out.

    `skip` is how many of the oldest were tried in vain before.
    """
    ctx = context(namespace)
    done = reextract(ctx, most=ctx.settings.work_batch, skip=skip)
    if not done.unavailable and skip + done.missed < done.left:
        app.send_task(task_names.REEXTRACT, [namespace, skip + done.missed])
    return str(done)
