"""Processes that are started again whenever they end."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class Kept:
    """A process kept running: `tend` starts it again when it has ended. `ends` counts how often it ended by itself."""

    def __init__(self, name: str, command: Sequence[str | Path], environment: dict[str, str], folder: Path) -> None:
        self.name = name
        self.ends = 0
        self._command = list(command)
        self._environment = os.environ | environment
        self._log = folder / f"{name}.log"
        self._killed = False
        self._start()

    def _start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, env=self._environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )

    def tend(self) -> None:
        if self.process.poll() is not None:
            self.ends += not self._killed
            self._killed = False
            self._start()

    def children(self) -> list[int]:
        with contextlib.suppress(OSError):
            return [
                int(pid)
                for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            ]
        return []

    def kill(self, *, whole: bool = False) -> None:
        """The process, and with `whole` its children at the same moment, as a machine that loses power."""
        self._killed = True
        for pid in [self.process.pid, *(self.children() if whole else [])]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def send(self, number: int) -> None:
        self._killed = self._killed or number == signal.SIGTERM
        if self.process.poll() is None:
            self.process.send_signal(number)

    def stop(self, seconds: float = 20.0) -> None:
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill(whole=True)


def reverie(*arguments: str) -> list[str | Path]:
    """The command that runs one of Reverie's own."""
    return [sys.executable, "-m", "reverie.cli", *arguments]
