"""What a worker process does when it starts and stops."""

from typing import Any

from celery.signals import worker_process_init, worker_process_shutdown

from reverie.workers import runtime


@worker_process_init.connect
def open_process(**_: Any) -> None:
    """Connect after the fork and load the models before the first task, not during it."""
    runtime.connection().embedder.query("ready")


@worker_process_shutdown.connect
def close_process(**_: Any) -> None:
    runtime.close()
