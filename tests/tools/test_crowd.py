"""Many threads and processes on the same ids end with one record and one edge each."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import WordEmbedder
from crowd import IDS, PLACES, crowd

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines.facts import FactView, fact_id
from reverie.tools.phases import GoalPhase, TaskPhase

HERE = Path(__file__).parent
PROCESSES, THREADS, ROUNDS = 2, 3, 2


@pytest.fixture(scope="module")
def crowded(settings: Settings) -> Iterator[Memory]:
    """A namespace on which processes of several threads each worked at once, this one among them."""
    assert settings.redis_url is not None
    environment = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
        "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent}",
    }
    namespace = f"test-{uuid.uuid4().hex}"
    others = [
        subprocess.Popen(
            [sys.executable, str(HERE / "crowd.py"), namespace, str(seed), str(THREADS), str(ROUNDS)],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(1, PROCESSES)
    ]
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        assert crowd(memory, 0, THREADS, ROUNDS) == []
        for process in others:
            _, said = process.communicate(timeout=120)
            assert process.returncode == 0, said
        yield memory


def test_a_crowd_leaves_one_record_and_one_edge_each(crowded: Memory) -> None:
    agent, ns = crowded.agent("assistant"), crowded.ctx.ns
    holders = [crowded.agent(name) for name in ("assistant", "other")]

    goals = {goal.goal_id: goal for holder in holders for goal in holder.goals.all()}
    assert len(goals) == sum(len(holder.goals.all()) for holder in holders) == IDS
    for goal in goals.values():
        assert ns.targets(("goal", goal.goal_id), "OWNED_BY") == [("participant", goal.agent)]
        assert ns.targets(("goal", goal.goal_id), "IN_PHASE") == [("phase", f"{goal.phase}:{goal.agent}")]
        assert (goal.completed_at is not None) == (goal.phase is GoalPhase.COMPLETED)
    by_phase = [goal.goal_id for holder in holders for phase in GoalPhase for goal in holder.goals.in_phase(phase)]
    assert sorted(by_phase) == sorted(goals)

    tasks = agent.goals.tasks()
    assert len(tasks) == IDS
    assert sorted(task.task_id for phase in TaskPhase for task in agent.goals.tasks_in(phase)) == ["t0", "t1", "t2"]
    assert all(len(ns.targets(("task", task.task_id), "PART_OF")) <= 1 for task in tasks)
    assert len(agent.actions(session_id="s")) == len(agent.actions()) == len(agent.episodes()) == IDS
    assert len(agent.session("s").messages()) == IDS
    for n in range(IDS):
        assert len(ns.targets(("action", f"a{n}"), "PRODUCED")) == 1
        assert len(ns.sources("RECORDED_BY", "episode", ("participant", "assistant"))) == IDS


def test_a_crowd_loses_no_support_and_leaves_one_home(crowded: Memory) -> None:
    agent = crowded.agent("assistant")

    chess = agent.facts("Ana", "plays")
    assert [fact.observation_count for fact in chess] == [PROCESSES * THREADS * ROUNDS]
    homes = agent.facts("Ana", "lives in")
    assert len(homes) == 1
    every = [agent.facts("Ana", "lives in", valid_as_of=version.valid_from) for version in _intervals(crowded)]
    assert all(len(found) == 1 for found in every)


def _intervals(memory: Memory) -> list[FactView]:
    agent = memory.agent("assistant")
    return [
        version
        for place in PLACES
        for version in agent.facts.history(fact_id("Ana", "lives in", place))
        if version.retired_at is None
    ]
