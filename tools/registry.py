"""The agent's tools as a model sees and calls them: one registry, its schemas, and the dispatch of a call."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import pydantic_core

from reverie.config.errors import Conflict, NotFound, ValidationFailed
from reverie.pipelines.context import Context
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.tools.fields import Id, Ids, Params, validated
from reverie.tools.tool import Call, Tool


class Caller(Protocol):
    """Whose memory a tool works on; an `Agent` is one."""

    @property
    def ctx(self) -> Context: ...

    @property
    def id(self) -> str: ...


class GraphOwner(Protocol):
    """What holds a knowledge graph; a `Graph` is one."""

    @property
    def handle(self) -> KnowledgeGraph: ...


_NAME_SHOWN = 100
"""Characters of a tool's name that an error repeats."""


@cache
def registry() -> Mapping[str, Tool]:
    """Every tool by its name."""
    # Imported here: the catalogue loads all that any tool needs, and an agent that no model calls needs none of it.
    from reverie.tools.catalogue import TOOLS

    return {tool.name: tool for tool in TOOLS}


def schemas(names: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """OpenAI function schemas (strict) of the tools, all or those named, for `tools=` of a chat completion.

    Raises ValidationFailed for a name that is no tool's.
    """
    wanted = registry() if names is None else named(names)
    return [json.loads(json.dumps(tool.schema)) for tool in wanted.values()]


def named(names: Iterable[str]) -> dict[str, Tool]:
    """The tools of these names, in the order given. Raises ValidationFailed for a name that is no tool's."""
    wanted = validated(_Named, tools=(names,) if isinstance(names, str) else names).tools
    for name in wanted:
        if name not in registry():
            raise ValidationFailed("tools", f"{name!r} is no tool; the tools are {', '.join(registry())}")
    return {name: registry()[name] for name in wanted}


class _Named(Params):
    tools: Ids


class _Token(Params):
    token: Id | None


@dataclass(frozen=True)
class ToolReply:
    """What one call of a tool gave: its result as JSON, or when `failed` {"error": "how to mend the call"}."""

    text: str
    failed: bool = False


def dispatch(
    agent: Caller,
    name: str,
    arguments_json: str | bytes | Mapping[str, Any],
    *,
    graph: GraphOwner | KnowledgeGraph | None = None,
    tools: Iterable[str] | None = None,
    token: str | None = None,
) -> str:
    """Run one tool for an agent and return its result as JSON, ready to be a tool message.

    What the model did wrong comes back as {"error": "how to mend the call"}: an unknown tool or id, wrong arguments, an
    id that is taken. What it cannot mend is raised: StoreUnavailable, ConfigurationError, ModelFailed.

    `graph` is the knowledge graph (`memory.graph(app, user)`) on which `remember`, `relate`, `forget` and `load_memory`
    work; without one it is the agent's own (app and user are its id). `tools` names those that the model was given: any
    other is unknown to it; None lets it run all. `token` names the call, so that it can be made again without a second
    effect. Raises ValidationFailed when `tools` names one that there is none of.
    """
    allowed = registry() if tools is None else named(tools)
    return run(agent, name, arguments_json, allowed=allowed, graph=graph, token=token).text


def run(
    agent: Caller,
    name: str,
    arguments_json: str | bytes | Mapping[str, Any],
    *,
    allowed: Mapping[str, Tool],
    graph: GraphOwner | KnowledgeGraph | None = None,
    token: str | None = None,
) -> ToolReply:
    """Run one of the `allowed` tools, as `dispatch` does, and say whether the call failed."""
    tool = allowed.get(name) if isinstance(name, str) else None
    if tool is None:
        asked = repr(name[:_NAME_SHOWN]) if isinstance(name, str) else f"of the type {type(name).__name__}"
        return _error(f"there is no tool {asked}; the tools are {', '.join(allowed)}")
    if graph is None:
        graph = KnowledgeGraph(agent.ctx, agent.id, agent.id)
    try:
        token = validated(_Token, token=token).token
        call = Call(agent.ctx, agent.id, graph if isinstance(graph, KnowledgeGraph) else graph.handle, token)
        result = tool.run(call, validated(tool.params, _arguments(tool, arguments_json, token)))
    except (ValidationFailed, NotFound, Conflict) as error:
        return _error(str(error))
    return ToolReply(pydantic_core.to_json(result).decode())


def _error(text: str) -> ToolReply:
    return ToolReply(json.dumps({"error": text}, ensure_ascii=False), failed=True)


def _arguments(tool: Tool, given: str | bytes | Mapping[str, Any], token: str | None) -> dict[str, Any]:
    if isinstance(given, Mapping):
        arguments: Any = dict(given)
    else:
        if not isinstance(given, str | bytes | bytearray):
            raise ValidationFailed("", f"the arguments must be one JSON object, not {type(given).__name__}")
        try:
            arguments = json.loads(given) if given.strip() else {}
        except (ValueError, RecursionError) as error:
            raise ValidationFailed("", f"the arguments are no JSON ({error}); send one JSON object") from None
    if not isinstance(arguments, dict):
        raise ValidationFailed("", "the arguments must be one JSON object")
    said = {name: value for name, value in arguments.items() if value is not None}
    for name in tool.free & said.keys():
        said[name] = _read(said[name])
    if token is not None and tool.identity is not None:
        said.setdefault(tool.identity, token)
    return said


def _read(value: Any) -> Any:
    """Free JSON that came as a text; a text that is no JSON is the text itself."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
