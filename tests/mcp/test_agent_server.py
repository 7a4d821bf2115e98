"""An agent's memory as an MCP server, judged by the official client."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from conftest import eventually
from mcp import Client, MCPError, StdioServerParameters

import reverie.tools
from reverie import ConfigurationError, Memory, StoreUnavailable, ValidationFailed
from reverie.cli import mcp as command_line
from reverie.config.settings import Settings
from reverie.mcp.agent import CARD, GOALS, INSTRUCTIONS, PROMPT, agent_server
from reverie.mcp.serving import LARGEST_BODY, is_loopback, over_http
from reverie.tools import view
from reverie.tools.registry import registry


def served(memory: Memory, names: tuple[str, ...] | None = None) -> Any:
    return agent_server(memory.agent("assistant"), memory.graph("mcp", "ana"), names)


def ask(server: Any, question: Callable[[Client], Awaitable[Any]]) -> Any:
    """What a client of the server gets."""

    async def run() -> Any:
        async with Client(server) as client:
            return await question(client)

    return anyio.run(run)


def call(server: Any, name: str, /, **arguments: Any) -> Any:
    return ask(server, lambda client: client.call_tool(name, arguments))


def refusal(server: Any, question: Callable[[Client], Awaitable[Any]]) -> str:
    """Why the server refuses what a client asks."""

    async def refused(client: Client) -> str:
        with pytest.raises(MCPError) as refused:
            await question(client)
        return refused.value.error.message

    return str(ask(server, refused))


def environment(settings: Settings) -> dict[str, str]:
    assert settings.redis_url is not None
    return os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
    }


@pytest.mark.parametrize("names", [view.CURATE, view.AGENT, None])
def test_a_client_sees_the_chosen_tools_and_no_other(memory: Memory, names: tuple[str, ...] | None) -> None:
    tools = ask(served(memory, names), lambda client: client.list_tools()).tools
    assert [one.name for one in tools] == list(registry() if names is None else names)
    for one in tools:
        assert one.description
        assert one.input_schema["type"] == "object"


def test_what_has_a_default_is_optional(memory: Memory) -> None:
    tools = ask(served(memory), lambda client: client.list_tools()).tools
    required = {one.name: one.input_schema["required"] for one in tools}
    assert (required["create_goal"], required["recall"], required["load_memory"]) == (["title"], ["query"], [])
    strict = {one["function"]["name"]: one["function"]["parameters"] for one in reverie.tools.schemas()}
    assert strict["recall"]["required"] == ["query", "limit"], "the schemas of other models are as they were"


def test_a_tool_that_was_not_chosen_does_not_run(memory: Memory) -> None:
    reply = call(served(memory, view.CURATE), "create_goal", title="Smuggled")
    assert reply.is_error
    assert memory.agent("assistant").goals.all() == []


def test_calls_write_to_the_agent_and_the_graph_that_are_served(memory: Memory) -> None:
    server = served(memory)
    assert not call(server, "create_goal", title="Migrate billing", goal_id="g-1").is_error
    assert not call(server, "remember", entity="Ana", facts=["plays the clarinet"]).is_error
    assert memory.agent("assistant").goals.get("g-1") is not None
    assert memory.agent("other").goals.get("g-1") is None
    assert memory.graph("mcp", "ana").entity_count() == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_goal", {"title": " "}),
        ("create_goal", {"title": "x", "namespace": "another"}),
        ("create_goal", {"title": "x", "agent_id": "another"}),
        ("start_goal", {"goal_id": "none such"}),
        ("no_such_tool", {}),
    ],
)
def test_what_the_model_did_wrong_is_told(memory: Memory, name: str, arguments: dict[str, Any]) -> None:
    reply = call(served(memory), name, **arguments)
    assert reply.is_error
    assert json.loads(reply.content[0].text)["error"]
    assert memory.agent("assistant").goals.all() == []


def test_what_no_model_can_mend_is_told_too(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object, **more: object) -> None:
        raise StoreUnavailable("the store is away")

    monkeypatch.setattr(view, "run", fails)
    reply = call(served(memory), "list_goals")
    assert (reply.is_error, "the store is away" in reply.content[0].text) == (True, True)


def test_resources_show_what_is_known(memory: Memory) -> None:
    server, agent = served(memory), memory.agent("assistant")
    memory.graph("mcp", "ana").create_entities([{"name": "Ana", "observations": ["plays the clarinet"]}])
    agent.goals.create("Migrate billing", goal_id="g-1")
    agent.goals.create("Done long ago", goal_id="g-2", status="done")

    async def read(client: Client) -> dict[str, str]:
        listed = [one.uri for one in (await client.list_resources()).resources]
        return {uri: (await client.read_resource(uri)).contents[0].text for uri in listed}  # type: ignore[union-attr]

    found = ask(server, read)
    assert set(found) == {CARD, GOALS, INSTRUCTIONS}
    assert "plays the clarinet" in found[CARD]
    assert [one["goal"]["goal_id"] for one in json.loads(found[GOALS])] == ["g-1"]
    assert json.loads(found[INSTRUCTIONS]) == []


@pytest.mark.parametrize("uri", ["reverie://card/../goals", "reverie://CARD", "file:///etc/passwd", "reverie://other"])
def test_there_is_no_other_resource(memory: Memory, uri: str) -> None:
    assert "there is no resource" in refusal(served(memory), lambda client: client.read_resource(uri))


def test_the_prompt_holds_what_is_remembered(memory: Memory) -> None:
    memory.agent("assistant").session("s-1").observe("ana", "I am allergic to peanuts.")
    question = {"question": "What is Ana allergic to?"}
    (message,) = ask(served(memory), lambda client: client.get_prompt(PROMPT, question)).messages
    assert "peanuts" in message.content.text
    assert message.content.text.endswith(question["question"])
    for name, arguments in ((PROMPT, {}), ("other", question)):
        ask_wrongly = partial(Client.get_prompt, name=name, arguments=arguments)
        assert refusal(served(memory), ask_wrongly)


def test_a_client_speaks_to_a_process_over_stdio(settings: Settings, namespace: str, memory: Memory) -> None:
    command = ["-m", "reverie.cli", "mcp", "-n", namespace, "--user", "ana", "--tools", "agent"]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment(settings))

    async def talk(client: Client) -> list[str]:
        names = [one.name for one in (await client.list_tools()).tools]
        assert not (await client.call_tool("remember", {"entity": "Ana", "facts": ["sings"]})).is_error
        assert not (await client.call_tool("create_goal", {"title": "Sing", "goal_id": "g-1"})).is_error
        return names

    assert ask(server, talk) == list(view.AGENT)
    assert memory.graph("mcp", "ana").entity_count() == 1
    assert memory.agent("assistant").goals.get("g-1") is not None


def test_it_is_served_over_http_to_this_machine_alone(settings: Settings, namespace: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/mcp"
    command = [sys.executable, "-m", "reverie.cli", "mcp", "-n", namespace, "--http", "--port", str(port)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment(settings), stdout=log, stderr=log)
    try:
        eventually(lambda: _listens(port), f"it listens: {(tmp_path / 'log').read_text()}", within=60)
        reply = call(url, "remember", entity="Ana", facts=["sings"])
        assert not reply.is_error
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        headers = {"accept": "application/json, text/event-stream"}
        with httpx.Client(headers=headers, timeout=30) as client:
            assert client.post(url, json=body, headers={"host": "evil.example"}).status_code == 421
            assert client.post(url, json=body, headers={"origin": "https://evil.example"}).status_code == 403
            large = json.dumps({**body, "params": {"x": "x" * LARGEST_BODY}})
            typed = {"content-type": "application/json"}
            assert client.post(url, content=large, headers=typed).status_code == 413
            assert client.get(f"http://127.0.0.1:{port}/mcp/../other").status_code == 404
    finally:
        process.terminate()
        process.wait(30)


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.com", "", "127.0.0.1.example.com"])
def test_it_listens_nowhere_else(memory: Memory, host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(ValidationFailed, match="loopback"):
        over_http(served(memory), host, 1)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_loopback_is_this_machine(host: str) -> None:
    assert is_loopback(host)


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"reverie\[mcp\]"):
        command_line.mcp()
