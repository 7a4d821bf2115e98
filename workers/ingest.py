"""Tasks of the message stream."""

from celery import shared_task

from reverie.config import task_names
from reverie.config.settings import current
from reverie.pipelines import ingest
from reverie.pipelines.ingest import chunking
from reverie.store import waiting
from reverie.workers.drain import drain
from reverie.workers.runtime import ANYWHERE, context


@shared_task(name=task_names.INGEST_DRAIN)
def drain_messages(namespace: str | None = None) -> str:
    """Ingest a batch of the messages that wait in a namespace; of as many as go into one call of a language model."""
    settings = current()
    batch = ingest.TURNS_A_CALL if settings.llm_model and settings.llm_extract else None
    return drain(namespace, ingest.TOPIC, ingest.ingest, batch=batch)


def drain_live() -> list[str]:
    """Ingest a batch of live messages, if any wait; what it did. For tasks of bulk work: somebody may be waiting."""
    anywhere = context(ANYWHERE)
    return [drain_messages()] if waiting.where(anywhere.ns, ingest.TOPIC, anywhere.clock()) else []


@shared_task(name=task_names.CHUNKS_DRAIN)
def drain_chunks(namespace: str | None = None) -> str:
    """Cut a share of a long message into chunks, after a batch of live messages if any wait."""
    return "; ".join([*drain_live(), drain(namespace, chunking.TOPIC, chunking.cut, batch=1)])


@shared_task(name=task_names.INGEST_MESSAGE)
def ingest_message(namespace: str, message_id: str) -> str:
    """Ingest one message, now."""
    return str(ingest.ingest(context(namespace), [message_id]))
