"""One tenant holds up no other: turns of the workers, wake-ups, and what looking for work costs."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import WordEmbedder, eventually, running_worker

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.config.task_names import INGEST_DRAIN, TOPIC_TASKS
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines import consolidate, erasure, summaries, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.ingest import TOPIC
from reverie.store import waiting, work
from reverie.store.keys import NAMESPACES
from reverie.store.lanes import moment
from reverie.store.namespace import Namespace
from reverie.testing import fake_client
from reverie.tools.observe import LIVE_BATCH, ObserveParams, observe, observe_many
from reverie.workers import runtime
from reverie.workers.app import app
from reverie.workers.drain import drain
from reverie.workers.sweep import remark, sweep

TENANTS = 5000


class House:
    """Workers of many tenants on a fake Redis: what they were sent, and how many commands Redis was given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
        self.sent: list[tuple[str, list[Any]]] = []
        self.commands = 0
        self.clock = clock
        self.client = fake_client()
        self._counted(monkeypatch)
        monkeypatch.setattr(runtime, "context", self.ctx)
        monkeypatch.setattr("reverie.workers.sweep.context", self.ctx)
        monkeypatch.setattr(app, "send_task", lambda task, arguments=(): self.sent.append((task, list(arguments))))

    def _counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        execute, pipelined = self.client.execute_command, self.client.pipeline

        def one(*words: Any, **options: Any) -> Any:
            self.commands += 1
            return execute(*words, **options)

        def many(*arguments: Any, **options: Any) -> Any:
            pipe = pipelined(*arguments, **options)
            run = pipe.execute

            def counted(*given: Any, **named: Any) -> Any:
                self.commands += len(pipe)
                return run(*given, **named)

            pipe.execute = counted
            return pipe

        monkeypatch.setattr(self.client, "execute_command", one)
        monkeypatch.setattr(self.client, "pipeline", many)

    def ctx(self, namespace: str) -> Context:
        embedder = WordEmbedder()
        settings = load()
        quick = DeadlineEmbedder(embedder, settings.embed_deadline)
        ns = Namespace(self.client, namespace)
        return Context(ns, settings, embedder, quick, embedder, clock=self.clock, wake=runtime.wake)

    def work_off(self, most: int = 1000) -> list[str]:
        """Heed every wake-up that was sent, as one worker does; what the tasks said."""
        said = []
        while self.sent and len(said) < most:
            task, arguments = self.sent.pop(0)
            assert task == INGEST_DRAIN
            said.append(drain(arguments[0] if arguments else None, TOPIC, _end))
        return said


def _end(ctx: Context, entries: Sequence[str], topic: str = TOPIC) -> str:
    for entry in entries:
        transaction = ctx.ns.transaction()
        work.finish(transaction, topic, entry)
        transaction.commit()
    return f"{len(entries)} done"


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, clock: Any) -> House:
    return House(monkeypatch, clock)


def _said(number: int) -> ObserveParams:
    return ObserveParams(sender="Ana", content=f"number {number}")


def test_one_wake_up_however_many_writes_wait(house: House) -> None:
    for number in range(30):
        observe(house.ctx("one"), "a", "s", _said(number))
    observe(house.ctx("two"), "a", "s", _said(0))

    assert house.sent == [(INGEST_DRAIN, ["one"]), (INGEST_DRAIN, ["two"])]
    said = house.work_off()
    assert sum(int(one.split(": ")[-1].split()[0]) for one in said if one.endswith("done")) == 31
    assert house.sent == []


def test_a_live_message_is_the_next_one_while_another_tenant_imports(house: House) -> None:
    observe_many(house.ctx("importer"), "a", "s", [_said(number) for number in range(200)], embed=False)
    house.sent = [(INGEST_DRAIN, ["importer"])]
    assert house.work_off(3) == ["4 done"] * 3

    observe(house.ctx("live"), "a", "s", _said(0))

    assert len(house.sent) == 2
    assert house.work_off(1) == ["live: 1 done"]
    assert len(house.sent) <= 2
    assert house.work_off()[-1] in ("4 done", "nothing to do")
    assert work.backlog(house.ctx("importer").ns, [TOPIC], house.clock())[TOPIC] == (0, 0)


@pytest.mark.parametrize("topic", [consolidate.TOPIC, summaries.TOPIC, vectors.TOPIC, erasure.TOPIC])
def test_no_backlog_of_another_tenant_holds_up_any_kind_of_work(house: House, topic: str) -> None:
    def queue(tenant: str, count: int) -> None:
        ctx = house.ctx(tenant)
        transaction = ctx.ns.transaction()
        for number in range(count):
            transaction.queue(topic, f"{tenant}-{number}", house.clock())
        assert transaction.commit().committed
        ctx.wake(topic, tenant)

    end = partial(_end, topic=topic)
    queue("busy", 100)
    assert drain("busy", topic, end) == "4 done"
    queue("live", 1)

    said = []
    while house.sent:
        task, arguments = house.sent.pop(0)
        assert task == TOPIC_TASKS[topic]
        said.append(drain(arguments[0] if arguments else None, topic, end))

    # At most one batch of the other tenant's before it.
    assert any(one in ("live: 1 done", "1 done") for one in said[:2]), said[:4]
    assert sum(one.endswith("4 done") for one in said) == 24
    assert work.backlog(house.ctx("busy").ns, [topic], house.clock())[topic] == (0, 0)


