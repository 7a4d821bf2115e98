"""Looking at a folder's server and stopping it, without a lease."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from reverie.config.errors import EmbeddedServerError
from reverie.store.embedded.endpoint import ask
from reverie.store.embedded.folder import Folder
from reverie.store.embedded.lease import hold_gate
from reverie.store.embedded.leases import live_leases, owner
from reverie.store.embedded.locks import is_locked

_POLL_SECONDS = 0.02
_STOP_SECONDS = 30.0


@dataclass(frozen=True)
class ServerStatus:
    """What is known about a folder's server without starting it.

    Attributes:
        running: whether it answers.
        pid, port, version: of the running server, else None.
        uptime_seconds: since the server's last start; None when it does not run.
        memory_bytes: memory that the data takes; None when it does not run.
        data_bytes: size of the data on disk.
        users: process ids that hold a lease.
        log: the log file.
    """

    running: bool
    pid: int | None
    port: int | None
    version: str | None
    uptime_seconds: float | None
    memory_bytes: int | None
    data_bytes: int
    users: tuple[int, ...]
    log: Path


def status(data_dir: Path) -> ServerStatus:
    """What is known about the folder's server. Starts nothing, makes no file."""
    folder = Folder(Path(data_dir).absolute() / "redis")
    users = tuple(owner(lease) for lease in live_leases(folder))
    running = folder.running() if is_locked(folder.supervisor_lock) else None
    about = None if running is None else ask(folder, running)
    if running is None or not isinstance(about, dict):
        return ServerStatus(False, None, None, None, None, None, folder.data_bytes(), users, folder.log)
    return ServerStatus(
        running=True,
        pid=running.pid,
        port=running.port,
        version=str(about.get("valkey_version") or about["redis_version"]),
        uptime_seconds=max(0.0, time.time() - running.started_at),
        memory_bytes=int(about["used_memory"]),
        data_bytes=folder.data_bytes(),
        users=users,
        log=folder.log,
    )


def stop(data_dir: Path, *, force: bool = False) -> bool:
    """Stop the folder's server and wait until it has ended; False when none runs.

    Raises:
        EmbeddedServerError: it has users and ``force`` was not given, or it does not end.
    """
    folder = Folder(Path(data_dir).absolute() / "redis")
    if not is_locked(folder.supervisor_lock):
        return False
    with hold_gate(folder):
        users = [owner(lease) for lease in live_leases(folder)]
        if users and not force:
            raise EmbeddedServerError(
                f"The server is in use by {len(users)} process(es) ({', '.join(map(str, users))}); "
                "end these first, or force the stop."
            )
        deadline = time.monotonic() + _STOP_SECONDS
        asked = False
        while is_locked(folder.supervisor_lock) or is_locked(folder.server_lock):
            running = folder.running()
            if running is not None and not asked and is_locked(folder.supervisor_lock):
                os.kill(running.supervisor, signal.SIGTERM)
                asked = True
            if time.monotonic() > deadline:
                raise EmbeddedServerError(f"The server did not stop within {_STOP_SECONDS:g} s; see {folder.log}.")
            time.sleep(_POLL_SECONDS)
    return True
