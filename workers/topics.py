"""Tasks over topics: counting what is spoken of together, grouping anew what changed."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import topics
from reverie.workers.drain import drain
from reverie.workers.rounds import due_in, make_round


@shared_task(name=task_names.TOPICS_DRAIN)
def drain_topics(namespace: str | None = None) -> str:
    """Count the entities of a batch of messages."""
    return drain(namespace, topics.TOPIC, topics.count)


@shared_task(name=task_names.TOPICS_REGROUP, ignore_result=False)
def regroup() -> str:
    """Group the entities that changed anew, everywhere."""
    return make_round(
        task_names.TOPICS_REGROUP, due_in(topics.CHANGED), topics.regroup_changed, "changed entities regrouped"
    )