def test_a_small_batch_is_live_and_a_large_one_an_import(house: House) -> None:
    ctx = house.ctx("tenant")
    observe_many(ctx, "a", "import", [_said(number) for number in range(LIVE_BATCH + 1)])
    turn = [_said(number) for number in range(2)]
    receipts = observe_many(ctx, "a", "live", turn)

    claims, _ = work.claim(ctx.ns, TOPIC, house.clock(), timedelta(minutes=1), 8)

    assert [claim.entry for claim in claims] == [receipt.message_id for receipt in receipts]


def test_a_sweep_costs_the_same_for_one_tenant_and_for_thousands(house: House) -> None:
    house.ctx("one").ns.transaction()
    assert sweep() == "nothing is due"
    alone, house.commands = house.commands, 0
    for number in range(TENANTS):
        house.client.sadd(NAMESPACES, f"tenant-{number}")
    observe(house.ctx("tenant-7"), "a", "s", _said(0))
    house.sent, house.commands = [], 0

    assert sweep() == "work waits: ingest"

    assert alone <= 2 * len(TOPIC_TASKS)
    assert house.commands <= alone + 3  # one more to see whether a wake-up is on its way already
    assert house.sent == [(INGEST_DRAIN, [])]
    sweep()
    assert len(house.sent) == 1


def test_what_nobody_marked_is_found_a_share_of_the_namespaces_at_a_time(house: House) -> None:
    for number in range(1200):
        house.client.sadd(NAMESPACES, f"tenant-{number}")
    observe(house.ctx("tenant-7"), "a", "s", _said(0))
    for key in house.client.keys("rv:waiting:*"):
        house.client.delete(key)
    house.sent = []
    assert sweep() == "nothing is due"

    cursor = 0
    while True:
        remark(cursor)
        if not house.sent:
            break
        ((_, (cursor,)),) = house.sent
        house.sent = []

    assert sweep() == "work waits: ingest"


def test_a_lease_is_renewed_for_as_long_as_the_work_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    observe(house.ctx("tenant"), "a", "s", _said(0))
    short = load(work_lease=timedelta(seconds=0.3))
    base = house.ctx

    def with_a_short_lease(namespace: str) -> Context:
        ctx = base(namespace)
        return Context(**(vars(ctx) | {"settings": short}))

    monkeypatch.setattr(runtime, "context", with_a_short_lease)
    began = house.clock.move()

    def slow(ctx: Context, entries: Sequence[str]) -> str:
        house.clock.move(seconds=1)  # longer than the lease
        eventually(lambda: _until(ctx, entries[0]) > house.clock.at, "the lease is renewed", within=10)
        assert work.claim(ctx.ns, TOPIC, house.clock(), timedelta(minutes=1), 8)[0] == []
        return _end(ctx, entries)

    assert drain("tenant", TOPIC, slow) == "1 done"
    assert house.clock.at > began + short.work_lease


def _until(ctx: Context, entry: str) -> Any:
    score = ctx.ns.client.zscore(ctx.ns.keys.work(TOPIC), entry)
    assert score is not None
    return moment(score)


def test_a_task_tells_whose_work_it_did(house: House) -> None:
    observe(house.ctx("tenant"), "a", "s", _said(0))
    assert drain(None, TOPIC, _end) == "tenant: 1 done"


def test_a_live_message_overtakes_an_import_on_a_real_worker_that_is_killed_on_the_way(
    own_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_WORK_LEASE", "PT2S")
    monkeypatch.setenv("REVERIE_SWEEP_EVERY", "PT0.5S")
    with (
        Memory("importer", settings=own_settings, embedder=WordEmbedder()) as importer,
        Memory("live", settings=own_settings, embedder=WordEmbedder()) as live,
    ):
        imported = importer.agent("a").session("s").observe_many([_said(n) for n in range(60)], embed=False)
        ids = [receipt.message_id for receipt in imported]

        def left() -> int:
            return sum(work.pending(importer.ctx.ns, TOPIC, ids))

        with contextlib.suppress(ProcessLookupError), running_worker(own_settings, tmp_path / "1.log") as first:
            eventually(lambda: left() < len(ids), "the import begins", within=60)
            live.wait(live.agent("a").session("s").observe(sender="Ana", content="I live in Porto."), timeout=60)
            waited_for = left()
            kill_all(first)
        assert waited_for > 0
        with running_worker(own_settings, tmp_path / "2.log", beat=True):
            eventually(lambda: left() == 0, "a new worker does the rest", within=90)
        assert work.dead_letters(importer.ctx.ns) == []
        assert waiting.queue(importer.ctx.ns, TOPIC, importer.ctx.clock()).last_look is not None


def kill_all(worker: "subprocess.Popen[bytes]") -> None:
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    for pid in [worker.pid, *pids]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    worker.wait()
