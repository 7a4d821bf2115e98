"""Tasks of the message stream."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import ingest
from reverie.workers.drain import drain
from reverie.workers.runtime import knowledge_base


@shared_task(name=task_names.INGEST_DRAIN)
def drain_messages(namespace: str | None = None) -> str:
    """Ingest a batch of the messages that wait in a namespace."""
    return drain(namespace, ingest.TOPIC, ingest.ingest)


@shared_task(name=task_names.INGEST_MESSAGE)
def ingest_message(namespace: str, message_id: str) -> str:
    """Ingest one message, now."""
    return str(ingest.ingest(knowledge_base(namespace), [message_id]))
