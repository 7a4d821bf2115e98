"""What a worker process does when it starts and stops."""

import logging
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from celery import Task
from celery.signals import (
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
)
from celery.states import SUCCESS
from kombu.exceptions import OperationalError

from reverie.config.errors import ReverieError, StoreUnavailable, StoreUnfit
from reverie.config.settings import current
from reverie.config.task_names import WORK_REMARK
from reverie.store.opened import check_store
from reverie.store.runs import Run, note
from reverie.workers import quiet, runtime
from reverie.workers.app import app
from reverie.workers.schedule import SCHEDULE

log = logging.getLogger("reverie.workers")
quiet.install()


@worker_init.connect
def refuse_unfit_store(**_: Any) -> None:
    """End a worker whose Redis cannot hold a memory: none of its tasks could do anything. One that is away comes back.

    Raises SystemExit.
    """
    try:
        check_store(current())
    except StoreUnfit as error:
        log.critical("this worker cannot work: %s", error)
        raise SystemExit(1) from None
    except StoreUnavailable as error:
        log.warning("this worker waits for its Redis: %s", error)


@worker_process_init.connect
def open_process(**_: Any) -> None:
    """Connect after the fork and load the models before the first task, not during it; what fails, the task tries."""
    try:
        runtime.connection().embedder.query("ready")
    except ReverieError as error:
        log.warning("a worker's process is not ready yet: %s", error)


@worker_ready.connect
def find_unmarked(**_: Any) -> None:
    """Find what a writer that died, or an older version, left unmarked: after a crash somebody waits for it."""
    with suppress(OperationalError, OSError):
        app.send_task(WORK_REMARK, retry=False)


_began: dict[str, float] = {}
_SCHEDULED = {one.task for one in SCHEDULE}


@task_prerun.connect
def begin_run(task_id: str, **_: Any) -> None:
    _began[task_id] = time.monotonic()


@task_postrun.connect
def note_run(task_id: str, task: Task, retval: object, state: str, **_: Any) -> None:
    """Keep what a scheduled task did, for `reverie schedule`."""
    seconds = time.monotonic() - _began.pop(task_id, time.monotonic())
    if task.name not in _SCHEDULED:
        return
    said = retval if isinstance(retval, str) else type(retval).__name__
    run = Run(datetime.now(UTC), seconds, state == SUCCESS, said)
    try:
        note(runtime.context(runtime.ANYWHERE).ns, task.name, run)
    except ReverieError as error:
        log.warning("the run of %s is not noted: %s", task.name, error)


@worker_process_shutdown.connect
def close_process(**_: Any) -> None:
    runtime.close()
