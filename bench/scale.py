"""How recall and memory grow with what is stored, and whether a small namespace suffers from a large one beside it.

    python bench/scale.py [--rows 10000,300000] --json

Messages are made by rule (words by Zipf's law, vectors scattered around the embeddings of some sentences) and written
as any message is, record, edges and queue included. `ratios.growth` compares the median recall at the last size with
that at the first; `bytes_per_row` is what Redis grew by, per message, while the last ones were written.
`small_found` is the share of the exact nearest neighbours that a namespace of 50 rows finds beside all of them, and
`ratios.small_over_alone` its median recall beside what it was alone.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder
from reverie.store import embedded
from reverie.store.hits import read, similarities
from reverie.store.search import Filter, Search, find

START = datetime(2026, 1, 1, tzinfo=UTC)
TOPICS = 64
SMALL = 50
BATCH = 200
QUESTIONS = 60


class RuleEmbedder:
    """Documents get a vector near their topic's, made by rule; questions the local model's own."""

    dimension = 384
    name = LocalEmbedder.name

    def __init__(self) -> None:
        self._local = LocalEmbedder()
        self._random = np.random.default_rng(7)
        self._topics = self._local.documents([sentence(self._random, 8) for _ in range(TOPICS)])

    def documents(self, texts: Sequence[str]) -> Vectors:
        near = self._topics[[len(text) % TOPICS for text in texts]]
        vectors = near + self._random.normal(0, 0.02, near.shape)
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def query(self, text: str) -> Vector:
        return self._local.query(text)

    def count(self, text: str) -> int:
        return self._local.count(text)


SYLLABLES = [f"{consonant}{vowel}" for consonant in "bdfgklmnprst" for vowel in "aeiou"]


def word(number: int) -> str:
    """A pronounceable word for a number, so that the tokenizer meets what it meets in life."""
    out = ""
    while True:
        number, rest = divmod(number, len(SYLLABLES))
        out += SYLLABLES[rest]
        if not number:
            return out


def sentence(random: np.random.Generator, words: int) -> str:
    return " ".join(word(int(rank) % 50_000) for rank in random.zipf(1.3, words))


def fill(memory: Memory, count: int, done: int) -> None:
    random = np.random.default_rng(done)
    agent = memory.agent("assistant")
    for start in range(done, done + count, BATCH):
        agent.session(f"s-{start // BATCH}").observe_many(
            [
                {
                    "sender": f"person-{place % 7}",
                    "content": sentence(random, int(random.integers(8, 30))),
                    "message_id": f"m-{place}",
                    "at": START + timedelta(seconds=30 * place),
                }
                for place in range(start, min(start + BATCH, done + count))
            ]
        )


def median_recall(memory: Memory, seed: int = 3) -> tuple[float, float]:
    """Median and 95th percentile of a recall's seconds."""
    random = np.random.default_rng(seed)
    agent, spent = memory.agent("assistant"), []
    for _ in range(QUESTIONS):
        question = f"What did person-{random.integers(7)} say of {sentence(random, 5)}?"
        began = time.perf_counter()
        agent.recall(question, at=START + timedelta(days=400))
        spent.append(time.perf_counter() - began)
    return statistics.median(spent), statistics.quantiles(spent, n=20)[-1]


def small_found(memory: Memory) -> float:
    """Share of the exact nearest ten that filtered searches of the small namespace give."""
    ns, shares = memory.ctx.ns, []
    everything = Filter("assistant")
    rows = read(ns, find(ns, [Search(everything, 2 * SMALL)])[0].keys)
    for text in ("ba ce di", "what about lomu?", "fogu says naperi"):
        vector = memory.ctx.embedder.query(text)
        exact = [rows[place].key for place in np.argsort(-similarities(rows, vector))[:10]]
        found = find(ns, [Search(everything, 10, vector=vector)])[0].keys
        shares.append(len(set(exact) & set(found)) / 10)
    return statistics.mean(shares)


def measure(sizes: list[int], settings: Settings) -> dict[str, object]:
    embedder = RuleEmbedder()
    with Memory("scale-small", settings=settings, embedder=embedder) as small:
        fill(small, SMALL, 0)
        median_recall(small)
        alone = median_recall(small)[0]
        with Memory("scale-large", settings=settings, embedder=embedder) as large:
            client = large.ctx.ns.client
            points, done = [], 0
            first = client.info("memory")["used_memory"]
            for size in sizes:
                began = time.perf_counter()
                fill(large, size - done, done)
                wrote, done = time.perf_counter() - began, size
                grown = (client.info("memory")["used_memory"] - first) / size
                median_recall(large)
                middle, high = median_recall(large)
                points.append(
                    {
                        "rows": size,
                        "recall_ms_p50": round(1000 * middle, 2),
                        "recall_ms_p95": round(1000 * high, 2),
                        "bytes_per_row": round(grown),
                        "written_in_s": round(wrote, 1),
                    }
                )
            beside = median_recall(small)[0]
            found = small_found(small)
    return {
        "ratios": {
            "growth": round(points[-1]["recall_ms_p50"] / points[0]["recall_ms_p50"], 3),
            "small_over_alone": round(beside / alone, 3),
        },
        "bytes_per_row": points[-1]["bytes_per_row"],
        "small_found": found,
        "points": points,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", default="10000,300000")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    sizes = [int(size) for size in given.rows.split(",")]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, embedded.acquire(Path(folder)) as lease:
        settings = load(redis_url=lease.endpoint.url(), data_dir=Path(folder))
        result = measure(sizes, settings)
    print(json.dumps(result) if given.json else json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
