"""One process of a crowd: several threads that write the same ids in an order of their own.

python crowd.py NAMESPACE SEED THREADS ROUNDS
"""

import random
import sys
import threading
from collections.abc import Callable

from reverie import Conflict, Memory
from reverie.agent import Agent
from reverie.config.settings import load

IDS = 3
PLACES = ("Lyon", "Paris", "Rome")


def works(agent: Agent, other: Agent) -> list[Callable[[], object]]:
    """Everything that is done, each to be done in any order and any number of times."""
    done: list[Callable[[], object]] = []
    for n in range(IDS):
        done += [
            lambda n=n: agent.goals.create(goal_id=f"g{n}", title="Ship", metrics={"n": n}),
            lambda n=n: agent.goals.create(goal_id=f"g{n}", title="Ship"),
            lambda n=n: other.goals.create(goal_id=f"g{n}", title="Ship", metrics={"n": n}),
            lambda n=n: agent.goals.start(f"g{n}"),
            lambda n=n: agent.goals.complete(f"g{n}", {"done": True}),
            lambda n=n: agent.goals.abandon(f"g{n}"),
            lambda n=n: agent.goals.create_task(task_id=f"t{n}", title="Build", goal_id=f"g{n}"),
            lambda n=n: agent.goals.complete_task(f"t{n}"),
            lambda n=n: agent.goals.block_task(f"t{n}"),
            lambda n=n: agent.record_action(action_type="x", action_id=f"a{n}", output="word " * 400, session_id="s"),
            lambda n=n: agent.record_episode(action_type="x", episode_id=f"e{n}", state={"topic": f"topic {n}"}),
            lambda n=n: agent.session("s").observe(sender="ana", content=f"said {n}", message_id=f"m{n}"),
        ]
    done += [
        lambda place=place: agent.assert_fact(subject="Ana", predicate="lives in", object=place) for place in PLACES
    ]
    return done


def crowd(memory: Memory, seed: int, threads: int, rounds: int) -> list[str]:
    """Run the threads; what went wrong beside conflicts. Each asserts one fact once a round, too."""
    wrong: list[str] = []

    def work(number: int) -> None:
        rng = random.Random(seed * 1000 + number)
        agent, other = memory.agent("assistant"), memory.agent("other")
        try:
            for _ in range(rounds):
                agent.assert_fact(subject="Ana", predicate="plays", object="chess", source="user")
                todo = works(agent, other)
                rng.shuffle(todo)
                for one in todo:
                    try:
                        one()
                    except Conflict:
                        continue
        except BaseException as error:  # whatever it is, the test shows it
            wrong.append(repr(error))
            raise

    crew = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    return wrong


if __name__ == "__main__":
    from conftest import WordEmbedder

    namespace, seed, threads, rounds = sys.argv[1], *map(int, sys.argv[2:])
    with Memory(namespace, settings=load(), embedder=WordEmbedder()) as opened:
        sys.exit("\n".join(crowd(opened, seed, threads, rounds)) or 0)
