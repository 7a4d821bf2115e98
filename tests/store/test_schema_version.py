"""Stores of other versions: newer ones are refused, older ones brought up to date, single records set aside."""

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import WordEmbedder
from faults import redis_server

from reverie import Memory, RecordUnreadable, StoreUnfit
from reverie.config.settings import Settings, load
from reverie.pipelines.context import Context
from reverie.store import connection, schema_version, stats, waiting
from reverie.store.client import Client
from reverie.store.keys import SCHEMA
from reverie.store.records.goals import GoalRecord


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Client, Settings]]:
    with redis_server(tmp_path / "own") as url, closing(connection.connect(url)) as client:
        yield client, load(redis_url=url)


def test_a_new_store_has_this_versions_number(own: tuple[Client, Settings]) -> None:
    client, settings = own
    Memory("n", settings=settings, embedder=WordEmbedder()).close()
    assert schema_version.version(client) == schema_version.VERSION


@pytest.mark.parametrize("number", [str(schema_version.VERSION + 1), "next"])
def test_a_newer_store_is_refused_and_left_as_it_is(own: tuple[Client, Settings], number: str) -> None:
    client, settings = own
    client.set(SCHEMA, number)
    with pytest.raises(StoreUnfit, match=r"written by a newer Reverie|not written by Reverie"):
        Memory("n", settings=settings, embedder=WordEmbedder())
    assert client.keys() == [SCHEMA.encode()]
    assert client.get(SCHEMA) == number.encode()


def test_a_store_from_before_schemas_were_numbered_is_brought_up_to_date(own: tuple[Client, Settings]) -> None:
    client, settings = own
    with Memory("n", settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("a").session("s").observe(sender="ana", content="hello")
    client.delete(SCHEMA, *client.keys("rv:waiting:*"))

    with Memory("n", settings=settings, embedder=WordEmbedder()) as memory:
        assert waiting.where(memory.ctx.ns, "ingest", datetime.now(UTC)) == ["n"]
    assert schema_version.version(client) == schema_version.VERSION


def test_an_interrupted_step_is_done_at_the_next_opening(
    own: tuple[Client, Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = own
    done: list[int] = []

    def fails(_client: Any) -> None:
        done.append(2)
        if len(done) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(schema_version, "STEPS", (lambda _client: done.append(1), fails))
    monkeypatch.setattr(schema_version, "VERSION", 2)
    with pytest.raises(KeyboardInterrupt):
        schema_version.ensure(client)
    assert schema_version.version(client) == 1
    schema_version.ensure(client)
    schema_version.ensure(client)
    assert (done, schema_version.version(client)) == ([1, 2, 2], 2)


def _spoil(memory: Memory, kind: str, id: str, **changes: Any) -> None:
    """Change a stored document by hand; a field of None is taken out."""
    client, key = memory.ctx.ns.client, memory.ctx.ns.keys.record(kind, id)
    document = json.loads(client.execute_command("JSON.GET", key, "$"))[0] | changes
    client.execute_command("JSON.SET", key, "$", json.dumps({k: v for k, v in document.items() if v is not None}))


def test_one_bad_record_is_named_and_set_aside(quick_memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    agent = quick_memory.agent("a")
    graph = quick_memory.graph(app="app", user="ana")
    for number in range(3):
        agent.goals.create(title="violet goal", goal_id=f"g-{number}")
        agent.goals.create_task(title="violet task", task_id=f"t-{number}", goal_id="g-0")
        agent.session("s").observe(sender="ana", content=f"violet {number}", message_id=f"m-{number}")
        agent.record_episode(action_type="call", episode_id=f"e-{number}", state={"topic": f"violet {number}"})
        agent.record_action(action_type="call", action_id=f"act-{number}")
        graph.create_entities([{"name": f"name-{number}"}])
    facts = [agent.assert_fact(subject="ana", predicate="likes", object=f"violet {n}").fact_id for n in range(3)]
    for kind, field in (("goal", "title"), ("task", "status"), ("message", "content"), ("episode", "at")):
        _spoil(quick_memory, kind, f"{kind[0]}-1", **{field: None})
    _spoil(quick_memory, "action", "act-1", started_at="some secret day")
    _spoil(quick_memory, "fact", facts[1], versions="none")

    with caplog.at_level(logging.WARNING):
        assert [goal.goal_id for goal in agent.goals.all()] == ["g-0", "g-2"]
        assert [task.task_id for task in agent.goals.tasks()] == ["t-0", "t-2"]
        assert [one.message_id for one in agent.session("s").messages()] == ["m-0", "m-2"]
        assert [one.episode_id for one in agent.episodes()] == ["e-0", "e-2"]
        assert [one.action_id for one in agent.actions()] == ["act-0", "act-2"]
        assert {fact.fact_id for fact in quick_memory.facts()} == {facts[0], facts[2]}
        context = agent.goals.context("g-0")
        assert context is not None
        assert [task.task_id for task in context.tasks] == ["t-0", "t-2"]
        assert agent.recall("violet").items
        agent.session("s").observe(sender="ana", content="violet again", message_id="m-3")
        agent.assert_fact(subject="ana", predicate="likes", object="scarlet")
    assert "goal 'g-1'" in caplog.text
    assert "some secret day" not in caplog.text

    with pytest.raises(RecordUnreadable, match=r"goal 'g-1' cannot be read: title: Field required"):
        agent.goals.get("g-1")
    with pytest.raises(RecordUnreadable, match="'g-1'"):
        agent.goals.complete("g-1")
    found = stats.unreadable_records(quick_memory.ctx.ns)
    assert {("goal", "g-1"), ("task", "t-1"), ("message", "m-1"), ("episode", "e-1"), ("fact", facts[1])} <= set(found)

    _spoil(quick_memory, "goal", "g-1", title="mended")
    assert len(agent.goals.all()) == 3
    assert ("goal", "g-1") not in stats.unreadable_records(quick_memory.ctx.ns)
    assert quick_memory.forget(namespace=quick_memory.namespace, verify=True).verified


def test_what_a_newer_version_wrote_beside_is_kept(fake_ctx: Context) -> None:
    memory_goal = GoalRecord.new(
        fake_ctx.ns, "g", agent="a", title="Ship", status="active", recorded_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    document = json.loads(memory_goal.document()) | {"mood": "hopeful", "nested": {"a": [1, 2]}}
    again = GoalRecord.read(json.dumps(document)).model_copy(update={"title": "Sink"})
    assert json.loads(again.document()) == document | {"title": "Sink"}
