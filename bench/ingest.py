"""How long a conversation takes from the file to the last observation, beside the time that embedding it takes alone.

    python bench/ingest.py --data locomo.json --conversation 0 --json

The messages are written as `reverie ingest` writes them; two worker processes embed and ingest them meanwhile, their
models loaded before the clock starts. The ratios are the wall time from the first write until every message is
embedded and ingested, over the wall time of one process that only embeds, measured before and after in the same run
(mean). `ingest_over_embedding`: it embeds the turns as they are stored, each with the end of the turn before it.
`ingest_over_bare_embedding`: it embeds the turns' own words, which are about half of that.
"""

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from reverie import Memory
from reverie.cli import children
from reverie.cli.formats import Turn, read
from reverie.cli.ingest import left_of
from reverie.config.settings import load
from reverie.models.embedders import Embedder
from reverie.pipelines.context import wake_nobody
from reverie.pipelines.rows import DRAFTERS
from reverie.store import embedded, stats
from reverie.tools.observe import ObserveParams, observe_many

BATCH = 16


def stored_texts(memory: Memory, turns: Sequence[Turn]) -> list[str]:
    """What is embedded of these turns; from a namespace in which nobody is woken to work on them."""
    ctx = replace(memory.ctx, wake=wake_nobody)
    for name, group in groupby(turns, key=lambda turn: turn.session):
        observe_many(ctx, "bench", name, [turn.message for turn in group], embed=False)
    drafts = DRAFTERS["message"](ctx.ns, [turn.message.message_id or "" for turn in turns])
    return [draft.embedded for draft in drafts]


def embedding_seconds(embedder: Embedder, texts: Sequence[str]) -> float:
    began = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        embedder.documents(texts[start : start + BATCH])
    return time.perf_counter() - began


def write(memory: Memory, turns: Sequence[Turn]) -> list[str]:
    ids = []
    for name, group in groupby(turns, key=lambda turn: turn.session):
        messages = [turn.message for turn in group]
        for start in range(0, len(messages), BATCH):
            receipts = memory.agent("bench").session(name).observe_many(messages[start : start + BATCH], embed=False)
            ids += [receipt.message_id for receipt in receipts]
    return ids


def wait(memory: Memory, ids: Sequence[str], seconds: float = 900.0) -> None:
    deadline = time.monotonic() + seconds
    while left_of(memory, ids):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not ingested within {seconds:g} s")
        time.sleep(0.02)


def measure(turns: Sequence[Turn], workers: int, folder: Path) -> dict[str, object]:
    settings = load(data_dir=folder)
    with embedded.acquire(folder) as lease:
        url = lease.endpoint.url()
        with Memory("texts", settings=settings, redis_url=url) as texts:
            stored = stored_texts(texts, turns)
        bare = [f"{turn.message.sender}: {turn.message.content}" for turn in turns]
        with Memory("bench", settings=settings, redis_url=url) as memory:
            embedder = memory.ctx.embedder
            embedder.query("loads the model")
            before = [embedding_seconds(embedder, stored), embedding_seconds(embedder, bare)]
            arguments = ["worker", f"--concurrency={workers}"]
            process = children.start(arguments, settings, url, subprocess.DEVNULL)
            try:
                warm_up(memory, workers)
                began = time.perf_counter()
                ids = write(memory, turns)
                written = time.perf_counter() - began
                wait(memory, ids)
                ingested = time.perf_counter() - began
            finally:
                children.stop([process])
            after = [embedding_seconds(embedder, stored), embedding_seconds(embedder, bare)]
            nodes = [("message", id) for id in ids]
            found = stats.count_linked(memory.ctx.ns, "OBSERVED_IN", "observation", nodes)
    alone, alone_bare = ((one + other) / 2 for one, other in zip(before, after, strict=True))
    return {
        "ratios": {
            "ingest_over_embedding": round(ingested / alone, 3),
            "ingest_over_bare_embedding": round(ingested / alone_bare, 3),
        },
        "turns": len(turns),
        "workers": workers,
        "observations": found,
        "embedding_seconds": round(alone, 3),
        "bare_embedding_seconds": round(alone_bare, 3),
        "embedding_seconds_each": [round(before[0], 3), round(after[0], 3)],
        "write_seconds": round(written, 3),
        "ingest_seconds": round(ingested, 3),
        "ms_per_turn": round(1000 * ingested / len(turns), 2),
    }


def warm_up(memory: Memory, workers: int) -> None:
    """Wait until every worker process has its models: they are loaded when a process starts its first task."""
    messages = [ObserveParams(sender="Ana", content=f"I live in Lyon, number {n}.") for n in range(workers * 40)]
    receipts = memory.agent("bench").session("warm-up").observe_many(messages, embed=False)
    wait(memory, [receipt.message_id for receipt in receipts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's file of conversations")
    parser.add_argument("--conversation", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    turns = read(asked.data, "locomo", asked.conversation)
    with tempfile.TemporaryDirectory() as folder:
        result = measure(turns, asked.workers, Path(folder))
    if asked.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
