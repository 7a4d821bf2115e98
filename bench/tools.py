"""What each tool call costs beside the same bytes written as one bare redis-py MULTI, in the same run.

    python bench/tools.py --json

`<tool>_over_bare`: median of the call, embedding left out, over that of a MULTI of the very commands the call sent, to
a second namespace, right after it. `<tool>_embedded_over_bare`: median of the call with the local embedder over the sum
of embedding the same text alone and such a MULTI. `goals_active_over_bare`: `goals.active()` over 1,000 goals beside
one ZRANGE and one JSON.MGET of them. `goals_context_over_bare`: `goals.context()` over 20 tasks, 10 sessions and 1,000
messages beside the reads it needs with every key known beforehand, in one pipeline.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from reverie import Memory
from reverie.agent import Agent
from reverie.config.settings import load
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.local import LocalEmbedder
from reverie.store import embedded
from reverie.store.commands import Outcome
from reverie.store.commit import Transaction

NAMESPACE, TWIN = "benchtools", "benchtwins"
SENTENCE = "the ledger of the old billing system was copied to the new one before the audit began in the spring"
WORDS = SENTENCE.split()


class Free:
    """An embedder that costs nothing."""

    name, dimension = LocalEmbedder.name, LocalEmbedder.dimension

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        vectors = rng.normal(size=(64, self.dimension))
        self._vectors: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        self._turn = count()

    def documents(self, texts: Sequence[str]) -> Vectors:
        start = next(self._turn) % 32
        return self._vectors[start : start + len(texts)]

    def query(self, text: str) -> Vector:  # noqa: ARG002  # the protocol's
        return self._vectors[next(self._turn) % 64]

    def count(self, text: str) -> int:
        return len(text) // 4


def sentence(number: int) -> str:
    return " ".join(WORDS[(number + place * 7) % len(WORDS)] for place in range(12)) + f" {number}"


class Tape:
    """Remembers the transactions of a space, to write their commands again without Reverie, and how long embedding took
    (its hand over to the embedder's thread and back included).
    """

    def __init__(self, memory: Memory) -> None:
        self.ns = memory.ctx.ns
        self.transactions: list[Transaction] = []
        self.embedding = 0.0
        quick = memory.ctx.quick_embedder
        documents = quick.documents

        def watched(texts: Sequence[str]) -> list[Vector | None]:
            began = time.perf_counter()
            made = documents(texts)
            self.embedding += time.perf_counter() - began
            return made

        quick.documents = watched  # type: ignore[method-assign]  # only here
        commit = self.ns.commit

        def taped(transactions: Sequence[Transaction]) -> list[Outcome]:
            self.transactions = list(transactions)
            return commit(transactions)

        self.ns.commit = taped  # type: ignore[method-assign]  # only here

    def bare(self) -> Callable[[], object]:
        """A MULTI of the commands sent last, with the twin's keys."""
        commands = [command for transaction in self.transactions for command in transaction.commands()]
        twins = [[twin(word) for word in command] for command in commands]

        def write() -> object:
            pipe = self.ns.client.pipeline(transaction=True)
            for command in twins:
                pipe.execute_command(*command)
            return pipe.execute()

        return write


def twin(word: Any) -> Any:
    return word.replace(NAMESPACE, TWIN) if isinstance(word, str) else word


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def calls(agent: Agent) -> dict[str, tuple[Callable[[int], object], Callable[[int], str] | None]]:
    """Each call by its name, and the text that it embeds, if any."""
    session = agent.session("s")

    def titled(number: int) -> str:
        return f"{sentence(number)}\n{sentence(number + 1)}"

    def known(number: int) -> str:
        return f"subject {number} plays {sentence(number)}"

    return {
        "observe": (
            lambda n: session.observe(sender="ana", content=sentence(n), message_id=f"m{n}"),
            lambda n: f"ana: {sentence(n - 1)}\nana: {sentence(n)}" if n else f"ana: {sentence(n)}",
        ),
        "create_goal": (
            lambda n: agent.goals.create(goal_id=f"g{n}", title=sentence(n), description=sentence(n + 1)),
            titled,
        ),
        "complete_goal": (lambda n: agent.goals.complete(f"g{n}", {"n": n}), None),
        "create_task": (
            lambda n: agent.goals.create_task(
                task_id=f"t{n}", title=sentence(n), description=sentence(n + 1), goal_id=f"g{n}", priority=0.5
            ),
            titled,
        ),
        "complete_task": (lambda n: agent.goals.complete_task(f"t{n}"), None),
        "record_action": (
            lambda n: agent.record_action(
                action_type="shell",
                action_id=f"a{n}",
                input={"cmd": "make"},
                output={"stdout": sentence(n)},
                status="success",
                session_id="s",
                goal_id=f"g{n}",
            ),
            lambda n: "\n".join(["shell: success", '{"cmd":"make"}', json.dumps({"stdout": sentence(n)})]),
        ),
        "record_episode": (
            lambda n: agent.record_episode(
                action_type="build",
                episode_id=f"e{n}",
                outcome="success",
                state={"topic": sentence(n)},
                involved_action_ids=[f"a{n}"],
            ),
            sentence,
        ),
        "add_observation": (
            lambda n: agent.add_observation(
                message_id=f"m{n}", observation_id=f"o{n}", content=sentence(n), subject=f"subject {n}"
            ),
            sentence,
        ),
        "assert_fact": (
            lambda n: agent.assert_fact(
                subject=f"subject {n}", predicate="plays", object=sentence(n), supporting_observation_ids=[f"o{n}"]
            ),
            known,
        ),
        "reinforce_fact": (
            lambda n: agent.assert_fact(subject=f"subject {n}", predicate="plays", object=sentence(n)),
            None,
        ),
        "invalidate_fact": (
            lambda n: agent.invalidate_fact(fact_id=agent.kb_fact(n), reason="it was over"),  # type: ignore[attr-defined]  # set below
            None,
        ),
    }


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"p50_ms": round(statistics.median(ordered) * 1e3, 4), "p99_ms": round(last * 1e3, 4)}


