"""Tasks of decay: out of recall, then out of the store; and by which settings."""

from celery import shared_task

from reverie.config import task_names
from reverie.pipelines import decay
from reverie.workers.rounds import due_in, make_round


@shared_task(name=task_names.DECAY_ARCHIVE, ignore_result=False)
def archive() -> str:
    """Archive the episodes that have become too weak, everywhere."""
    return make_round(task_names.DECAY_ARCHIVE, due_in(decay.ARCHIVE), decay.archive_due, "episodes archived")


@shared_task(name=task_names.DECAY_DELETE, ignore_result=False)
def delete() -> str:
    """Delete the archived episodes whose grace period is over, everywhere."""
    return make_round(task_names.DECAY_DELETE, due_in(decay.DELETE), decay.delete_due, "archived episodes deleted")


@shared_task(name=task_names.DECAY_REPLAN, ignore_result=False)
def replan() -> str:
    """Plan the episodes by the half-life and threshold of now, wherever they were planned by others."""
    return make_round(task_names.DECAY_REPLAN, decay.outdated, decay.replan, "episodes planned anew")
