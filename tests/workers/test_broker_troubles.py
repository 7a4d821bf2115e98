"""Whatever happens to a worker or to Redis, what was enqueued is stored, or still waits."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from conftest import eventually, running_worker
from faults import proxied
from redis import Redis

from reverie import Memory
from reverie.config.settings import Settings
from reverie.config.task_names import OBSERVE_MESSAGE
from reverie.store import deliveries
from reverie.store.connection import database


@pytest.fixture
def url(own_settings: Settings) -> str:
    assert own_settings.redis_url is not None
    return own_settings.redis_url.get_secret_value()


@pytest.fixture
def server(url: str) -> Iterator[Redis]:
    with Redis.from_url(database(url, 1)) as client:
        yield client


@pytest.fixture
def app(url: str) -> Iterator[Celery]:
    with Celery(broker=database(url, 1), backend=database(url, 2), set_as_current=False) as client:
        yield client


@pytest.fixture
def memory(own_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    # What a dead worker had taken comes back after seconds, not a minute.
    monkeypatch.setenv("REVERIE_WORK_LEASE", "PT3S")
    with Memory("kept", settings=own_settings) as opened:
        yield opened


def send(app: Celery, id: str, **options: Any) -> None:
    document = {"namespace": "kept", "agent": "a", "session": "s", "sender": "Ana", "content": "I keep bees."}
    app.send_task(OBSERVE_MESSAGE, [document | {"message_id": id}], queue="documents", **options)


def stored(memory: Memory) -> set[str]:
    return {message.message_id for message in memory.agent("a").session("s").messages(newest=1000)}


def kill(worker: subprocess.Popen[bytes]) -> None:
    """The worker and its pool at once, as a machine that loses power."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    for pid in [worker.pid, *map(int, children)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    worker.wait()


def test_what_a_stopped_and_killed_worker_may_have_taken_is_stored_by_the_next(
    own_settings: Settings, memory: Memory, app: Celery, tmp_path: Path
) -> None:
    with running_worker(own_settings, tmp_path / "1.log") as worker:
        send(app, "first")
        eventually(lambda: stored(memory) == {"first"}, "the worker is at work", within=60)
        os.kill(worker.pid, signal.SIGSTOP)
        for number in range(5):
            send(app, f"m-{number}")
        kill(worker)
    with running_worker(own_settings, tmp_path / "2.log"):
        expected = {"first", *(f"m-{number}" for number in range(5))}
        eventually(lambda: stored(memory) == expected, "the next stores all", within=60)


def test_what_waits_for_its_time_waits_in_redis_and_comes_in_time_whoever_died(
    own_settings: Settings, memory: Memory, app: Celery, server: Redis, tmp_path: Path
) -> None:
    with running_worker(own_settings, tmp_path / "1.log") as worker:
        send(app, "later", countdown=6)
        eventually(lambda: server.hlen(deliveries.TAKEN), "the worker saw it", within=60)
        kill(worker)
    assert stored(memory) == set()
    with running_worker(own_settings, tmp_path / "2.log"):
        eventually(lambda: stored(memory) == {"later"}, "it came in time", within=60)


def test_a_running_task_is_given_to_no_other_however_long_it_takes(
    own_settings: Settings, memory: Memory, app: Celery, server: Redis, tmp_path: Path
) -> None:
    with running_worker(own_settings, tmp_path / "1.log") as worker:
        send(app, "first")
        eventually(lambda: stored(memory) == {"first"} and not server.hlen(deliveries.TAKEN), "at work", within=60)
        (child,) = map(int, Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split())
        os.kill(child, signal.SIGSTOP)
        send(app, "long")
        eventually(lambda: server.hlen(deliveries.TAKEN) == 1, "it is taken")
        (tag,) = server.hkeys(deliveries.TAKEN)
        began = float(server.zscore(deliveries.LEASES, tag) or 0)
        eventually(
            lambda: float(server.zscore(deliveries.LEASES, tag) or 0) > began + 6000, "its lease is renewed for long"
        )
        assert server.hkeys(deliveries.TAKEN) == [tag]
        os.kill(child, signal.SIGCONT)
        eventually(lambda: stored(memory) == {"first", "long"} and not server.hlen(deliveries.TAKEN), "it is done")


@contextlib.contextmanager
def full(server: Redis) -> Iterator[None]:
    server.config_set("maxmemory", 1)
    yield
    server.config_set("maxmemory", 0)


@contextlib.contextmanager
def read_only(server: Redis) -> Iterator[None]:
    server.replicaof("127.0.0.1", "1")
    yield
    server.replicaof("NO", "ONE")


@contextlib.contextmanager
def hanging(server: Redis) -> Iterator[None]:
    pid = server.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    yield
    os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("trouble", [full, read_only, hanging])
def test_a_worker_with_its_beat_waits_while_redis_takes_nothing_and_goes_on_after(
    trouble: Any, own_settings: Settings, memory: Memory, app: Celery, server: Redis, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    with running_worker(own_settings, log, beat=True) as worker:
        send(app, "first")
        eventually(lambda: stored(memory) == {"first"}, "the worker is at work", within=60)
        for number in range(10):
            send(app, f"m-{number}")
        began = log.stat().st_size
        with trouble(server):
            waited = timedelta(seconds=8).total_seconds()
            end = os.times().elapsed + waited
            eventually(lambda: os.times().elapsed > end, "it lasted a while", within=waited + 5)
        send(app, "last")
        expected = {"first", "last", *(f"m-{number}" for number in range(10))}
        eventually(lambda: stored(memory) == expected, "everything is stored", within=90)
        eventually(lambda: not server.hlen(deliveries.TAKEN), "and acknowledged", within=60)
        assert worker.poll() is None
        assert log.stat().st_size > began
        assert "bees" not in log.read_text()


@pytest.mark.parametrize(
    "error",
    [
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
        "LOADING Redis is loading the dataset in memory",
        "NOPERM this user has no permissions to run the 'eval' command",
    ],
)
def test_a_worker_waits_while_its_broker_answers_with_errors(
    error: str, own_settings: Settings, url: str, app: Celery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxied(database(url, 1)) as (proxy, through), Memory("kept", settings=own_settings) as memory:
        monkeypatch.setenv("REVERIE_BROKER_URL", through)
        with running_worker(own_settings, tmp_path / "worker.log", beat=True) as worker:
            send(app, "first")
            eventually(lambda: stored(memory) == {"first"}, "the worker is at work", within=60)
            proxy.answer(error)
            send(app, "second")
            end = os.times().elapsed + 6
            eventually(lambda: os.times().elapsed > end, "it lasted a while", within=15)
            assert worker.poll() is None
            proxy.heal()
            eventually(lambda: stored(memory) == {"first", "second"}, "it goes on", within=60)
            assert worker.poll() is None