def measure_calls(
    memory: Memory, rounds: int, embedder: LocalEmbedder | None
) -> tuple[dict[str, float], dict[str, Any]]:
    """Ratios and absolutes of every call; beside embedding too when the memory embeds."""
    from reverie.pipelines.facts import fact_id

    agent, tape = memory.agent("assistant"), Tape(memory)
    agent.kb_fact = lambda n: fact_id(f"subject {n}", "plays", sentence(n))  # type: ignore[attr-defined]  # only here
    ratios, absolutes = {}, {}
    for name, (call, text) in calls(agent).items():
        if embedder is not None and text is None:
            continue
        took, bare, alone = [], [], []
        for number in range(rounds + 20):
            if embedder is not None and text is not None:
                embedding = timed(lambda: embedder.documents([text(number)]))  # noqa: B023  # called at once
            tape.embedding = 0.0
            seconds = timed(lambda: call(number))  # noqa: B023  # called at once
            if embedder is None:
                seconds -= tape.embedding
            written = timed(tape.bare())
            if number >= 20:
                took.append(seconds)
                bare.append(written)
                alone.append(embedding if embedder is not None else 0.0)
        beside = statistics.median(bare) + statistics.median(alone)
        kind = "over_bare" if embedder is None else "embedded_over_bare"
        ratios[f"{name}_{kind}"] = round(statistics.median(took) / beside, 3)
        absolutes[name] = {**percentiles(took), "bare_p50_ms": round(statistics.median(bare) * 1e3, 4)}
        if embedder is not None:
            absolutes[name]["embedding_p50_ms"] = round(statistics.median(alone) * 1e3, 4)
    return ratios, absolutes


def measure_active(memory: Memory, rounds: int) -> tuple[float, dict[str, Any]]:
    agent, keys, client = memory.agent("busy"), memory.ctx.ns.keys, memory.ctx.ns.client
    for number in range(1000):
        agent.goals.create(goal_id=f"busy-{number}", title=sentence(number), metrics={"n": number})

    def bare() -> object:
        ids = client.zrange(keys.linked("IN_PHASE", "goal", "phase", "active:busy"), 0, -1)
        return client.execute_command("JSON.MGET", *(f"{keys.base}goal:{id.decode()}" for id in ids), "$")

    assert len(agent.goals.active()) == 1000
    took, read = [], []
    for _ in range(rounds):
        took.append(timed(agent.goals.active))
        read.append(timed(bare))
    ratio = statistics.median(took) / statistics.median(read)
    return round(ratio, 3), {**percentiles(took), "bare_p50_ms": round(statistics.median(read) * 1e3, 4)}


