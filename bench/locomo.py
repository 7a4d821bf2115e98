"""Recall on LoCoMo's conversations, through the public API alone: observe, workers, recall.

    python bench/locomo.py --data FILE --out RUN.jsonl [--conversations 0,1] [--without CHANNEL] [--limit 100]

Writes one line a question (`sample_id`, `index`, `latency_ms`, `items`) and one a conversation (`turns`, `ingest_s`).
The data set is not part of this project. A conversation that was observed before is not embedded again.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie import Memory
from reverie.config.settings import load
from reverie.store import embedded

SAID_EVERY = timedelta(seconds=30)
CHANNELS = ("vector", "text", "time", "graph")


def sessions(conversation: dict[str, Any]) -> list[tuple[str, datetime, list[dict[str, Any]]]]:
    """Name, start and turns of each session, in order."""
    numbers = sorted(int(match.group(1)) for key in conversation if (match := re.fullmatch(r"session_(\d+)", key)))
    found = []
    for number in numbers:
        told = conversation[f"session_{number}_date_time"] + " +0000"
        start = datetime.strptime(told, "%I:%M %p on %d %B, %Y %z")
        found.append((f"D{number}", start, conversation[f"session_{number}"]))
    return found


def content(turn: dict[str, Any]) -> str:
    return turn["text"] + (f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else "")


def observe(memory: Memory, conversation: dict[str, Any]) -> tuple[int, float, datetime]:
    """Observe every turn and wait until the workers are done; turns, seconds, and when the last one was said."""
    began, receipts, last = time.perf_counter(), [], datetime(1970, 1, 1, tzinfo=UTC)
    agent = memory.agent("assistant")
    for name, start, turns in sessions(conversation):
        messages = [
            {
                "message_id": turn["dia_id"],
                "sender": turn["speaker"],
                "content": content(turn),
                "at": start + place * SAID_EVERY,
            }
            for place, turn in enumerate(turns)
        ]
        last = max(last, *(message["at"] for message in messages))
        receipts += agent.session(name).observe_many(messages)
    for receipt in receipts:
        memory.wait(receipt, 1800)
    return len(receipts), time.perf_counter() - began, last


def ask(memory: Memory, sample: dict[str, Any], at: datetime, limit: int, without: str | None) -> list[dict[str, Any]]:
    agent = memory.agent("assistant")
    channels = tuple(channel for channel in CHANNELS if channel != without)
    rows = []
    agent.recall("warm up", limit=limit, at=at)
    for index, question in enumerate(sample["qa"]):
        began = time.perf_counter()
        bundle = agent.recall(question["question"], limit=limit, at=at, channels=channels)
        elapsed = 1000 * (time.perf_counter() - began)
        items = [{"content": item.content, "sources": list(item.sources)} for item in bundle.items]
        rows.append({"sample_id": sample["sample_id"], "index": index, "latency_ms": elapsed, "items": items})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--conversations", help="places in the file, such as 0,1; all when not given")
    parser.add_argument("--without", choices=CHANNELS, help="leave one channel out")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--data-dir", type=Path, default=Path(".bench-locomo"), help="folder of the embedded server")
    given = parser.parse_args()
    samples = json.loads(given.data.read_text(encoding="utf-8"))
    if given.conversations:
        samples = [samples[int(place)] for place in given.conversations.split(",")]
    with embedded.acquire(given.data_dir) as lease, given.out.open("w", encoding="utf-8") as out:
        settings = load(redis_url=lease.endpoint.url(), data_dir=given.data_dir)
        environment = os.environ | {"REVERIE_REDIS_URL": lease.endpoint.url(), "REVERIE_DATA_DIR": str(given.data_dir)}
        command = [sys.executable, "-m", "celery", "-A", "reverie.workers.app", "worker", "-c", "1", "-l", "WARNING"]
        with subprocess.Popen(command, env=environment) as worker:
            try:
                for sample in samples:
                    with Memory(f"locomo-{sample['sample_id']}", settings=settings) as memory:
                        turns, seconds, last = observe(memory, sample["conversation"])
                        out.write(
                            json.dumps({"sample_id": sample["sample_id"], "turns": turns, "ingest_s": seconds}) + "\n"
                        )
                        for row in ask(memory, sample, last, given.limit, given.without):
                            out.write(json.dumps(row) + "\n")
                    print(f"{sample['sample_id']}: {turns} turns in {seconds:.0f} s", file=sys.stderr)
            finally:
                worker.terminate()
                worker.wait(30)


if __name__ == "__main__":
    main()
