"""How long a live message of one tenant takes while another tenant imports, beside what it takes on an idle system.

    python bench/fairness.py --json

Ten tenants say one message after the other, and the time is taken from the call until the message is ingested, with
real worker processes whose models are loaded. First on the idle system; then while another tenant's import of 2,000
messages waits, for as long as that lasts. The ratios are the median and the 95th percentile during the import over
those of the idle system. `batch_seconds` is the mean time that a worker was busy with one batch of the import: what a
live message may have to wait for beside its own work.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from reverie import Memory
from reverie.cli import children
from reverie.cli.ingest import left_of
from reverie.config.settings import load
from reverie.pipelines.ingest import TOPIC
from reverie.store import embedded, work
from reverie.tools.observe import ObserveParams

TENANTS = 10
IDLE_MESSAGES = 60
PAUSE = 0.2
BATCH = 64
LOOK_SECONDS = 0.005
LIVE = (
    "I moved to Porto last week, number {n}.",
    "My sister Clara works at Acme as a nurse, number {n}.",
    "I am allergic to peanuts and I love hiking, number {n}.",
)
IMPORTED = (
    "I work at Acme as a designer and I like it, number {n}.",
    "My brother Tom lives in Lyon with his wife Ana, number {n}.",
    "Yesterday I bought a red bicycle, number {n}.",
    "We talked about the weather and then about the garden, number {n}.",
)


def say(memory: Memory, number: int) -> float:
    """Seconds from the call until a live message is ingested."""
    session = memory.agent("assistant").session("live")
    began = time.perf_counter()
    receipt = session.observe(sender="Ana", content=LIVE[number % len(LIVE)].format(n=number))
    while work.pending(memory.ctx.ns, TOPIC, [receipt.message_id])[0]:
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - began


def say_on(tenants: Sequence[Memory], goes_on: Callable[[int], bool]) -> list[float]:
    """One live message after the other, each of the next tenant."""
    taken: list[float] = []
    while goes_on(len(taken)):
        taken.append(say(tenants[len(taken) % len(tenants)], len(taken)))
        time.sleep(PAUSE)
    return taken


def write(memory: Memory, count: int) -> list[str]:
    ids = []
    for start in range(0, count, BATCH):
        messages = [
            ObserveParams(sender="Ben", content=IMPORTED[number % len(IMPORTED)].format(n=number))
            for number in range(start, min(start + BATCH, count))
        ]
        receipts = memory.agent("importer").session("import").observe_many(messages, embed=False)
        ids += [receipt.message_id for receipt in receipts]
    return ids


def wait(memory: Memory, ids: Sequence[str], seconds: float = 900.0) -> None:
    deadline = time.monotonic() + seconds
    while left_of(memory, ids):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not ingested within {seconds:g} s")
        time.sleep(0.05)


def percentile(taken: Sequence[float], share: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(share * len(taken)))]


def measure(count: int, workers: int, folder: Path) -> dict[str, object]:
    settings = load(data_dir=folder)
    with embedded.acquire(folder) as lease, ExitStack() as opened:
        url = lease.endpoint.url()

        def memory_of(name: str) -> Memory:
            return opened.enter_context(Memory(name, settings=settings, redis_url=url))

        tenants = [memory_of(f"tenant-{number}") for number in range(TENANTS)]
        importer = memory_of("importer")
        process = children.start(["worker", f"--concurrency={workers}"], settings, url, subprocess.DEVNULL)
        try:
            wait(importer, write(importer, workers * 40))  # loads the models
            say_on(tenants, lambda done: done < TENANTS)
            idle = say_on(tenants, lambda done: done < IDLE_MESSAGES)
            began = time.perf_counter()
            ids = write(importer, count)
            written = time.perf_counter() - began
            ended = threading.Event()

            def goes_on(_done: int) -> bool:
                if not left_of(importer, ids):
                    ended.set()
                return not ended.is_set()

            busy = say_on(tenants, goes_on)
            imported = time.perf_counter() - began
        finally:
            children.stop([process])
    batches = count / settings.work_batch
    return {
        "ratios": {
            "live_during_bulk_over_idle_p50": round(statistics.median(busy) / statistics.median(idle), 3),
            "live_during_bulk_over_idle_p95": round(percentile(busy, 0.95) / percentile(idle, 0.95), 3),
        },
        "idle_seconds_p50": round(statistics.median(idle), 4),
        "idle_seconds_p95": round(percentile(idle, 0.95), 4),
        "during_bulk_seconds_p50": round(statistics.median(busy), 4),
        "during_bulk_seconds_p95": round(percentile(busy, 0.95), 4),
        "during_bulk_seconds_longest": round(max(busy), 4),
        "batch_seconds": round(imported * workers / batches, 4),
        "idle_messages": len(idle),
        "live_messages": len(busy),
        "bulk_messages": count,
        "bulk_write_seconds": round(written, 3),
        "bulk_seconds": round(imported, 3),
        "tenants": TENANTS,
        "workers": workers,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=2000, help="messages of the import")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        result = measure(asked.messages, asked.workers, Path(folder))
    if asked.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
