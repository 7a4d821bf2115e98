"""Whatever is passed to whatever call, it is a right answer or an error of Reverie's, and nothing is half written."""

import inspect
import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from calls import CALLS, Call, World, tool_arguments, tool_call, tool_schemas, world
from conftest import WordEmbedder
from hostile import FIXED, some

from reverie import Memory, ReverieError
from reverie.config.settings import Settings
from reverie.tools.registry import registry


@pytest.fixture
def filled(settings: Settings, namespace: str) -> Iterator[World]:
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        yield world(memory)


def dump(memory: Memory) -> dict[bytes, bytes | None]:
    """Every key of the namespace as the server would move it, without what is noted about the work itself."""
    client, tag = memory.ctx.ns.client, memory.ctx.ns.keys.tag
    keys = sorted(key for key in client.scan_iter(match=f"*{{{tag}}}*", count=10_000) if b"recalled:" not in key)
    return {key: client.dump(key) for key in keys}


def refused(world: World, call: Call, given: dict[str, Any]) -> bool:
    """Make a call that may be refused; whether it was."""
    try:
        call.make(world, given)
    except ReverieError as error:
        str(error).encode()
        return True
    return False


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_any_value_in_any_place_of_a_call(filled: World, call: Call) -> None:
    before = dump(filled.memory)
    random = Random(call.name)
    for parameter in call.given:
        drawn = [random.choice(FIXED)() for _ in range(3)] + [some(random)]
        for value in drawn:
            if refused(filled, call, {**call.given, parameter: value}) or call.is_read:
                after = dump(filled.memory)
                assert after == before, f"{call.name}({parameter}={value!r:.80}) was refused and left something"
            else:
                before = dump(filled.memory)


@pytest.mark.parametrize("tool", registry())
def test_any_value_in_any_place_of_a_tool(filled: World, tool: str) -> None:
    right = tool_arguments(tool)
    before = dump(filled.memory)
    random = Random(tool)
    for parameter in [*right, "unknown"]:
        for value in [random.choice(FIXED)() for _ in range(3)] + [some(random)]:
            for arguments in ({**right, parameter: value}, value):
                said = json.loads(tool_call(filled, tool, arguments))
                now = dump(filled.memory)
                assert now == before or not (isinstance(said, dict) and said.keys() == {"error"})
                before = now


@pytest.mark.parametrize("make", FIXED)
def test_any_value_for_a_tool_its_token_and_its_schemas(filled: World, make: Any) -> None:
    json.loads(tool_call(filled, make(), {}))
    json.loads(tool_call(filled, "create_goal", '{"title": "t"}', token=make()))
    json.loads(tool_call(filled, "assert_fact", {"subject": "a", "predicate": "b"}, token=make()))
    with suppress(ReverieError):
        assert tool_schemas(make()) is not None


def test_every_public_call_is_tried(filled: World) -> None:
    tried = {call.name for call in CALLS}
    for place in ("memory", "agent", "session", "goals", "graph", "facts", "predicates", "cycles", "browse"):
        found = type(getattr(filled, place))
        public = {name for name in vars(found) if not name.startswith("_")}
        if place == "memory":
            # These read and write files, which any name would leave in the folder.
            public -= {"close", "export_to", "import_from"}
        calls = {name for name in public if callable(getattr(found, name))}
        assert {f"{place}.{name}" for name in calls} <= tried
        for call in CALLS:
            if call.place == place and callable(getattr(found, call.method)):
                wanted = inspect.signature(getattr(found, call.method)).parameters.keys() - {"self"}
                assert wanted <= call.given.keys(), call.name
