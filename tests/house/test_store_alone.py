"""Nothing but `store` names a Redis client, a key or a Redis command."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("config", "doors", "knowledge", "memory", "models", "pipelines", "tools", "workers")

BROKER = {"workers/transport.py"}
"""Extends Celery's transport for Redis, whose channels have a `client`; its commands come from `store.deliveries`."""

HANDLES = {"ns", "_ns", "namespace", "anywhere", "home"}
"""Names that handles of namespaces have; dictionaries and reports have `keys` too."""
CALLS = {"execute_command", "register_script", "script_load", "pipeline"}


def named(source: str) -> Iterator[str]:
    """What a module names of Redis, with the line."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        for what in _named(node, is_called=id(node) in called):
            yield f"{getattr(node, 'lineno', 0)}: {what}"


def _named(node: ast.AST, *, is_called: bool) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [f"import {one.name}" for one in names if one.name.split(".")[0] == "redis"]
        case ast.ImportFrom(module="reverie.store.keys", names=names):
            return [f"import {one.name}" for one in names if one.name == "Keys" or one.name.endswith("_key")]
        case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "redis":
            return [f"import {module}"]
        case ast.Attribute(attr="client" | "by_key" as attr):
            return [f".{attr}"]
        case ast.Attribute(attr="keys", value=ast.Name(id=owner) | ast.Attribute(attr=owner)) if owner in HANDLES:
            return [".keys"]
        case ast.Attribute(attr=attr) if attr in CALLS and is_called:
            return [f".{attr}()"]
        case ast.Call(func=ast.Attribute(attr="run"), args=[ast.Constant(value=str(command)), *_]) if command.isupper():
            return [f".run({command!r})"]
    return []


def uses() -> dict[str, list[str]]:
    """What each file of the rooms above the store names, if it names anything."""
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): list(named(path.read_text(encoding="utf-8"))) for path in files}
    return {name: lines for name, lines in found.items() if lines and name not in BROKER}


def test_only_the_store_names_a_client_a_key_or_a_command() -> None:
    assert uses() == {}


@pytest.mark.parametrize(
    "line",
    [
        "import redis",
        "from redis.exceptions import RedisError",
        "from reverie.store.keys import Keys",
        "ns.client.get('a')",
        "client = ctx.ns.client",
        "key = ns.keys.record('goal', 'g')",
        "transaction.by_key.run('ZADD', key, 1, 'a')",
        "connection.execute_command('PING')",
        "redis.register_script(text)",
        "redis.pipeline(transaction=False)",
    ],
)
def test_it_sees_what_is_not_to_be(line: str) -> None:
    assert list(named(line)) != []


@pytest.mark.parametrize(
    "line", ["given.keys() - known", "asyncio.run(main())", "cycling.run(ctx, agent)", "ns.get(Goal, 'g')"]
)
def test_it_leaves_the_rest_alone(line: str) -> None:
    assert list(named(line)) == []
