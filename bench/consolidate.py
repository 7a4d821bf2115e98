"""Whether the cost of consolidation follows what is new and not what is stored.

    python bench/consolidate.py --json

Two namespaces on one server hold 1,000 and 100,000 facts, spread alike over 200 subjects and 20 predicates, so that
the more there are, the more stand beside each new one; one subject and predicate in ten thousand is crowded with a
twentieth of all. By turns each namespace is given 20 new observations (repeated, new and changed values, a denial, one
of the crowded pair) and consolidates them.

`growth`: median time of a cycle in the large namespace over that in the small one. `growth_without_embedding`: the
same with an embedder that costs nothing, where what is read and written shows alone.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.knowledge.identity import object_term, predicate_term, subject_term
from reverie.knowledge.versions import rewritten
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder
from reverie.pipelines.consolidate import consolidate, queue
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Interval, fact_id, slot_of
from reverie.pipelines.facts.storing import store
from reverie.store import embedded
from reverie.store import facts as stored
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord

SUBJECTS = [f"Person {number}" for number in range(200)]
PREDICATES = ["like", "play", "own", "visit", "know", "avoid", "read", "write about", "collect", "teach", "study",
              "repair", "paint", "support", "travel to", "belong to", "be allergic to", "be interested in", "sell",
              "live in"]  # fmt: skip
CROWDED = ("Person 0", "like")
START = datetime(2025, 1, 1, tzinfo=UTC)
AGENT = "bench"


class Scattered:
    """Vectors that cost nothing: the same for the same text, far apart for others."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name, self.dimension = name, dimension

    def documents(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.query(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)

    def query(self, text: str) -> Vector:
        vector = np.random.default_rng(abs(hash(text))).normal(size=self.dimension)
        unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


def triple(number: int, count: int) -> tuple[str, str, str]:
    if number < count // 20:
        return (*CROWDED, f"crowd {number}")
    return SUBJECTS[number % 200], PREDICATES[number // 200 % 20], f"thing {number}"


def fill(ctx: Context, count: int) -> None:
    """Store so many facts as consolidation leaves them, each with one support of its own."""
    for start in range(0, count, 500):
        numbers = range(start, min(start + 500, count))
        vectors = ctx.embedder.documents([" ".join(triple(number, count)) for number in numbers])
        transactions = []
        for number, vector in zip(numbers, vectors, strict=True):
            subject, predicate, object = triple(number, count)
            now = START + timedelta(seconds=number)
            record = FactRecord.new(
                ctx.ns,
                fact_id(subject, predicate, object),
                subject=subject,
                predicate=predicate,
                object=object,
                content=f"{subject} {predicate} {object}",
                slot=slot_of(subject, predicate),
                origin="user",
                support=1,
                versions=rewritten([], [Interval(now)], now),
                recorded_at=now,
            )
            transaction = ctx.ns.transaction()
            store(transaction, None, stored.Found(record, vector), now)
            terms = [("subject", subject_term(subject)), ("predicate", predicate_term(predicate))]
            for term in (*terms, ("object", object_term(object)), ("slot", record.slot), stored.EVERY):
                transaction.link(stored.OF, ("fact", record.id), term, now)
            transactions.append(transaction)
        ctx.ns.commit(transactions)


def tell(ctx: Context, count: int, turn: int) -> None:
    """Twenty new observations: ten repeated, five new values, a denial, three moves, one of the crowded pair."""
    rng = random.Random(turn)
    told = [(*triple(rng.randrange(count // 20, count), count), False) for _ in range(11)]
    told[10] = (*told[10][:3], True)
    told += [(rng.choice(SUBJECTS), rng.choice(PREDICATES[:-1]), f"new thing {turn} {n}", False) for n in range(5)]
    told += [(rng.choice(SUBJECTS), "live in", f"Town {turn} {n}", False) for n in range(3)]
    told.append((*CROWDED, f"latest {turn}", False))
    now = START + timedelta(days=300 + turn)
    transactions = []
    for place, (subject, predicate, object, negated) in enumerate(told):
        record = ObservationRecord.new(
            ctx.ns,
            f"{turn}-{place}",
            message=f"m-{turn}-{place}",
            session="bench",
            agent=AGENT,
            content=f"{subject} {'does not ' if negated else ''}{predicate} {object}.",
            subject=subject,
            predicate=predicate,
            object=object,
            negated=negated,
            observed_at=now,
            said_by=subject,
            recorded_at=now,
        )
        transaction = ctx.ns.transaction()
        transaction.put(record)
        queue(ctx, transaction, record)
        transactions.append(transaction)
    ctx.ns.commit(transactions)


def timed(ctx: Context) -> float:
    began = time.perf_counter()
    (cycle,) = consolidate(ctx, AGENT)
    took = time.perf_counter() - began
    assert cycle.observations == 20, cycle
    return took


def measure(folder: Path, sizes: tuple[int, int], rounds: int) -> dict[str, object]:
    settings: Settings = load(data_dir=folder)
    local = LocalEmbedder()
    scattered = Scattered(local.name, local.dimension)
    times: dict[tuple[str, int], list[float]] = {}
    with embedded.acquire(folder) as lease:
        url = lease.endpoint.url()
        with (
            Memory("small", settings=settings, redis_url=url, embedder=scattered) as memory,
            Memory("small", settings=settings, redis_url=url, embedder=local) as embedding,
        ):
            namespaces = {size: f"facts-{size}" for size in sizes}
            began = time.perf_counter()
            for size, name in namespaces.items():
                fill(memory.connection.context(name), size)
            filling = time.perf_counter() - began
            for turn in range(2 * (rounds + 1)):
                kind, by = ("embedding", embedding) if turn % 2 else ("without", memory)
                for size, name in namespaces.items():
                    ctx = by.connection.context(name)
                    tell(ctx, size, turn)
                    took = timed(ctx)
                    if turn > 1:  # the first round of each warms up
                        times.setdefault((kind, size), []).append(took)
    median = {key: statistics.median(values) for key, values in times.items()}
    small, large = sizes
    return {
        "ratios": {
            "growth": round(median["embedding", large] / median["embedding", small], 3),
            "growth_without_embedding": round(median["without", large] / median["without", small], 3),
        },
        "facts": list(sizes),
        "observations": 20,
        "rounds": rounds,
        "fill_seconds": round(filling, 1),
        "cycle_ms": [round(1000 * median["embedding", size], 1) for size in sizes],
        "cycle_without_embedding_ms": [round(1000 * median["without", size], 1) for size in sizes],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=1_000, help="facts in the small namespace")
    parser.add_argument("--large", type=int, default=100_000, help="facts in the large one")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        result = measure(Path(folder), (asked.small, asked.large), asked.rounds)
    if asked.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
