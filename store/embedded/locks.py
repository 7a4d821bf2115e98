"""File locks that end with the process that holds them.

A lock is an ``flock`` on an open file: the kernel drops it when the last process that has the file open
ends, however it ends. Nothing here is ever unlocked explicitly: a forked child shares its parent's lock,
so it may only close its own copy of the file.

Imports nothing beside the standard library: the supervisor runs it without the rest of the package.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType

_POLL_SECONDS = 0.01


class FileLock:
    """A lock that is held: closing it (or the end of every process that shares it) gives it back."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def close(self) -> None:
        """Give up this process's share of the lock. Closing twice is harmless."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def try_lock(path: Path) -> FileLock | None:
    """Take the lock if nobody has it, else give None at once."""
    fd = _open(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    except BaseException:
        os.close(fd)
        raise
    return FileLock(fd)


def lock(path: Path, timeout: float | None = None) -> FileLock:
    """Take the lock, waiting at most ``timeout`` seconds (None: for as long as it takes).

    Raises:
        TimeoutError: somebody else kept it for longer than that.
    """
    if timeout is None:
        fd = _open(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
        except BaseException:
            os.close(fd)
            raise
        return FileLock(fd)
    deadline = time.monotonic() + timeout
    while (held := try_lock(path)) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{path} stayed locked for {timeout:g} s")
        time.sleep(_POLL_SECONDS)
    return held


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock. A file that is not there is not locked."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def wait_unlocked(path: Path) -> None:
    """Sleep in the kernel until nobody holds the lock; a file that is not there is not waited for."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_SH)
    finally:
        os.close(fd)
