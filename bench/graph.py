"""What the knowledge graph's search and card cost beside the bare Redis reads they rest on, in the same run.

    python bench/graph.py --json

`search_over_bare`: median of `search_nodes` over that of embedding the same query and one FT.SEARCH of the ten nearest
rows of the graph. `search_over_bare_without_embedding`: the same with the query's vector at hand on both sides.
`card_over_bare`: median of `profile_card` over that of the reads it cannot do without, replies left as they are: the
newest entities, their documents and newest observations' ids, these documents.

The entities' vectors are mixed from those of a few hundred sentences, because embedding all of them would take an hour.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from reverie import Memory
from reverie.config.settings import load
from reverie.graph import Graph
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.store import embedded
from reverie.store.keys import INDEX_ALIAS
from reverie.store.rows import graph_tag, vector_bytes

VERBS = ["likes", "avoids", "studies", "collects", "repairs", "sells", "paints", "teaches", "plays", "writes about"]
THINGS = ["violins", "old maps", "sourdough bread", "chess", "motorbikes", "sea birds", "tax law", "comics", "orchids",
          "the piano", "green tea", "marathons", "board games", "poetry", "steam trains", "photography"]  # fmt: skip
PLACES = ["Lyon", "Berlin", "a small village", "the harbour", "her garden", "the office", "school", "Porto", "winter"]
QUERIES = ["who repairs old motorbikes?", "allergies", "green tea in Lyon",
           "what does entity 4711 collect?", "somebody who teaches the piano", "training for a marathon", "tax law",
           "bird watching at the harbour"]  # fmt: skip


class MixedEmbedder:
    """Real vectors for queries and for 300 sentences; any other document gets a mixture of two of these."""

    def __init__(self, seed: int) -> None:
        self._local = LocalEmbedder()
        self.name, self.dimension = self._local.name, self._local.dimension
        rng = random.Random(seed)
        self._base = self._local.documents([sentence(rng) for _ in range(300)])

    def documents(self, texts: Sequence[str]) -> Vectors:
        rng = np.random.default_rng(abs(hash(tuple(texts))))
        pairs = rng.integers(0, len(self._base), (len(texts), 2))
        mixed = self._base[pairs[:, 0]] * 0.7 + self._base[pairs[:, 1]] * 0.3
        mixed += rng.normal(0, 0.01, mixed.shape)
        unit: Vectors = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def query(self, text: str) -> Vector:
        return self._local.query(text)

    def count(self, text: str) -> int:
        return self._local.count(text)


def sentence(rng: random.Random) -> str:
    return f"{rng.choice(VERBS)} {rng.choice(THINGS)} in {rng.choice(PLACES)}"


def fill(graph: Graph, entities: int, observations: int, rng: random.Random) -> None:
    for start in range(0, entities, 100):
        batch = [
            {
                "name": f"entity {number}",
                "entity_type": rng.choice(["person", "place", "company", "topic"]),
                "observations": [f"{sentence(rng)}, note {rng.randrange(10**6)}" for _ in range(observations)],
            }
            for number in range(start, min(start + 100, entities))
        ]
        graph.create_entities(batch)
        graph.create_relations(
            [
                {"source": one["name"], "relation_type": "knows", "target": f"entity {rng.randrange(entities)}"}
                for one in batch[::10]
            ]
        )


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def bare_search(memory: Memory, graph: Graph, vector: Vector) -> object:
    owner = graph_tag(KnowledgeGraph(memory.ctx, graph.app, graph.user).at.id)
    where = f"@n:{{{memory.ctx.ns.keys.tag}}} @o:{{{owner}}}"
    query = f"({where})=>[KNN 10 @v $v AS d]"
    return memory.ctx.ns.client.execute_command(
        "FT.SEARCH", INDEX_ALIAS, query, "SORTBY", "d", "ASC", "LIMIT", 0, 10, "RETURN", 3, "d", "id", "text",
        "PARAMS", 2, "v", vector_bytes(vector), "DIALECT", 2,
    )  # fmt: skip


def bare_card(memory: Memory, graph: Graph) -> object:
    at, client, keys = KnowledgeGraph(memory.ctx, graph.app, graph.user).at, memory.ctx.ns.client, memory.ctx.ns.keys
    ids = [id.decode() for id in client.zrevrange(at.entities, 0, 11)]
    pipe = client.pipeline(transaction=False)
    pipe.execute_command("JSON.MGET", *(keys.record("graph_entity", id) for id in ids), "$")
    for id in ids:
        pipe.zrevrange(at.observations(id, open_only=True), 0, 4)
    _, *found = pipe.execute()
    wanted = [keys.record("graph_observation", id.decode()) for group in found for id in group]
    return client.execute_command("JSON.MGET", *wanted, "$")


class Fixed:
    """An embedder whose query vectors are at hand."""

    def __init__(self, inner: MixedEmbedder) -> None:
        self.name, self.dimension = inner.name, inner.dimension
        self.documents = inner.documents
        self.vectors = {query: inner.query(query) for query in QUERIES}

    def query(self, text: str) -> Vector:
        return self.vectors[text]


def measure(folder: Path, entities: int, observations: int, rounds: int, seed: int) -> dict[str, object]:
    settings = load(data_dir=folder)
    embedder = MixedEmbedder(seed)
    with (
        embedded.acquire(folder) as lease,
        Memory("bench", settings=settings, redis_url=lease.endpoint.url(), embedder=embedder) as memory,
    ):
        graph = memory.graph(app="bench", user="bench")
        filling = timed(lambda: fill(graph, entities, observations, random.Random(seed)))
        fixed = Fixed(embedder)
        times: dict[str, list[float]] = {name: [] for name in ("search", "bare", "found", "knn", "card", "reads")}
        with Memory("bench", settings=settings, redis_url=lease.endpoint.url(), embedder=fixed) as at_hand:
            quick = at_hand.graph(app="bench", user="bench")
            for turn in range(rounds + 1):
                for query in QUERIES:
                    one = {
                        "bare": timed(lambda: bare_search(memory, graph, embedder.query(query))),  # noqa: B023  # called at once
                        "search": timed(lambda: graph.search_nodes(query)),  # noqa: B023  # called at once
                        "knn": timed(lambda: bare_search(memory, graph, fixed.query(query))),  # noqa: B023  # called at once
                        "found": timed(lambda: quick.search_nodes(query)),  # noqa: B023  # called at once
                        "reads": timed(lambda: bare_card(memory, graph)),
                        "card": timed(graph.profile_card),
                    }
                    if turn:  # the first round warms up
                        for name, seconds in one.items():
                            times[name].append(seconds)
    median = {name: statistics.median(values) for name, values in times.items()}
    return {
        "ratios": {
            "search_over_bare": round(median["search"] / median["bare"], 3),
            "search_over_bare_without_embedding": round(median["found"] / median["knn"], 3),
            "card_over_bare": round(median["card"] / median["reads"], 3),
        },
        "entities": entities,
        "observations": entities * observations,
        "fill_seconds": round(filling, 1),
        "search_ms": round(1000 * median["search"], 2),
        "bare_search_ms": round(1000 * median["bare"], 2),
        "search_without_embedding_ms": round(1000 * median["found"], 2),
        "bare_search_without_embedding_ms": round(1000 * median["knn"], 2),
        "card_ms": round(1000 * median["card"], 2),
        "bare_card_ms": round(1000 * median["reads"], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--observations", type=int, default=5, help="of each entity")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        result = measure(Path(folder), asked.entities, asked.observations, asked.rounds, asked.seed)
    if asked.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
