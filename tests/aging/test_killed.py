"""Whatever is killed while memory ages, it ends as if nothing had been."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import eventually, own_server, running_worker

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.config.task_names import SESSIONS_CLOSE_IDLE
from reverie.pipelines import decay, ingest, procedures, sessions, summaries, topics
from reverie.pipelines.context import Context
from reverie.pipelines.sweeps import Budget
from reverie.store import due, embedded, runs, work
from reverie.store.records.synopses import SummaryRecord

START = datetime.now(UTC) - timedelta(days=200)
HALF_LIFE, LONGER = timedelta(days=365), timedelta(days=3650)
"""What the workers go by, and what episodes are planned by that they have to plan anew."""
SESSIONS, GOES, KILLS, BEATS = 16, 24, 8, 4
MUSIC = ["Bach and Mozart were played in Vienna.", "In Vienna I heard Mozart and Haydn.", "Haydn knew Bach and Mozart."]
TRADE = ["Acme and Globex opened in Denver.", "Globex sold Initech to Acme.", "Initech moved to Denver with Acme."]


def live(memory: Memory, part: int = 0, parts: int = 1) -> None:
    """Sessions that are idle, episodes that are due, sequences that worked, entities that go together; or a part."""
    agent = memory.agent("assistant")
    for number in range(part, SESSIONS, parts):
        lines = (MUSIC, TRADE)[number % 2]
        agent.session(f"s-{number}").observe_many(
            [
                {"sender": "reader", "content": line, "at": START + timedelta(days=number, minutes=place)}
                for place, line in enumerate(lines)
            ]
        )
    for number in range(part, GOES, parts):
        at = START + timedelta(hours=3 * number)
        outcome = "success" if number % 4 else "failure"
        for place, (step, ended) in enumerate([("build", "success"), ("deploy", outcome)]):
            agent.record_episode(
                action_type=step,
                outcome=ended,
                episode_id=f"e-{number}-{place}",
                importance=1.0,
                at=at + timedelta(minutes=place),
            )
        # Nothing is learned from these: one that is deleted before it was would be missed.
        faint, later = (0.01, 0.06, 1.0)[number % 3], at + timedelta(minutes=90)
        agent.record_episode(action_type="look", episode_id=f"look-{number}", importance=faint, at=later)


def as_workers(memory: Memory) -> Context:
    """The memory under the settings of the workers."""
    settings = memory.settings.model_copy(update={"decay_half_life": HALF_LIFE, "decay_grace": timedelta(0)})
    return replace(memory.ctx, settings=settings)


def age(memory: Memory) -> None:
    """All that the workers do, undisturbed."""
    ctx = as_workers(memory)

    def entries(topic: str) -> list[str]:
        return [claim.entry for claim in work.claim(ctx.ns, topic, ctx.clock(), timedelta(minutes=1), 1000)[0]]

    ingest.ingest(ctx, entries(ingest.TOPIC))
    sessions.close_idle(ctx, Budget(1000, 60))
    summaries.run(ctx, entries(summaries.TOPIC))
    procedures.learn(ctx, entries(procedures.TOPIC))
    topics.count(ctx, entries(topics.TOPIC))
    topics.regroup_changed(ctx, Budget(1000, 60))
    decay.replan(ctx, Budget(1000, 60))
    decay.archive_due(ctx, Budget(1000, 60))
    decay.delete_due(ctx, Budget(1000, 60))


def end_state(memory: Memory) -> dict[str, object]:
    """What there is in the end, without what depends on when it was done."""
    ctx, agent = memory.ctx, memory.agent("assistant")
    ids = [summaries.summary_id(f"s-{number}") for number in range(SESSIONS)]
    views = [agent.explain_decay(f"look-{number}") for number in range(GOES)]
    return {
        "summaries": [None if one is None else (one.id, one.text) for one in ctx.ns.get_many(SummaryRecord, ids)],
        "closed": [agent.session(f"s-{number}").closed_at is not None for number in range(SESSIONS)],
        "deleted": [view is None for view in views],
        "archived": [view is not None and view.archived_at is not None for view in views],
        "procedures": [
            (one.steps, one.successes, one.failures, one.standing) for one in agent.procedures(standing=None)
        ],
        "topics": sorted(sorted(topic.members) for topic in agent.topics()),
    }


def left(memory: Memory) -> int:
    """How much is still to be done."""
    ctx = as_workers(memory)
    now = ctx.clock()
    sets = (sessions.IDLE, topics.CHANGED, decay.ARCHIVE, decay.DELETE)
    names = (ingest.TOPIC, summaries.TOPIC, procedures.TOPIC, topics.TOPIC)
    waiting = sum(waits for waits, _ in work.backlog(ctx.ns, names, now).values())
    return waiting + sum(due.count(ctx.ns, name, now)[1] for name in sets) + decay.outdated(ctx).count(ctx.namespace)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """How it ends when nothing is killed."""
    with (
        own_server(tmp_path_factory.mktemp("calm")) as settings,
        Memory("calm", settings=settings.model_copy(update={"decay_half_life": LONGER})) as calm,
    ):
        live(calm)
        age(calm)
        assert left(calm) == 0
        ended = end_state(calm)
        assert len(calm.agent("assistant").topics()) == 2
        assert ended["deleted"] == [number % 3 < 2 for number in range(GOES)]
        return ended


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[Settings]:
    """A server of the test's own, and workers that do everything at once and take up what a dead one left soon."""
    with embedded.acquire(tmp_path / "data") as lease, pytest.MonkeyPatch.context() as environment:
        for name in ("SWEEP", "SESSIONS", "TOPICS", "DECAY"):
            environment.setenv(f"REVERIE_{name}_EVERY", "PT0.5S")
        environment.setenv("REVERIE_DECAY_HALF_LIFE", f"P{HALF_LIFE.days}D")
        environment.setenv("REVERIE_DECAY_GRACE", "PT0S")
        environment.setenv("REVERIE_WORK_LEASE", "PT2S")
        environment.setenv("REVERIE_WORK_BATCH", "3")
        environment.setenv("REVERIE_SWEEP_ITEMS", "7")
        environment.setenv("REVERIE_SWEEP_TIME", "PT1S")
        yield load(redis_url=lease.endpoint.url(), data_dir=tmp_path / "data")


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def beating(settings: Settings, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A beat that is killed at the end of the block."""
    assert settings.redis_url is not None
    told = {"REVERIE_REDIS_URL": settings.redis_url.get_secret_value(), "REVERIE_DATA_DIR": str(settings.data_dir)}
    command = [sys.executable, "-m", "reverie.cli", "beat"]
    with log.open("ab") as out, subprocess.Popen(command, env=os.environ | told, stdout=out, stderr=out) as process:
        yield process
        process.kill()


def test_it_ends_as_if_no_beat_had_been_killed(hasty: Settings, undisturbed: dict[str, object], tmp_path: Path) -> None:
    chance, gate, log = random.Random(5), threading.Event(), tmp_path / "beat.log"
    with Memory("disturbed", settings=hasty) as disturbed:
        with running_worker(hasty, tmp_path / "worker.log"):
            for part in range(BEATS):
                with beating(hasty, log):
                    eventually(lambda n=part: log.read_text().count("Starting...") > n, "it starts", within=60)
                    live(disturbed, part, BEATS + 1)
                    gate.wait(chance.uniform(0, 0.8))
            live(disturbed, BEATS, BEATS + 1)
            assert left(disturbed) > 0
            with beating(hasty, log), beating(hasty, log):
                eventually(lambda: left(disturbed) == 0, "all is done", within=120)

        assert SESSIONS_CLOSE_IDLE in runs.last(disturbed.ctx.ns)
        assert end_state(disturbed) == undisturbed
        assert work.dead_letters(disturbed.ctx.ns) == []


def test_it_ends_as_if_nothing_had_been_killed(hasty: Settings, undisturbed: dict[str, object], tmp_path: Path) -> None:
    chance, gate = random.Random(11), threading.Event()
    written_by = hasty.model_copy(update={"decay_half_life": LONGER})
    with Memory("disturbed", settings=written_by) as disturbed:
        live(disturbed)
        at_first = left(disturbed)
        with contextlib.suppress(ProcessLookupError), running_worker(hasty, tmp_path / "1.log", beat=True) as worker:
            eventually(lambda: left(disturbed) < at_first, "the worker works", within=90)
            for _ in range(KILLS):
                gate.wait(chance.uniform(0.05, 0.6))
                kill(children(worker.pid))
                eventually(lambda: children(worker.pid), "the pool is filled up again", within=60)
            kill([worker.pid, *children(worker.pid)])
            worker.wait()

        with running_worker(hasty, tmp_path / "2.log", concurrency=2, beat=True) as second:
            eventually(lambda: left(disturbed) == 0, "all is done", within=120)
            kill([second.pid, *children(second.pid)])
            second.wait()

        assert end_state(disturbed) == undisturbed
        assert work.dead_letters(disturbed.ctx.ns) == []
