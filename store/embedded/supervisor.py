"""The process that keeps one Redis server: starts it, also when it died, and stops it with its last user.

It belongs to nobody: the process that started it may end, others go on using the server. It holds
``supervisor.lock`` for as long as it lives, and the Redis server inherits ``server.lock``, so that a second
server on the folder cannot start while any process of the first is alive, whatever was killed in between.

Imports nothing beside the standard library, and is run by ``launch.py``.
"""

from __future__ import annotations

import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import FrameType

from .folder import Folder, Running
from .leases import live_leases, sweep_leases
from .locks import FileLock, lock, wait_unlocked

_GIVE_UP_AFTER = 5  # starts in a row that ended by themselves
_HEALTHY_SECONDS = 10.0  # a server that lived this long had started well
_LONGEST_PAUSE = 5.0
_ORPHAN_SECONDS = 60.0
_SHUTDOWN_SECONDS = 20.0
_PR_SET_PDEATHSIG = 1
# Below the range from which the kernel draws ports for outgoing connections: a client that tries again and
# again to reach a server that is down could otherwise connect to itself and keep the port.
_PORTS = range(16_000, 32_000)


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def choose_port(preferred: int | None) -> int:
    """The preferred port if it can be had, else a free one; never one used for outgoing connections."""
    if preferred is not None and _is_free(preferred):
        return preferred
    for port in random.sample(_PORTS, 200):
        if _is_free(port):
            return port
    raise OSError("no free port on 127.0.0.1")


class Supervisor:
    """Keeps the Redis server of one folder for as long as it has users."""

    def __init__(self, folder: Folder, program: Path) -> None:
        self._folder = folder
        self._program = program
        self._child: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._stopping = threading.Event()
        self._libc = ctypes.CDLL(None, use_errno=True)

    def run(self) -> None:
        """Keep the server until its last user is gone, or until it will not start."""
        threading.Thread(target=self._wait_for_users, name="users", daemon=True).start()
        failures, pause = 0, 0.0
        while not self._stopping.wait(pause):
            try:
                started = self._start()
            except (OSError, TimeoutError) as error:
                self._note(f"could not start {self._program}: {error}")
                break
            if started is None:
                break
            began = time.monotonic()
            code = started.wait()
            if self._stopping.is_set():
                break
            lived = time.monotonic() - began
            self._note(f"server {started.pid} ended with {code} after {lived:.1f} s")
            if lived >= _HEALTHY_SECONDS:
                failures, pause = 0, 0.0
                continue
            # Killed from outside is no reason to give up; ending by itself, time and again, is.
            failures += code != -signal.SIGKILL
            pause = min(max(pause * 2, 0.05), _LONGEST_PAUSE)
            if failures >= _GIVE_UP_AFTER:
                self._note(f"gave up after {failures} starts")
                break
        self._folder.clear_running()

    def stop(self) -> None:
        """Shut the server down in order; what was written is on disk afterwards."""
        with self._guard:
            self._stopping.set()
            child = self._child
        if child is None:
            return
        child.terminate()
        try:
            child.wait(_SHUTDOWN_SECONDS)
        except subprocess.TimeoutExpired:
            self._note(f"server {child.pid} did not end within {_SHUTDOWN_SECONDS:g} s and was killed")
            child.kill()

    def _start(self) -> subprocess.Popen[bytes] | None:
        held = lock(self._folder.server_lock, _ORPHAN_SECONDS)
        with held, self._guard:
            if self._stopping.is_set():
                return None
            self._folder.rotate_log()
            port = choose_port(self._folder.last_port())
            self._child = self._spawn(held, port)
            self._folder.set_running(Running(self._child.pid, os.getpid(), port, time.time()))
            return self._child

    def _spawn(self, held: FileLock, port: int) -> subprocess.Popen[bytes]:
        me = os.getpid()

        def die_with_supervisor() -> None:
            self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
            if os.getppid() != me:  # it died before the line above
                os._exit(1)

        environment = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH", "TZ")}
        with open(self._folder.log, "ab") as log:
            return subprocess.Popen(
                [self._program, self._folder.config, "--port", str(port)],
                cwd=self._folder.data,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[held.fd],
                preexec_fn=die_with_supervisor,
            )

    def _wait_for_users(self) -> None:
        while True:
            for lease in live_leases(self._folder):
                wait_unlocked(lease)
            # Kept until this process ends: who asks for the server meanwhile waits, then starts a new one.
            gate = lock(self._folder.gate)
            if not sweep_leases(self._folder):
                break
            gate.close()
        self.stop()
        threading.Event().wait()

    def _note(self, text: str) -> None:
        stamp = time.strftime("%d %b %Y %H:%M:%S")
        with open(self._folder.log, "a", encoding="utf-8") as log:
            log.write(f"{os.getpid()}:supervisor {stamp} {text}\n")


def main(arguments: list[str]) -> None:
    """Leave the starting process behind and supervise: ``launch.py FOLDER PROGRAM LOCK_FD``."""
    root, program, held = Path(arguments[0]), Path(arguments[1]), int(arguments[2])
    if os.fork():
        os._exit(0)  # so that the starter need not wait for a child that outlives it
    os.umask(0o077)
    supervisor = Supervisor(Folder(root), program)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)

    def stop(_number: int, _frame: FrameType | None) -> None:
        # In a thread: the code that this handler interrupts may hold the guard that stop() takes.
        threading.Thread(target=supervisor.stop, name="stop").start()

    signal.signal(signal.SIGTERM, stop)
    supervisor.run()
    os.close(held)
    sys.stdout.flush()
    os._exit(0)
