"""Child processes of a command: started on the command's own Redis, ended with it."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import IO

from celery import Celery

from reverie.config.settings import Settings
from reverie.store.celery_urls import celery_url

_PR_SET_PDEATHSIG = 1
_STOP_SECONDS = 20.0


def start(
    arguments: Sequence[str], settings: Settings, redis_url: str, output: int | IO[str]
) -> "subprocess.Popen[str]":
    """Start `reverie ARGUMENTS` in a session of its own, so that Ctrl-C reaches the command alone."""
    environment = {
        **os.environ,
        "REVERIE_REDIS_URL": redis_url,
        "REVERIE_DATA_DIR": str(settings.data_dir),
        "PYTHONUNBUFFERED": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "reverie.cli", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_end_with_parent(),
    )


def stop(processes: Sequence["subprocess.Popen[str]"]) -> None:
    """Ask all to end, wait for them, and kill what does not."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
    for process in processes:
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def workers_running(broker_url: str) -> bool:
    """Whether a worker answers within a second."""
    with Celery("reverie-probe", broker=celery_url(broker_url), set_as_current=False) as probe:
        return bool(probe.control.ping(timeout=1.0))


def _end_with_parent() -> Callable[[], None] | None:
    """On Linux, have the kernel end the child when its parent was killed; elsewhere it lives on."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
