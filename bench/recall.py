"""How long a recall takes beside what no recall can do without: one query embedding and two bare searches.

    python bench/recall.py --data FILE [--conversation 0] [--data-dir DIR] --json

Asks every question of a conversation that `bench/locomo.py` observed before, warm, each question once bare and once
whole, in turn: `ratios.recall_over_bare` compares the medians, `ratios.p95_over_p50` is of the recalls.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

from locomo import SAID_EVERY, sessions

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines.recall.question import read
from reverie.store import embedded
from reverie.store.search import Filter, Search, search


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--conversation", type=int, default=0)
    parser.add_argument("--data-dir", type=Path, default=Path(".bench-locomo"))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    sample = json.loads(given.data.read_text(encoding="utf-8"))[given.conversation]
    at = max(start + len(turns) * SAID_EVERY for _, start, turns in sessions(sample["conversation"]))
    questions = [question["question"] for question in sample["qa"]]
    bare, embedding, whole = [], [], []
    with embedded.acquire(given.data_dir) as lease:
        settings = load(redis_url=lease.endpoint.url(), data_dir=given.data_dir)
        with Memory(f"locomo-{sample['sample_id']}", settings=settings) as memory:
            agent, ctx = memory.agent("assistant"), memory.ctx
            where = Filter("assistant", kinds=("message",))
            for question in questions[:20]:
                agent.recall(question, at=at)
            for question in questions:
                words = read(question, at).keywords
                began = time.perf_counter()
                vector = ctx.embedder.query(question)
                embedding.append(time.perf_counter() - began)
                for one in (Search(where, 15, vector=vector), Search(where, 15, keywords=words)):
                    search(ctx.ns, [one])
                bare.append(time.perf_counter() - began)
                began = time.perf_counter()
                agent.recall(question, at=at)
                whole.append(time.perf_counter() - began)
    p95 = statistics.quantiles(whole, n=20)[-1]
    result = {
        "ratios": {
            "recall_over_bare": round(statistics.median(whole) / statistics.median(bare), 3),
            "p95_over_p50": round(p95 / statistics.median(whole), 3),
        },
        "questions": len(questions),
        "recall_ms_p50": round(1000 * statistics.median(whole), 2),
        "recall_ms_p95": round(1000 * p95, 2),
        "bare_ms_p50": round(1000 * statistics.median(bare), 2),
        "embedding_ms_p50": round(1000 * statistics.median(embedding), 2),
    }
    print(json.dumps(result) if given.json else json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
