"""Which task waits in which queue."""

import inspect

from reverie.cli.processes import worker
from reverie.config.task_names import DOCUMENT_TASKS, QUEUES, ROUTES, TOPIC_TASKS
from reverie.wakeups import queue_of


def test_documents_of_other_runtimes_stand_before_no_wake_up() -> None:
    documents = {queue_of(task) for task in DOCUMENT_TASKS}
    assert documents.isdisjoint(queue_of(task) for task in TOPIC_TASKS.values())


def test_a_worker_takes_from_every_queue_that_a_task_is_sent_to() -> None:
    assert set(ROUTES.values()) == set(QUEUES)
    assert set(inspect.signature(worker).parameters["queues"].default.split(",")) == set(QUEUES)
