"""Leases of the embedded server: taking one starts it, giving back the last one stops it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import weakref
from pathlib import Path
from types import TracebackType

from reverie.config.errors import EmbeddedServerError
from reverie.store.embedded.conf import Fsync, render
from reverie.store.embedded.endpoint import Endpoint, ask
from reverie.store.embedded.folder import Folder
from reverie.store.embedded.leases import live_leases, take_lease
from reverie.store.embedded.locks import FileLock, is_locked, lock, try_lock
from reverie.store.embedded.programs import find_programs, make_runnable

_POLL_SECONDS = 0.02
_GATE_SECONDS = 60.0
_END_SECONDS = 25.0  # a little more than the supervisor gives the server before it kills it
_STARTS = 2  # a supervisor may be stopped by somebody between two looks; twice in a row it is a failure


class Lease:
    """A share in the server, from ``acquire`` until ``release``, the end of the process, or its collection.

    A forked child shares its parent's lease: the server runs until both have released it or ended.
    """

    def __init__(self, folder: Folder, held: FileLock, fsync: Fsync, start_timeout: float) -> None:
        self._folder = folder
        self._fsync: Fsync = fsync
        self._start_timeout = start_timeout
        self._close = weakref.finalize(self, held.close)
        self._endpoint: Endpoint | None = None

    @property
    def endpoint(self) -> Endpoint:
        """Where the server was when it was last looked for."""
        if self._endpoint is None:
            raise EmbeddedServerError("The lease was released; acquire a new one.")
        return self._endpoint

    @property
    def released(self) -> bool:
        """Whether this process gave its share back."""
        return not self._close.alive

    def ensure(self, within: float | None = None) -> Endpoint:
        """The endpoint of a server that answers; starts it again, on the same data, where that is needed.

        Args:
            within: seconds to wait for it, the time in which it loads its data included; without it as long as
                ``acquire`` waits.

        Raises:
            EmbeddedServerError: it cannot be started, or the lease was released.
        """
        if self.released:
            raise EmbeddedServerError("The lease was released; acquire a new one.")
        timeout = self._start_timeout if within is None else within
        self._endpoint = _answering(self._folder, self._fsync, timeout, loading_counts=within is not None)
        return self._endpoint

    def release(self) -> None:
        """Give the share back; the server stops when it was the last, and has ended when this returns.

        Releasing twice is harmless. A server that takes longer than ``_END_SECONDS`` to end is left to its supervisor.
        """
        if self.released:
            return
        self._close()
        self._endpoint = None
        deadline = time.monotonic() + _END_SECONDS
        while _ends(self._folder) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def acquire(data_dir: Path, *, fsync: Fsync = "everysec", start_timeout: float = 60.0) -> Lease:
    """A share in the server of a data folder, started if it does not run.

    All processes of the machine that ask with the same folder share one server. ``fsync`` takes effect when
    the server starts.

    Args:
        data_dir: the data folder; the server keeps its files in ``redis`` below it.
        fsync: ``everysec``, or ``always`` where a power failure may not cost the last second either.
        start_timeout: seconds to wait for an answer; time in which the server loads its data does not count.

    Raises:
        EmbeddedServerError: no server for this platform, not installed, or it does not start.
    """
    folder = Folder(Path(data_dir).absolute() / "redis")
    try:
        folder.create()
        with hold_gate(folder):
            lease = Lease(folder, take_lease(folder), fsync, start_timeout)
    except OSError as error:
        raise EmbeddedServerError(
            f"The data folder {data_dir} cannot be used: {error}. Choose another with REVERIE_DATA_DIR."
        ) from error
    try:
        lease.ensure()
    except BaseException:
        lease.release()
        raise
    return lease


def _ends(folder: Folder) -> bool:
    """Whether a server is still there that nobody uses."""
    return (is_locked(folder.supervisor_lock) or is_locked(folder.server_lock)) and not live_leases(folder)


def hold_gate(folder: Folder) -> FileLock:
    """Keep other processes from starting or stopping the folder's server meanwhile."""
    try:
        return lock(folder.gate, _GATE_SECONDS)
    except TimeoutError as error:
        raise EmbeddedServerError(f"Another process keeps the folder {folder.root} busy: {error}.") from error


def _failed(folder: Folder, what: str) -> EmbeddedServerError:
    return EmbeddedServerError(f"The embedded Redis {what}. The end of its log ({folder.log}):\n{folder.log_tail()}")


def _answering(folder: Folder, fsync: Fsync, timeout: float, *, loading_counts: bool) -> Endpoint:
    deadline = time.monotonic() + timeout
    starts, reply = 0, "it was not started"
    while True:
        if not is_locked(folder.supervisor_lock):
            if starts == _STARTS:
                raise _failed(folder, "does not start")
            starts += _start_supervisor(folder, fsync)
        running = folder.running()
        if running is not None:
            answer = ask(folder, running)
            if isinstance(answer, dict):
                return Endpoint("127.0.0.1", running.port, folder.password(), running.pid, folder.root)
            reply = answer
            if reply == "loading" and not loading_counts:
                deadline = time.monotonic() + timeout
        if time.monotonic() > deadline:
            raise _failed(folder, f"does not answer ({reply})")
        time.sleep(_POLL_SECONDS)


def _start_supervisor(folder: Folder, fsync: Fsync) -> int:
    """Start the supervisor unless somebody else just did; gives the number of starts (0 or 1)."""
    with hold_gate(folder):
        held = try_lock(folder.supervisor_lock)
        if held is None:
            return 0
        with held:
            folder.clear_running()
            programs = make_runnable(find_programs(), folder.programs)
            text = render(folder, programs, folder.ensure_password(), fsync)
            folder.write_private(folder.config, text)
            launcher = Path(__file__).with_name("launch.py")
            with open(os.open(folder.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as log:
                launched = subprocess.run(
                    [sys.executable, "-I", launcher, folder.root, programs.server, str(held.fd)],
                    cwd=folder.root,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[held.fd],
                    start_new_session=True,  # a Ctrl-C in the terminal is for its users, not for the server
                    check=False,
                )
    if launched.returncode:
        raise _failed(folder, f"cannot be launched with {sys.executable}")
    return 1
