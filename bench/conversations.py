"""Recall on conversations of any kind, through the public API alone: observe, workers, recall.

    python bench/conversations.py --data FILE --out RUN.jsonl [--without-vectors] [--json]

FILE holds `[{"id", "turns": [{"id", "session", "speaker", "role", "at", "text"}], "questions": [{"question", "at",
"until"?, "evidence", "type"?}]}]`; with `until` only what was said before may be found. Writes one line a question:
`id`, `index`, `latency_ms` and `items`, each with `content` and `sources`, best first. A conversation that was observed
before is not observed again (`--data-dir`), and no text is embedded twice (`--vectors`).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

import kept_vectors

from reverie import Memory
from reverie.config.errors import ModelFailed
from reverie.config.settings import load
from reverie.models.embedders.local import LocalEmbedder
from reverie.store import embedded

CACHE = Path.home() / ".cache" / "reverie-bench"


class NoVectors(LocalEmbedder):
    """An embedder that fails at every question: recall goes by words alone."""

    def query(self, text: str) -> Any:  # noqa: ARG002  # the contract of an embedder
        raise ModelFailed("vectors are left out of this run")


def observe(memory: Memory, turns: list[dict[str, Any]]) -> float:
    """Observe every turn and wait until the workers are done; the seconds it took."""
    began, receipts = time.perf_counter(), []
    agent = memory.agent("assistant")
    by_session: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for turn in turns:
        message = {"message_id": turn["id"], "sender": turn["speaker"], "role": turn["role"], "content": turn["text"]}
        by_session[turn["session"]].append(message | {"at": datetime.fromisoformat(turn["at"])})
    for number, (session, messages) in enumerate(by_session.items(), 1):
        receipts += agent.session(session).observe_many(messages)
        print(f"observed session {number} of {len(by_session)}", end="\r", file=sys.stderr)
    for receipt in receipts:
        memory.wait(receipt, 3600)
    return time.perf_counter() - began


def ask(memory: Memory, conversation: dict[str, Any], limit: int) -> list[dict[str, Any]]:
    agent = memory.agent("assistant")
    rows = []
    for index, question in enumerate(conversation["questions"]):
        until = datetime.fromisoformat(question["until"]) if question.get("until") else None
        at = datetime.fromisoformat(question["at"])
        began = time.perf_counter()
        bundle = agent.recall(question["question"], limit=limit, at=at, until=until)
        elapsed = 1000 * (time.perf_counter() - began)
        items = [{"content": item.content, "sources": list(item.sources)} for item in bundle.items]
        rows.append({"id": conversation["id"], "index": index, "latency_ms": round(elapsed, 1), "items": items})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--without-vectors", action="store_true", help="ask by words alone")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--data-dir", type=Path, default=CACHE / "conversations", help="folder of the embedded server")
    parser.add_argument("--vectors", type=Path, default=CACHE / "vectors.sqlite", help="file that keeps the vectors")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    conversations = json.loads(given.data.read_text(encoding="utf-8"))
    kept_vectors.install(given.vectors)
    embedder = NoVectors() if given.without_vectors else LocalEmbedder()
    latencies: list[float] = []
    ingest, turns = 0.0, 0
    given.data_dir.mkdir(parents=True, exist_ok=True)
    with embedded.acquire(given.data_dir) as lease, given.out.open("w", encoding="utf-8") as out:
        settings = load(redis_url=lease.endpoint.url(), data_dir=given.data_dir)
        names = {"REVERIE_REDIS_URL": lease.endpoint.url(), "REVERIE_DATA_DIR": str(given.data_dir)}
        names |= {kept_vectors.VARIABLE: str(given.vectors), "PYTHONPATH": str(Path(__file__).parent)}
        command = [sys.executable, "-m", "celery", "-A", "kept_vectors", "worker", "-c", "1", "-l", "WARNING"]
        with subprocess.Popen(command, env=os.environ | names) as worker:
            try:
                for conversation in conversations:
                    with Memory(f"talk-{conversation['id']}", settings=settings, embedder=embedder) as memory:
                        ingest += observe(memory, conversation["turns"])
                        turns += len(conversation["turns"])
                        for row in ask(memory, conversation, given.limit):
                            latencies.append(row["latency_ms"])
                            out.write(json.dumps(row, ensure_ascii=False) + "\n")
                    print(f"{conversation['id']}: {len(conversation['turns'])} turns", file=sys.stderr)
            finally:
                worker.terminate()
                worker.wait(30)
    figures = {"turns": turns, "ingest_s": round(ingest, 1), "recall_ms_p50": round(statistics.median(latencies), 1)}
    print(json.dumps({"ratios": {}, **figures}) if given.json else figures)


if __name__ == "__main__":
    main()
