"""A failing embedder blocks no tool: what it wrote is found by its words, and by meaning once a worker caught up."""

from collections.abc import Iterator

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.models.embedders.base import Vectors
from reverie.pipelines import vectors
from reverie.store import work


class Fragile(WordEmbedder):
    """Fails for documents until it is mended."""

    broken = True

    def documents(self, texts: list[str]) -> Vectors:
        if self.broken:
            raise RuntimeError("out of order")
        return super().documents(texts)


@pytest.fixture
def embedder() -> Fragile:
    return Fragile()


@pytest.fixture
def memory(settings: Settings, namespace: str, embedder: Fragile) -> Iterator[Memory]:
    with Memory(namespace, settings=settings, embedder=embedder) as opened:
        yield opened


def test_every_tool_writes_without_a_vector_and_gets_it_later(memory: Memory, embedder: Fragile) -> None:
    agent, ns = memory.agent("assistant"), memory.ctx.ns
    agent.session("s").observe(sender="ana", content="zeppelin in the message", message_id="m")
    written = [
        agent.goals.create(goal_id="g", title="zeppelin goal").embedded,
        agent.goals.create_task(task_id="t", title="zeppelin task").embedded,
        agent.record_action(action_type="x", action_id="a", output="zeppelin " * 600).embedded,
        agent.record_episode(action_type="x", episode_id="e", state={"topic": "zeppelin episode"}).embedded,
        agent.add_observation(message_id="m", observation_id="o", content="zeppelin observation").embedded,
    ]
    fact = agent.assert_fact(subject="zeppelin", predicate="lives in", object="a hangar")
    moved = agent.assert_fact(subject="zeppelin", predicate="lives in", object="the sky")
    assert [*written, fact.embedded, moved.embedded] == [False] * 7

    found = {item.kind for item in agent.recall("zeppelin", limit=50).items}
    assert {"message", "observation", "episode", "fact"} <= found

    embedder.broken = False
    entries = [
        claim.entry
        for claim in work.claim(ns, vectors.TOPIC, memory.ctx.clock(), memory.ctx.settings.work_lease, 50)[0]
    ]
    rows = [
        *(ns.keys.row(kind, id) for kind, id in [("goal", "g"), ("task", "t"), ("action", "a"), ("episode", "e")]),
        ns.keys.row("observation", "o"),
        *(ns.keys.row("fact", fact.fact_id, part) for part in (1, 2)),
        ns.keys.row("fact", moved.fact_id, 1),
    ]
    assert [ns.client.hexists(row, "v") for row in rows] == [False] * len(rows)
    vectors.fill(memory.ctx, entries)
    assert [ns.client.hexists(row, "v") for row in rows] == [True] * len(rows)
    assert work.claim(ns, vectors.TOPIC, memory.ctx.clock(), memory.ctx.settings.work_lease, 50)[0] == []


def test_a_change_of_a_fact_keeps_the_vector_of_its_rows(memory: Memory, embedder: Fragile) -> None:
    embedder.broken = False
    agent, ns = memory.agent("assistant"), memory.ctx.ns
    id = agent.assert_fact(subject="zeppelin", predicate="flies over", object="Friedrichshafen").fact_id
    embedder.broken = True
    agent.assert_fact(subject="zeppelin", predicate="flies over", object="Friedrichshafen")
    agent.invalidate_fact(fact_id=id, reason="landed")

    kept = [ns.client.hget(ns.keys.row("fact", id, part), "v") for part in (1, 2)]
    assert kept[0] is not None
    assert kept[0] == kept[1]
