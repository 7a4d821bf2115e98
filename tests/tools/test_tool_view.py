"""A choice of tools for one agent: schemas and dispatch limited to it."""

import json
import threading
import time
from typing import Any

import anyio
import pytest

import reverie.tools
from reverie import Graph, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context
from reverie.tools import threads
from reverie.tools import view as views
from reverie.tools.registry import registry


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def test_a_view_shows_its_tools_in_the_order_given(agent: Agent) -> None:
    view = agent.tools(["recall", "create_goal"])
    assert view.names == ("recall", "create_goal")
    assert view.schemas() == reverie.tools.schemas(["recall", "create_goal"])
    assert agent.tools().names == tuple(registry())


def test_what_a_caller_does_to_schemas_changes_no_other(agent: Agent) -> None:
    view = agent.tools(["recall"])
    view.schemas()[0]["function"]["name"] = "stolen"
    assert view.schemas()[0]["function"]["name"] == "recall"


def test_a_tool_outside_the_view_does_not_run(agent: Agent) -> None:
    view = agent.tools(["list_goals"])
    for name in ("create_goal", "LIST_GOALS", "list_goals ", "", None, ["list_goals"]):
        reply = view.dispatch(name, {"title": "Not among them"})  # type: ignore[arg-type]
        assert reply.failed
        assert json.loads(reply.text)["error"].endswith("the tools are list_goals")
    assert agent.goals.all() == []


@pytest.mark.parametrize("names", [["no_such_tool"], ["recall", ""], "no_such_tool"])
def test_a_view_of_no_tool_is_refused(agent: Agent, names: Any) -> None:
    with pytest.raises(ValidationFailed):
        agent.tools(names)


def test_a_view_of_nothing_runs_nothing(agent: Agent) -> None:
    view = agent.tools([])
    assert view.schemas() == []
    assert view.dispatch("list_goals", {}).failed


def test_a_reply_says_whether_the_call_failed(agent: Agent) -> None:
    view = agent.tools()
    made = view.dispatch("create_goal", {"title": "Migrate billing", "goal_id": "g-1"})
    assert (made.failed, json.loads(made.text)["goal_id"]) == (False, "g-1")
    assert view.dispatch("create_goal", {"title": " "}).failed
    assert view.dispatch("start_goal", {"goal_id": "none such"}).failed


def test_tools_of_the_graph_work_on_the_graph_given(agent: Agent) -> None:
    graph = Graph(agent.ctx, "coach", "alice")
    given = {"entity": "Alice", "facts": ["plays the clarinet"]}
    agent.tools(views.CURATE, graph=graph).dispatch("remember", given)
    assert [one.name for one in graph.open_nodes(["Alice"])] == ["Alice"]
    assert Graph(agent.ctx, "assistant", "assistant").entity_count() == 0


def test_an_asynchronous_call_leaves_the_loop_free(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    view, go = agent.tools(["list_goals"]), threading.Event()
    began: list[str] = []

    def waits(*given: object, **more: object) -> reverie.tools.ToolReply:
        began.append(threading.current_thread().name)
        assert go.wait(30)
        return reverie.tools.ToolReply("[]")

    monkeypatch.setattr(views, "run", waits)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(view.dispatch_async, "list_goals", {})
            deadline = time.monotonic() + 30
            while len(began) < threads.THREADS and time.monotonic() < deadline:
                await anyio.sleep(0)
            assert len(began) == threads.THREADS
            go.set()

    anyio.run(main)
    assert len(began) == 20
    assert threading.main_thread().name not in began


def test_who_cancels_a_call_goes_on_when_it_is_done(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    view, began, go, done = agent.tools(["create_goal"]), threading.Event(), threading.Event(), threading.Event()

    def waits(*given: object, **more: object) -> reverie.tools.ToolReply:
        began.set()
        assert go.wait(30)
        done.set()
        return reverie.tools.ToolReply("{}")

    monkeypatch.setattr(views, "run", waits)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(view.dispatch_async, "create_goal", {"title": "Cancelled"})
            await anyio.to_thread.run_sync(began.wait, 30)
            group.cancel_scope.cancel()
            go.set()
        assert done.is_set()

    anyio.run(main)