def measure_context(memory: Memory, rounds: int) -> tuple[float, dict[str, Any]]:
    agent, ns = memory.agent("planner"), memory.ctx.ns
    keys, client, start = ns.keys, ns.client, datetime(2026, 5, 1, tzinfo=UTC)
    agent.goals.create(goal_id="big", title="Migrate billing")
    for number in range(20):
        agent.goals.create_task(task_id=f"big-{number}", title=sentence(number), goal_id="big")
    for place in range(10):
        session = agent.session(f"big-{place}", goal_id="big")
        session.observe_many(
            [
                {
                    "sender": "ana",
                    "content": sentence(n),
                    "message_id": f"big-{place}-{n}",
                    "at": start + timedelta(minutes=n),
                }
                for n in range(100)
            ]
        )
        for n in range(0, 100, 10):
            observation = agent.add_observation(message_id=f"big-{place}-{n}", content=sentence(n), subject=f"part {n}")
            agent.assert_fact(
                subject=f"part {n}",
                predicate="belongs to",
                object=f"ledger {place}",
                supporting_observation_ids=[observation.observation_id],
            )
    context = agent.goals.context("big")
    assert context is not None
    assert (len(context.tasks), len(context.sessions), len(context.recent_messages)) == (20, 10, 20)
    tasks = [keys.record("task", task.task_id) for task in context.tasks]
    messages = [keys.record("message", id) for id in context.message_ids]
    facts = [keys.record("fact", id) for id in context.fact_ids]
    entities = [keys.record("entity", id) for id in context.entity_ids]
    said = [f"big-{place}-{n}" for place in range(10) for n in range(100)]

    def bare() -> object:
        pipe = client.pipeline(transaction=False)
        pipe.execute_command("JSON.GET", keys.record("goal", "big"), "$")
        pipe.zrange(keys.linked("PARENT_GOAL", "goal", "goal", "big"), 0, -1)
        pipe.zrange(keys.linked("PART_OF", "task", "goal", "big"), 0, -1)
        pipe.zrange(keys.linked("FOR_GOAL", "session", "goal", "big"), 0, -1)
        for number in range(20):
            pipe.zrange(keys.linked("SUBTASK_OF", "task", "task", f"big-{number}"), 0, -1)
            pipe.zrange(keys.linked("FOR_TASK", "session", "task", f"big-{number}"), 0, -1)
        for place in range(10):
            pipe.zrange(keys.linked("IN_SESSION", "message", "session", f"big-{place}"), 0, -1, withscores=True)
        for id in said:
            pipe.zrange(keys.linked("STATED_IN", "fact", "message", id), 0, -1)
            pipe.zrange(keys.links("message", id), 0, -1)
        for found in (tasks, messages, facts, entities):
            pipe.execute_command("JSON.MGET", *found, "$")
        return pipe.execute()

    took, read = [], []
    for _ in range(rounds):
        took.append(timed(lambda: agent.goals.context("big")))
        read.append(timed(bare))
    ratio = statistics.median(took) / statistics.median(read)
    return round(ratio, 3), {**percentiles(took), "bare_p50_ms": round(statistics.median(read) * 1e3, 4)}


def measure(folder: Path, rounds: int) -> dict[str, object]:
    settings = load(data_dir=folder)
    ratios: dict[str, float] = {}
    absolutes: dict[str, Any] = {}
    with embedded.acquire(folder) as lease:
        url = lease.endpoint.url()
        with Memory(NAMESPACE, settings=settings, redis_url=url, embedder=Free()) as memory:
            found, absolutes["calls"] = measure_calls(memory, rounds, None)
            ratios |= found
            ratios["goals_active_over_bare"], absolutes["goals_active"] = measure_active(memory, max(20, rounds // 4))
            ratios["goals_context_over_bare"], absolutes["goals_context"] = measure_context(
                memory, max(20, rounds // 4)
            )
        local = LocalEmbedder()
        with Memory(f"{NAMESPACE}-e", settings=settings, redis_url=url, embedder=local) as memory:
            found, absolutes["embedded_calls"] = measure_calls(memory, max(30, rounds // 3), local)
            ratios |= found
    return {"ratios": ratios, "rounds": rounds, **absolutes}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", ignore_cleanup_errors=True) as folder:
        result = measure(Path(folder), given.rounds)
    if given.json:
        print(json.dumps(result, indent=2))
        return
    for name, ratio in dict(result["ratios"]).items():  # type: ignore[call-overload]  # a mapping
        print(f"{name:36} {ratio:.2f}")


if __name__ == "__main__":
    main()
