"""A life in which something of every kind happens to a memory."""

import random
from datetime import UTC, datetime, timedelta

from reverie import Memory
from reverie.pipelines import consolidate, ingest

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def live(memory: Memory, rng: random.Random, steps: int, first: int = 0) -> None:
    """A life in which something of every kind happens, from a numbered step on."""
    agent, graph = memory.agent("assistant"), memory.graph(app="coach {x}", user="ana|*")
    places = ["Bath", "Lyon", "Oslo", "咖啡"]
    for number in range(first, first + steps):
        at = NOON + timedelta(hours=number)
        match rng.randrange(9):
            case 0 | 1 | 2:
                said = rng.choice([f"I moved to {rng.choice(places)}.", "I play chess.", f"I like {number} teas."])
                receipt = agent.session(f"s {number % 3}").observe(
                    rng.choice(["ana", "b:b*"]), said, f"m {number}", at=at, metadata={"n": number / 3, "ä": [1, None]}
                )
                ingest.ingest(memory.ctx, [receipt.message_id])
            case 3:
                agent.record_action(
                    "search",
                    action_id=f"a-{number}",
                    output="x " * rng.choice([1, 600]),
                    started_at=at,
                    session_id="s 0",
                )
                agent.record_episode(
                    "search", episode_id=f"e-{number}", at=at, state={"topic": f"tea {number}"}, outcome="success"
                )
            case 4:
                agent.goals.create(f"goal {number}", goal_id=f"g-{number}")
                agent.goals.create_task(f"task {number}", goal_id=f"g-{number}", priority=0.5)
            case 5:
                agent.assert_fact("Bob", "lives in", rng.choice(places), valid_from=at)
            case 6:
                graph.remember("Ana", [f"drinks tea {number}"], entity_type="person")
                graph.relate("Ana", "knows", f"Person {number}")
            case 7:
                consolidate.consolidate(memory.ctx, "assistant")
            case _:
                memory.forget(message=f"m {rng.randrange(number + 1)}")
    memory.predicates.declare("likes", single=True)
    graph.add_session([{"content": "hello"}], session_id="x")
