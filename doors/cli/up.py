"""`reverie up`: everything in one terminal."""

import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from reverie.cli import children
from reverie.cli.output import console
from reverie.config.settings import Settings, current
from reverie.store import connection, fitness

_COLOURS = {"worker": "cyan", "beat": "magenta", "flower": "green", "reverie": "bold"}
_LOOK_SECONDS = 0.5
_SHORTEST_LIFE = 10.0
_LONGEST_PAUSE = 30.0


def register(app: typer.Typer) -> None:
    app.command()(up)


def up(
    concurrency: Annotated[int, typer.Option("--concurrency", "-c", min=1, help="Worker processes.")] = 2,
    flower: Annotated[bool, typer.Option(help="Show workers and tasks in a browser.")] = True,
) -> None:
    """Run Redis (unless REVERIE_REDIS_URL is set), a worker, beat and Flower until Ctrl-C."""
    settings = current()
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    url, lease = connection.locate(settings)
    client = connection.connect(url, settings.redis_timeout)
    fitness.check(client)
    client.close()
    where = f"Redis on 127.0.0.1:{lease.endpoint.port}, data in {settings.data_dir}" if lease else "Redis as given"
    _say("reverie", f"{where}; Ctrl-C stops everything")
    commands = {"worker": ["worker", f"--concurrency={concurrency}"], "beat": ["beat"]}
    if flower:
        commands["flower"] = ["flower"]
    services = [_Service(name, arguments, settings, url) for name, arguments in commands.items()]
    while not ended.wait(_LOOK_SECONDS):
        if lease is not None:
            lease.ensure()
        for service in services:
            service.look_after()
    _say("reverie", "stopping")
    children.stop([service.process for service in services])
    if lease is not None:
        lease.release()
    _say("reverie", "stopped")


class _Service:
    """A process that is started again when it ends by itself, later each time that it ends at once."""

    def __init__(self, name: str, arguments: Sequence[str], settings: Settings, url: str) -> None:
        self._name = name
        self._arguments = arguments
        self._settings = settings
        self._url = url
        self._pause = 1.0
        self._again: float | None = None
        self._start()

    def _start(self) -> None:
        self.process = children.start(self._arguments, self._settings, self._url, subprocess.PIPE)
        self._began = time.monotonic()
        self._again = None
        threading.Thread(target=self._print, args=[self.process], daemon=True).start()

    def _print(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                if line.strip():
                    _say(self._name, line.rstrip())

    def look_after(self) -> None:
        """Start it again when it has ended."""
        code = self.process.poll()
        if code is None:
            return
        now = time.monotonic()
        if self._again is None:
            self._pause = 1.0 if now - self._began > _SHORTEST_LIFE else min(self._pause * 2, _LONGEST_PAUSE)
            self._again = now + self._pause
            _say(self._name, f"ended with {code}; starting again in {self._pause:g} s")
        elif now >= self._again:
            self._start()


def _say(name: str, text: str) -> None:
    console.print(Text(f"{name:>7} ", style=_COLOURS[name]) + Text.from_ansi(text), soft_wrap=True)
