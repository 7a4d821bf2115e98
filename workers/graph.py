"""Tasks over knowledge graphs."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines.graph import learning
from reverie.workers.drain import drain


@shared_task(name=task_names.GRAPH_DRAIN)
def drain_graph(namespace: str | None = None) -> str:
    """Feed what a batch of messages said into the graphs of their senders."""
    return drain(namespace, learning.TOPIC, learning.learn)
