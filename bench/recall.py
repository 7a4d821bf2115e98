"""How long a recall takes beside what no recall can do without: two searches and reading twenty rows.

    python bench/recall.py --data FILE [--conversation 0] [--data-dir DIR] --json

Asks every question of a conversation that `bench/locomo.py` observed before, warm, in turn with what it is compared to;
medians are compared. `recall_over_bare`: with the embedding of the question on both sides. `recall_own_over_bare`: the
question's vector known on both sides. `recall_after_over_before`: what the workers made of the conversation beside the
same messages in a namespace that no worker saw. `limit_100_over_20`: a hundred items asked for beside twenty.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from locomo import SAID_EVERY, content, sessions

from reverie import Memory
from reverie.config.settings import load
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder
from reverie.pipelines.recall.question import read
from reverie.store import embedded, stats
from reverie.store.search import Filter, Search, find

LIMIT = 20
FIELDS = ("k", "id", "text", "at", "s", "p", "src")


class Known:
    """The local embedder, which remembers the vectors of queries."""

    def __init__(self) -> None:
        self._local = LocalEmbedder()
        self.name, self.dimension = self._local.name, self._local.dimension
        self._queries: dict[str, Vector] = {}

    def documents(self, texts: Sequence[str]) -> Vectors:
        return self._local.documents(texts)

    def query(self, text: str) -> Vector:
        if text not in self._queries:
            self._queries[text] = self._local.query(text)
        return self._queries[text]

    def embed(self, text: str) -> Vector:
        """Embed a query anew."""
        return self._local.query(text)

    def count(self, text: str) -> int:
        return self._local.count(text)


def observe(memory: Memory, conversation: dict[str, Any]) -> None:
    """Store the conversation without any worker; what an earlier run stored is not stored again."""
    if set(stats.rows_by_kind(memory.ctx.ns)) - {"message"}:
        memory.forget(namespace=memory.namespace)
    agent = memory.agent("assistant")
    for name, start, turns in sessions(conversation):
        agent.session(name).observe_many(
            [
                {
                    "message_id": turn["dia_id"],
                    "sender": turn["speaker"],
                    "content": content(turn),
                    "at": start + number * SAID_EVERY,
                }
                for number, turn in enumerate(turns)
            ]
        )


def bare(memory: Memory, words: tuple[str, ...], vector: Vector) -> None:
    """The two searches for messages, and twenty rows read as they are."""
    ns = memory.ctx.ns
    where = Filter("assistant", kinds=("message",))
    [near] = find(ns, [Search(where, LIMIT, vector=vector)])
    [worded] = find(ns, [Search(where, LIMIT, keywords=words)])
    pipe = ns.client.pipeline(transaction=False)
    for key in list(dict.fromkeys([*near.keys, *worded.keys]))[:LIMIT]:
        pipe.hmget(key, FIELDS)
    pipe.execute()


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def measure(sample: dict[str, Any], data_dir: Path) -> dict[str, object]:
    at = max(start + len(turns) * SAID_EVERY for _, start, turns in sessions(sample["conversation"]))
    questions = [question["question"] for question in sample["qa"]]
    name = f"locomo-{sample['sample_id']}"
    known = Known()
    spent: dict[str, list[float]] = {}
    with embedded.acquire(data_dir) as lease:
        settings = load(redis_url=lease.endpoint.url(), data_dir=data_dir)
        with (
            Memory(name, settings=settings) as whole,
            Memory(name, settings=settings, embedder=known) as after,
            Memory(f"{name}-before", settings=settings, embedder=known) as before,
        ):
            observe(before, sample["conversation"])
            for number, question in enumerate([*questions[:20], *questions]):
                words = read(question, at).keywords
                vector = known.query(question)
                one = {
                    "bare": timed(lambda: bare(after, words, known.embed(question))),  # noqa: B023  # called at once
                    "recall": timed(lambda: whole.agent("assistant").recall(question, LIMIT, at=at)),  # noqa: B023
                    "bare own": timed(lambda: bare(after, words, vector)),  # noqa: B023
                    "own": timed(lambda: after.agent("assistant").recall(question, LIMIT, at=at)),  # noqa: B023
                    "before": timed(lambda: before.agent("assistant").recall(question, LIMIT, at=at)),  # noqa: B023
                    "of 100": timed(lambda: after.agent("assistant").recall(question, 100, at=at)),  # noqa: B023
                }
                if number >= 20:  # the first twenty warm up
                    for name, seconds in one.items():
                        spent.setdefault(name, []).append(1000 * seconds)
    median = {name: statistics.median(values) for name, values in spent.items()}
    p95 = statistics.quantiles(spent["recall"], n=20)[-1]
    return {
        "ratios": {
            "recall_over_bare": round(median["recall"] / median["bare"], 3),
            "recall_own_over_bare": round(median["own"] / median["bare own"], 3),
            "recall_after_over_before": round(median["own"] / median["before"], 3),
            "limit_100_over_20": round(median["of 100"] / median["own"], 3),
            "p95_over_p50": round(p95 / median["recall"], 3),
        },
        "questions": len(questions),
        "recall_ms_p50": round(median["recall"], 2),
        "recall_ms_p95": round(p95, 2),
        "bare_ms_p50": round(median["bare"], 2),
        "own_ms_p50": round(median["own"], 2),
        "bare_own_ms_p50": round(median["bare own"], 2),
        "before_workers_ms_p50": round(median["before"], 2),
        "limit_100_ms_p50": round(median["of 100"], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--conversation", type=int, default=0)
    parser.add_argument("--data-dir", type=Path, default=Path(".bench-locomo"))
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    given = parser.parse_args()
    sample = json.loads(given.data.read_text(encoding="utf-8"))[given.conversation]
    result = measure(sample, given.data_dir)
    print(json.dumps(result) if given.json else json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
