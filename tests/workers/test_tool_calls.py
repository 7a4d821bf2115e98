"""Tool calls from a runtime that only enqueues."""

import subprocess
from typing import Any

import pytest
from celery import Celery

from reverie import Memory
from reverie.config.settings import Settings
from reverie.config.task_names import CALL_TOOL
from reverie.store import work
from reverie.store.connection import database
from reverie.wakeups import queue_of


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


@pytest.fixture
def enqueue(settings: Settings, worker: subprocess.Popen[bytes]) -> Any:
    assert settings.redis_url is not None
    url = settings.redis_url.get_secret_value()
    app = Celery(broker=database(url, 1), backend=database(url, 2), set_as_current=False)

    def enqueue(document: Any) -> Any:
        return app.send_task(CALL_TOOL, [document], queue=queue_of(CALL_TOOL)).get(timeout=60)

    yield enqueue
    app.close()


def test_a_tool_is_called_by_its_name(quick_memory: Memory, enqueue: Any) -> None:
    document = {"namespace": quick_memory.namespace, "agent": "assistant", "tool": "create_goal"}
    created = enqueue(document | {"arguments": {"title": "Ship", "metrics": {"downtime": 5}}, "call_id": "g-1"})
    again = enqueue(document | {"arguments": {"title": "Ship", "metrics": {"downtime": 5}}, "call_id": "g-1"})

    assert (created["goal_id"], created["created"], again["created"]) == ("g-1", True, False)
    goal = quick_memory.agent("assistant").goals.get("g-1")
    assert goal is not None
    assert goal.metrics == {"downtime": 5}


def test_delivered_twice_it_has_one_effect(quick_memory: Memory, enqueue: Any) -> None:
    document = {
        "namespace": quick_memory.namespace,
        "agent": "assistant",
        "tool": "assert_fact",
        "arguments": {"subject": "Ana", "predicate": "plays", "object": "chess"},
    }
    named = [enqueue(document | {"call_id": "c-1"})["observation_count"] for _ in range(2)]
    assert [*named, enqueue(document)["observation_count"]] == [1, 1, 2]
    remember = document | {
        "tool": "remember",
        "arguments": {"entity": "Ana", "facts": ["plays chess"]},
        "graph_app": "coach",
        "graph_user": "alice",
    }
    assert enqueue(remember)["entity"] == "Ana"
    assert quick_memory.graph(app="coach", user="alice").entity_count() == 1


def test_what_cannot_be_called_is_a_dead_letter_with_its_reason(quick_memory: Memory, enqueue: Any) -> None:
    for broken in ({"tool": "create_goal", "arguments": {}}, {"tool": "nope"}, {"tool": "create_goal", "more": 1}):
        answer = enqueue({"namespace": quick_memory.namespace, "agent": "assistant"} | broken)
        assert answer["error"]

    letters = work.dead_letters(quick_memory.ctx.ns)
    assert [letter.topic for letter in letters] == [CALL_TOOL] * 3
    assert "title" in letters[0].error
