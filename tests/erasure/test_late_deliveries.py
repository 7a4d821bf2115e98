"""Tasks that were sent before an erasure and arrive after it bring nothing back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from conftest import WordEmbedder, eventually, running_worker

from reverie import Memory
from reverie.config.settings import Settings
from reverie.config.task_names import CALL_TOOL, OBSERVE_MESSAGE
from reverie.store import work
from reverie.store.connection import database
from reverie.wakeups import queue_of
from reverie.workers import messages, runtime, tools

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRET = "My locker code is quokka."


@pytest.fixture
def memory(quick_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setattr(runtime, "context", lambda namespace: quick_memory.ctx)
    return quick_memory


def message(memory: Memory, **changes: Any) -> dict[str, Any]:
    document = {"namespace": memory.namespace, "agent": "assistant", "session": "s-1", "sender": "Ana"}
    return document | {"content": SECRET, "message_id": "m-1", "at": NOON.isoformat()} | changes


def call(memory: Memory, tool: str, arguments: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"namespace": memory.namespace, "agent": "assistant", "tool": tool, "arguments": arguments} | changes


def episode(memory: Memory, **changes: Any) -> dict[str, Any]:
    arguments = {"action_type": "answer", "state": {"question": SECRET}, "session_id": "s-1"}
    return call(memory, "record_episode", arguments, **{"sent_at": NOON.isoformat(), **changes})


@pytest.mark.parametrize("scope", [{"message": "m-1"}, {"session": "s-1"}, {"participant": "Ana"}, {"user": "Ana"}])
def test_what_is_forgotten_before_it_arrived_stays_out(memory: Memory, scope: dict[str, str]) -> None:
    memory.forget(**scope)  # type: ignore[arg-type]  # each takes an id

    assert messages.observe_message(message(memory)) == {"erased": True}
    asked = message(memory)
    del asked["namespace"], asked["agent"]
    asked["session_id"] = asked.pop("session")
    assert tools.call_tool(call(memory, "observe", asked)) == {"erased": True}
    assert memory.agent("assistant").session("s-1").messages() == []


def test_a_call_that_was_sent_before_the_erasure_stays_out(memory: Memory) -> None:
    agent = memory.agent("assistant")
    remembered = call(
        memory, "remember", {"entity": "Ana", "facts": [SECRET]}, graph_user="Ana", sent_at=NOON.isoformat()
    )
    memory.forget(session="s-1")
    memory.forget(user="Ana")

    assert tools.call_tool(episode(memory)) == {"erased": True}
    assert tools.call_tool(remembered) == {"erased": True}
    assert agent.episodes() == []
    assert memory.graph(app="assistant", user="Ana").entity_count() == 0
    assert work.dead_letters(memory.ctx.ns) == []
    later = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    assert tools.call_tool(episode(memory, sent_at=later))["created"]
    assert tools.call_tool(remembered | {"sent_at": later})["entity"] == "Ana"


def test_a_call_that_is_delivered_again_does_not_bring_its_record_back(memory: Memory) -> None:
    undated = episode(memory, call_id="e-1")
    del undated["sent_at"]
    asked = call(memory, "create_goal", {"title": SECRET}, agent="planner", call_id="g-1")
    for document in (undated, asked):
        assert tools.call_tool(document)["created"]
    memory.forget(session="s-1")
    memory.forget(participant="planner")

    assert tools.call_tool(undated) == {"erased": True}
    assert tools.call_tool(asked) == {"erased": True}
    assert memory.agent("assistant").episodes() == []
    assert memory.agent("planner").goals.all() == []


def test_nothing_comes_back_to_a_namespace_that_was_forgotten(memory: Memory) -> None:
    memory.forget(namespace=memory.namespace, verify=True)

    assert messages.observe_message(message(memory)) == {"erased": True}
    assert tools.call_tool(episode(memory)) == {"erased": True}
    assert memory.namespace not in memory.ctx.ns.namespaces()
    new = message(memory, at=(datetime.now(UTC) + timedelta(seconds=1)).isoformat())
    assert messages.observe_message(new)["created"]


@pytest.mark.parametrize("scope", ["session", "namespace"])
def test_an_erasure_that_overtakes_a_task_wins(memory: Memory, monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    """The task found nothing barred, and writes after everything was erased."""
    memory.agent("assistant").session("s-0").observe(sender="Bob", content="Hello.")
    barred, left = messages.barred, [1]

    def overtaken(*arguments: Any) -> bool:
        found = barred(*arguments)
        if left:
            left.pop()
            memory.forget(**{scope: "s-1" if scope == "session" else memory.namespace})  # type: ignore[arg-type]
        return found

    for module in (messages, tools):
        monkeypatch.setattr(module, "barred", overtaken)
    assert messages.observe_message.apply([message(memory)], task_id="t-1").get() == {"erased": True}
    left.append(1)
    assert tools.call_tool.apply([episode(memory)], task_id="t-2").get() == {"erased": True}
    assert memory.agent("assistant").episodes() == []
    assert memory.agent("assistant").session("s-1").messages() == []
    assert (memory.namespace in memory.ctx.ns.namespaces()) == (scope == "session")


def test_what_others_said_to_the_erased_stays_without_their_name(memory: Memory) -> None:
    memory.forget(user="Ana")

    said = message(memory, sender="Bob", addressed_to=["Ana", "Cy"], content="Are you there?")
    assert messages.observe_message(said)["created"]
    (kept,) = memory.agent("assistant").session("s-1").messages()
    assert (kept.sender, kept.addressed_to) == ("Bob", ("Cy",))


def test_a_message_without_an_id_that_is_delivered_twice_is_one_message(memory: Memory) -> None:
    document = message(memory)
    del document["message_id"]

    replies = [messages.observe_message.apply([document], task_id="task-1").get() for _ in range(2)]

    assert [reply["created"] for reply in replies] == [True, False]
    assert len(memory.agent("assistant").session("s-1").messages()) == 1


@pytest.fixture
def client(memory: Memory) -> Iterator[Celery]:
    """A bare Celery client of a broker that no worker serves."""
    with Celery(broker=database(memory.connection.store.url, 1), set_as_current=False) as app:
        yield app
    memory.forget(namespace=memory.namespace)


def test_tasks_that_wait_in_the_broker_go_and_others_stay(memory: Memory, client: Celery) -> None:
    def send(task: str, document: dict[str, Any], **options: Any) -> None:
        client.send_task(task, [document], queue=queue_of(task), **options)

    undated = episode(memory)
    del undated["sent_at"]
    send(OBSERVE_MESSAGE, message(memory), priority=9)
    send(CALL_TOOL, undated, priority=0)
    send(OBSERVE_MESSAGE, message(memory, session="s-2", message_id="m-2", metadata={"session": "s-1"}))
    send(OBSERVE_MESSAGE, message(memory, namespace=memory.namespace + "-2"))
    elsewhere = call(memory, "create_goal", {"title": "x", "metrics": {"namespace": memory.namespace}})
    send(CALL_TOOL, elsewhere | {"namespace": memory.namespace + "-2"})

    def left() -> list[str]:
        assert memory.ctx.broker is not None
        documents = [one.document for one in memory.ctx.broker.sent() if isinstance(one.document, dict)]
        ours = [one for one in documents if str(one.get("namespace")).startswith(memory.namespace)]
        return sorted(one.get("session") or one["tool"] for one in ours)

    assert left() == ["create_goal", "record_episode", "s-1", "s-1", "s-2"]
    report = memory.forget(session="s-1", verify=True)
    assert (report.tasks, report.verified) == (2, True)
    assert left() == ["create_goal", "s-1", "s-2"]
    assert memory.forget(namespace=memory.namespace, verify=True).tasks == 1
    assert left() == ["create_goal", "s-1"]
    with Memory(memory.namespace + "-2", settings=memory.settings, embedder=WordEmbedder()) as other:
        assert other.forget(namespace=other.namespace).tasks == 2


def test_what_a_worker_took_finds_itself_erased_and_results_forget_the_words(
    own_settings: Settings, tmp_path: Path
) -> None:
    assert own_settings.redis_url is not None
    url = own_settings.redis_url.get_secret_value()
    with (
        Memory("late", settings=own_settings) as memory,
        Celery(broker=database(url, 1), backend=database(url, 2), set_as_current=False) as app,
    ):

        def send(document: dict[str, Any], **options: Any) -> Any:
            return app.send_task(CALL_TOOL, [document], queue=queue_of(CALL_TOOL), **options)

        undated = episode(memory)
        del undated["sent_at"]
        with running_worker(own_settings, tmp_path / "worker.log"):
            recorded = send(undated | {"call_id": "e-1"})
            assert recorded.get(timeout=60)["created"]
            recalled = send(call(memory, "recall", {"query": "the locker code"}))
            assert "quokka" in recalled.get(timeout=60)["memory"]
            # Taken by the worker, and run only later.
            late = send(undated | {"call_id": "e-2"}, countdown=8)
            assert memory.ctx.broker is not None
            broker = memory.ctx.broker
            eventually(
                lambda: [one.id for one in broker.sent() if one.tag and one.task == CALL_TOOL] == [late.id],
                "the worker took it, and acknowledged the others",
            )

            report = memory.forget(session="s-1", verify=True)

            assert (report.tasks, report.results, report.verified) == (1, 1, True)
            assert not [one for one in broker.sent() if one.task == CALL_TOOL]
            assert late.state == "PENDING"
        assert memory.agent("assistant").episodes() == []
        assert recalled.backend.get_task_meta(recalled.id, cache=False)["result"] == {"erased": True}
