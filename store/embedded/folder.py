"""The server's folder on disk: where each file lies, and how the small ones are read and written.

Imports nothing beside the standard library: the supervisor runs it without the rest of the package.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

_LOG_BYTES = 5_000_000
_LOGS_KEPT = 3
BEAT_FILE = "beat-schedule"
_OURS = ("redis", BEAT_FILE)
"""What the names of all files begin with that Reverie makes in a data folder."""


@dataclass(frozen=True)
class Running:
    """What the supervisor last started.

    Attributes:
        pid: process id of the Redis server.
        supervisor: process id of the process that watches it.
        port: TCP port on 127.0.0.1.
        started_at: POSIX time in seconds.
    """

    pid: int
    supervisor: int
    port: int
    started_at: float


def make_private(data_dir: Path) -> None:
    """Make the data folder if it is missing, and let nobody but its owner into it.

    A folder that holds other things too, or belongs to somebody else, keeps its permissions; what Reverie makes in it
    is closed by itself.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    if data_dir.stat().st_uid == os.getuid() and all(path.name.startswith(_OURS) for path in data_dir.iterdir()):
        _close_to_others(data_dir)
        for path in data_dir.glob(f"{BEAT_FILE}*"):
            _close_to_others(path)


def _close_to_others(path: Path) -> None:
    mode = stat.S_IMODE(path.lstat().st_mode)
    if mode & 0o077 and not path.is_symlink():
        path.chmod(mode & 0o700)


class Folder:
    """The paths under one data folder, all readable by its owner alone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.leases = root / "leases"
        self.data = root / "data"
        self.programs = root / "programs"
        self.config = root / "redis.conf"
        self.log = root / "redis.log"
        self.gate = root / "gate.lock"
        self.supervisor_lock = root / "supervisor.lock"
        self.server_lock = root / "server.lock"
        self._password = root / "password"
        self._port = root / "port"
        self._running = root / "running.json"

    def create(self) -> None:
        """Make the folders that are missing, and keep others out of all that is there."""
        make_private(self.root.parent)
        for path in (self.root, self.leases, self.data):
            path.mkdir(mode=0o700, exist_ok=True)
        for path in (self.root, *self.root.rglob("*")):
            with contextlib.suppress(FileNotFoundError):  # leases and drafts come and go
                _close_to_others(path)

    def write_private(self, path: Path, text: str) -> None:
        """Replace a file in one step; nobody but its owner can ever read it."""
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)

    def password(self) -> str:
        """The server's password; raises FileNotFoundError before the first start."""
        return self._password.read_text(encoding="utf-8").strip()

    def ensure_password(self) -> str:
        """The server's password, drawn at the first start. The caller holds the gate."""
        if not self._password.exists():
            self.write_private(self._password, secrets.token_urlsafe(32) + "\n")
        self._password.chmod(0o600)
        return self.password()

    def last_port(self) -> int | None:
        """The port of the last start, so that addresses outlive a restart."""
        try:
            return int(self._port.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def running(self) -> Running | None:
        """What was last started; it may have died since."""
        try:
            return Running(**json.loads(self._running.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def set_running(self, running: Running) -> None:
        """Note what was started."""
        self.write_private(self._port, f"{running.port}\n")
        self.write_private(self._running, json.dumps(asdict(running)))

    def clear_running(self) -> None:
        """Note that nothing runs any more."""
        self._running.unlink(missing_ok=True)

    def data_bytes(self) -> int:
        """Size of the stored data on disk, in bytes."""
        total = 0
        for path in self.data.rglob("*"):
            with contextlib.suppress(FileNotFoundError):  # a rewrite of the log removes files meanwhile
                total += path.stat().st_size if path.is_file() else 0
        return total

    def rotate_log(self) -> None:
        """Put a log of over 5 MB aside and keep the last three of those."""
        try:
            if self.log.stat().st_size < _LOG_BYTES:
                return
        except FileNotFoundError:
            return
        for number in range(_LOGS_KEPT - 1, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                self.log.with_name(f"{self.log.name}.{number}").replace(
                    self.log.with_name(f"{self.log.name}.{number + 1}")
                )
        self.log.replace(self.log.with_name(f"{self.log.name}.1"))

    def log_tail(self, lines: int = 8) -> str:
        """The last lines of the log, for an error message."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        return "\n".join(text.splitlines()[-lines:])
