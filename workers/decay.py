"""Tasks of decay: out of recall, then out of the store."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import decay
from reverie.workers.rounds import make_round


@shared_task(name=task_names.DECAY_ARCHIVE, ignore_result=False)
def archive() -> str:
    """Archive the episodes that have become too weak, everywhere."""
    return make_round(task_names.DECAY_ARCHIVE, decay.ARCHIVE, decay.archive_due, "episodes archived")


@shared_task(name=task_names.DECAY_DELETE, ignore_result=False)
def delete() -> str:
    """Delete the archived episodes whose grace period is over, everywhere."""
    return make_round(task_names.DECAY_DELETE, decay.DELETE, decay.delete_due, "archived episodes deleted")
