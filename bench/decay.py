"""What decay costs: by how much is due, not by how much is stored; and what it costs the agent meanwhile.

    python bench/decay.py --json [--episodes 100000] [--small 1000] [--due 100]

`growth` is the time of a sweep over `--episodes` of which `--due` are due, over that of one over `--small` of which as
many are due: medians of rounds taken by turns. `p99_during_over_without` is the 99th percentile of `record_episode`
while another process archives the `--episodes`, whose time has come on a clock ten years ahead, over that while it is
stopped: stretches of both by turns, on the same data. Vectors are made up, so that the store is measured and not the
embedder. Writing and sweeping 100,000 episodes takes several minutes.
"""

import argparse
import json
import multiprocessing
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.models.embedders import Vector, Vectors
from reverie.pipelines import decay
from reverie.pipelines.context import Clock, system_clock
from reverie.pipelines.rows import episode_draft
from reverie.pipelines.sweeps import Budget
from reverie.store import due, embedded
from reverie.store.commit import Transaction
from reverie.store.records.activity import EpisodeRecord
from reverie.store.times import to_micros

AGENT = "bench"
BATCH = 200
ROUNDS = 5
DURING, WITHOUT = 3.0, 1.0
"""Seconds of measuring with the sweep, then without it, by turns."""


class MadeUp:
    """Vectors by the text's hash: quick, and spread over the sphere."""

    name = "made-up"
    dimension = 384

    def documents(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.query(text) for text in texts]) if texts else np.empty((0, 384), dtype=np.float32)

    def query(self, text: str) -> Vector:
        vector = np.random.default_rng(abs(hash(text))).standard_normal(self.dimension, dtype=np.float32)
        unit: Vector = vector / np.linalg.norm(vector)
        return unit

    def count(self, text: str) -> int:
        return len(text.split())


def years_later() -> datetime:
    """A clock on which everything that was written so far is due."""
    return datetime.now(UTC) + timedelta(days=3650)


def open_memory(settings: Settings, namespace: str, clock: Clock = system_clock) -> Memory:
    return Memory(namespace, settings=settings, embedder=MadeUp(), clock=clock)


def written(memory: Memory, record: EpisodeRecord, vector: Vector) -> Transaction:
    """The write of an episode as the tool makes it, without its round trip."""
    ctx = memory.ctx
    transaction = ctx.ns.transaction()
    transaction.put(record)
    order = to_micros(record.recorded_at)
    transaction.link("RECORDED_BY", ("episode", record.id), ("participant", AGENT), record.at, order=order)
    transaction.row(episode_draft(record).with_vector(vector))
    decay.plan(transaction, ctx.settings, record.id, record.importance, record.at)
    return transaction


def fill(memory: Memory, name: str, count: int, importance: float) -> None:
    embedder, now = MadeUp(), datetime.now(UTC)
    for start in range(0, count, BATCH):
        numbers = range(start, min(count, start + BATCH))
        records = [
            EpisodeRecord.new(
                memory.ctx.ns,
                f"{name}{number}",
                agent=AGENT,
                action_type="build",
                importance=importance,
                at=now + timedelta(microseconds=number),
                text=f"built part {number} of the {name}",
                recorded_at=now,
            )
            for number in numbers
        ]
        vectors = embedder.documents([record.text for record in records])
        memory.ctx.ns.commit([written(memory, record, one) for record, one in zip(records, vectors, strict=True)])


def sweep_seconds(memory: Memory) -> float:
    began = time.perf_counter()
    left = decay.archive_due(memory.ctx, Budget(1_000_000, 600)).left
    assert left == 0
    return time.perf_counter() - began


def growth(small: Memory, large: Memory, count: int) -> tuple[list[float], list[float]]:
    """Seconds of the sweeps over the small and the large one, by turns."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS + 1):
        for memory, seconds in zip((small, large), taken, strict=True):
            fill(memory, f"due {number} ", count, importance=0.01)
            time.sleep(0.05)
            seconds.append(sweep_seconds(memory))
    return taken[0][1:], taken[1][1:]  # the first round warms up


def sweep_in_slices(settings: Settings, namespace: str) -> None:
    """What the scheduled task does, in a process of its own, until nothing is left."""
    with open_memory(settings, namespace, years_later) as memory:
        while decay.archive_due(memory.ctx, Budget(settings.sweep_items, settings.sweep_time.total_seconds())).left:
            pass


def record_for(memory: Memory, seconds: float, latencies: list[float]) -> None:
    agent = memory.agent(AGENT)
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        began = time.perf_counter()
        agent.record_episode(action_type="build", outcome="success", state={"topic": f"part {began}"})
        latencies.append(time.perf_counter() - began)
        time.sleep(0.002)


def p99(memory: Memory, settings: Settings) -> tuple[list[float], list[float], float]:
    """Latencies of `record_episode` without and during the sweep, and the seconds that the sweep ran."""
    without: list[float] = []
    during: list[float] = []
    record_for(memory, WITHOUT, [])
    before = due.count(memory.ctx.ns, decay.ARCHIVE, memory.ctx.clock())[1]
    context = multiprocessing.get_context("spawn")
    sweeper = context.Process(target=sweep_in_slices, args=(settings, memory.namespace))
    sweeper.start()
    while due.count(memory.ctx.ns, decay.ARCHIVE, memory.ctx.clock())[1] == before:
        time.sleep(0.05)
    ran = 0.0
    while sweeper.is_alive():
        began = time.perf_counter()
        record_for(memory, DURING, during)
        ran += time.perf_counter() - began
        if sweeper.pid is not None and sweeper.is_alive():
            os.kill(sweeper.pid, signal.SIGSTOP)
            record_for(memory, WITHOUT, without)
            os.kill(sweeper.pid, signal.SIGCONT)
    sweeper.join()
    assert sweeper.exitcode == 0
    assert due.count(memory.ctx.ns, decay.ARCHIVE, memory.ctx.clock())[1] == 0
    return without, during, ran


def percentile(values: list[float], share: float) -> float:
    return float(np.percentile(values, share))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--small", type=int, default=1000)
    parser.add_argument("--due", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", ignore_cleanup_errors=True) as folder:
        data = Path(folder)
        with embedded.acquire(data) as lease:
            settings = load(redis_url=lease.endpoint.url(), data_dir=data)
            with open_memory(settings, "small") as small, open_memory(settings, "large") as large:
                fill(small, "house", asked.small, importance=0.9)
                fill(large, "house", asked.episodes, importance=0.9)
                few, many = growth(small, large, asked.due)
            with open_memory(settings, "large", years_later) as busy:
                without, during, ran = p99(busy, settings)
    report = {
        "episodes": asked.episodes,
        "due": asked.due,
        "sweep_ms_small": round(1000 * statistics.median(few), 2),
        "sweep_ms_large": round(1000 * statistics.median(many), 2),
        "swept_per_second": round(asked.episodes / ran),
        "calls_without": len(without),
        "calls_during": len(during),
        "p50_ms_without": round(1000 * percentile(without, 50), 2),
        "p50_ms_during": round(1000 * percentile(during, 50), 2),
        "p99_ms_without": round(1000 * percentile(without, 99), 2),
        "p99_ms_during": round(1000 * percentile(during, 99), 2),
        "ratios": {
            "growth": round(statistics.median(many) / statistics.median(few), 3),
            "p99_during_over_without": round(percentile(during, 99) / percentile(without, 99), 3),
        },
    }
    print(json.dumps(report) if asked.json else "\n".join(f"{name}: {value}" for name, value in report.items()))


if __name__ == "__main__":
    main()
