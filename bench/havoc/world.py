"""What the writers write to: servers, workers, beat, and what can be done to them."""

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis

from havoc.models import Models
from havoc.processes import Kept, reverie
from reverie.config.errors import EmbeddedServerError
from reverie.store import embedded
from reverie.store.embedded.programs import find_programs, make_runnable

QUICK = {
    # What a dead worker held comes back after seconds, not a minute, so that much can happen in a short time.
    "REVERIE_WORK_LEASE": "PT5S",
    "REVERIE_WORK_BACKOFF": "PT0.5S",
    "REVERIE_SWEEP_EVERY": "PT1S",
    "REVERIE_WORK_BATCH": "8",
    "REVERIE_WORK_ATTEMPTS": "20",
}


@dataclass
class World:
    """Everything that runs. `broker`, `lease` and `models` are None where they are somebody's own."""

    folder: Path
    environment: dict[str, str]
    workers: list[Kept]
    writers: list[Kept]
    beat: Kept
    broker: Kept | None
    broker_url: str | None
    lease: embedded.Lease | None
    models: Models | None

    def tend(self) -> None:
        """Start again what has ended."""
        for one in [*self.workers, *self.writers, self.beat, *([self.broker] if self.broker else [])]:
            one.tend()

    def server_pid(self) -> int | None:
        """The embedded server's."""
        try:
            return self.lease.ensure(5.0).pid if self.lease else None
        except EmbeddedServerError:
            return None

    @contextmanager
    def store(self) -> Iterator["redis.Redis | None"]:
        yield from _client(self.lease.ensure(5.0).url() if self.lease else None)

    @contextmanager
    def queues(self) -> Iterator["redis.Redis | None"]:
        yield from _client(self.broker_url if self.broker else None)

    def close(self) -> None:
        for one in [*self.writers, *self.workers, self.beat]:
            one.send(signal.SIGTERM)
        for one in [*self.writers, *self.workers, self.beat]:
            one.stop()
        if self.broker is not None:
            self.broker.stop()
        if self.lease is not None:
            self.lease.release()
        if self.models is not None:
            self.models.close()


def _client(url: str | None) -> Iterator["redis.Redis | None"]:
    if url is None:
        yield None
        return
    with redis.Redis.from_url(url, socket_timeout=5) as client:
        yield client


def supervisor_of(pid: int) -> int | None:
    """The process that started the embedded server, unless that is gone."""
    with contextlib.suppress(OSError):
        parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        return parent if parent > 1 else None
    return None


def build(folder: Path, namespace: str, writers: int, pace: float, seed: int, own: dict[str, str]) -> World:
    """Start it all; with `own` (REVERIE_* of a set-up) on servers and models that are somebody's own."""
    environment = {"REVERIE_DATA_DIR": str(folder / "data")} | QUICK
    broker, broker_url, lease, models = None, None, None, None
    if own:
        environment |= own
    else:
        models = Models(seed)
        broker, broker_url = _broker(folder)
        environment |= {"REVERIE_BROKER_URL": broker_url} | models.environment
        lease = embedded.acquire(folder / "data")
    os.environ.update(environment)
    here = {"PYTHONPATH": str(Path(__file__).parents[1])}
    kept = [
        Kept(f"worker-{n}", reverie("worker", "--concurrency=2", f"--name=chaos-{n}"), environment, folder)
        for n in range(2)
    ]
    beat = Kept("beat", reverie("beat"), environment, folder)
    writing = [
        Kept(
            f"writer-{n}",
            [sys.executable, "-m", "havoc.writer", namespace, str(n), folder / f"ledger-{n}", str(pace)],
            environment | here,
            folder,
        )
        for n in range(writers)
    ]
    return World(folder, environment, kept, writing, beat, broker, broker_url, lease, models)


def _broker(folder: Path) -> tuple[Kept, str]:
    home = folder / "broker"
    home.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = make_runnable(find_programs(), home).server
    command: list[str | Path] = [server, "--port", str(port), "--bind", "127.0.0.1", "--dir", home]
    broker = Kept("broker", [*command, "--appendonly", "yes", "--requirepass", "chaos"], {}, folder)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    return broker, f"redis://:chaos@127.0.0.1:{port}/0"
