"""Nothing that was acknowledged is lost, and nothing is done twice, whatever is killed."""

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import eventually, running_worker

from reverie import Memory, StoreUnavailable
from reverie.config.settings import Settings, load
from reverie.pipelines.ingest import TOPIC, ingest
from reverie.store import embedded, timeline, work
from reverie.store.embedded.programs import find_programs, make_runnable
from reverie.store.records.knowledge import ObservationRecord

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
JOBS = ["a designer", "a baker", "a nurse", "an architect"]
TOWNS = ["Lyon", "Porto", "Ghent", "Graz", "Turin"]
SENTENCES = [
    "I work at Acme as {job}.",
    "I moved to {town} last week.",
    "My sister Clara lives in {town}.",
    "I am allergic to peanuts.",
    "I bought a red bicycle yesterday.",
]
MESSAGES = 60


class Broker:
    """A broker of its own, that can be killed and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://:chaos@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        server = make_runnable(find_programs(), self.folder).server
        command = [server, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder, "--appendonly", "yes"]
        self.process = subprocess.Popen([*command, "--requirepass", "chaos"], stdout=subprocess.DEVNULL)
        eventually(self._answers, "the broker listens")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


def _text(number: int) -> str:
    return SENTENCES[number % len(SENTENCES)].format(job=JOBS[number % len(JOBS)], town=TOWNS[number % len(TOWNS)])


class Writer(threading.Thread):
    """Writes the messages one by one, each until it is acknowledged; pauses where it is told to."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._session = memory.agent("assistant").session("s-1")
        self._allowed = threading.Semaphore(0)
        self.written = 0

    def allow(self, count: int) -> None:
        self._allowed.release(count)

    def run(self) -> None:
        for number in range(MESSAGES):
            self._allowed.acquire()
            while True:
                with contextlib.suppress(StoreUnavailable):
                    _observe(self._session, number)
                    break
            self.written += 1


def _observe(session: object, number: int) -> None:
    at = START + timedelta(minutes=number)
    speaker = ("Ana", "Ben")[number % 2]
    session.observe(sender=speaker, content=_text(number), message_id=f"m-{number}", at=at)  # type: ignore[attr-defined]


def _observations(memory: Memory) -> dict[str, tuple[str, str]]:
    """Every observation of the session: id → (message, content), by the edges from its messages."""
    found = {}
    for number in range(MESSAGES):
        ids = memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", f"m-{number}"))
        assert len(ids) == len(set(ids))
        for record in memory.ctx.ns.get_many(ObservationRecord, ids):
            assert record is not None
            found[record.id] = (record.message, record.content)
    return found


@pytest.fixture
def chaos(tmp_path: Path) -> Iterator[tuple[Settings, Broker, embedded.Lease]]:
    """Servers of the test's own, and a worker that takes up what a dead one left after seconds, not a minute."""
    broker = Broker(tmp_path / "broker")
    # By a second or two of `everysec` Redis may be killed between a write's acknowledgement and its log.
    with embedded.acquire(tmp_path / "data", fsync="always") as lease, pytest.MonkeyPatch.context() as environment:
        environment.setenv("REVERIE_BROKER_URL", broker.url)
        environment.setenv("REVERIE_WORK_LEASE", "PT3S")
        environment.setenv("REVERIE_SWEEP_EVERY", "PT1S")
        environment.setenv("REVERIE_WORK_BATCH", "4")
        yield load(redis_url=lease.endpoint.url(), data_dir=tmp_path / "data"), broker, lease
    broker.kill()


def test_every_message_is_ingested_exactly_once_through_three_kills(
    chaos: tuple[Settings, Broker, embedded.Lease], tmp_path: Path
) -> None:
    settings, broker, lease = chaos
    with Memory("disturbed", settings=settings) as memory, Memory("calm", settings=settings) as calm:

        def done(count: int) -> bool:
            waiting = work.pending(memory.ctx.ns, TOPIC, [f"m-{number}" for number in range(count)])
            return writer.written >= count and not any(waiting)

        writer = Writer(memory)
        writer.start()

        with contextlib.suppress(ProcessLookupError), running_worker(settings, tmp_path / "1.log", beat=True) as worker:
            writer.allow(20)
            eventually(lambda: done(4), "the first messages are ingested", within=60)
            _kill_with_children(worker)

        with running_worker(settings, tmp_path / "2.log", concurrency=2, beat=True):
            eventually(lambda: done(20), "a new worker does what the dead one left", within=60)

            broker.kill()
            back_at = time.monotonic() + 10
            writer.allow(20)
            eventually(lambda: writer.written == 40, "writes go on without a broker", within=60)
            eventually(lambda: time.monotonic() > back_at, "the broker was away for ten seconds")
            broker.start()
            eventually(lambda: done(40), "what was written without a broker is ingested", within=90)

            writer.allow(20)
            os.kill(lease.ensure().pid, signal.SIGKILL)
            eventually(lambda: done(MESSAGES), "Redis came back with everything", within=90)
        writer.join()

        session = calm.agent("assistant").session("s-1")
        for number in range(MESSAGES):
            _observe(session, number)
        ingest(calm.ctx, [f"m-{number}" for number in range(MESSAGES)])

        expected = _observations(calm)
        assert len(expected) >= MESSAGES * 0.8
        assert _observations(memory) == expected
        assert len(timeline.messages(memory.ctx.ns, "s-1")) == MESSAGES
        assert work.dead_letters(memory.ctx.ns) == []


def _kill_with_children(worker: subprocess.Popen[bytes]) -> None:
    """As a machine that loses power: the worker and its pool at once."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    for pid in [worker.pid, *pids]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    worker.wait()
