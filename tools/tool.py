"""What a tool is to a model: its name, its parameters, and what runs a call of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reverie.pipelines.context import Context
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.tools.fields import Params
from reverie.tools.strict import free_fields, function_tool


@dataclass(frozen=True)
class Call:
    """One call of a tool. `token` names it: the same call made again has the same, and has no second effect."""

    ctx: Context
    agent: str
    graph: KnowledgeGraph
    token: str | None = None


@dataclass(frozen=True)
class Tool:
    """One tool: its name, what it is for, its parameters, and what runs it.

    `identity` is the parameter that names what it creates; where a model leaves it out, a call's token stands for it.
    """

    name: str
    description: str
    params: type[Params]
    run: Callable[[Call, Any], object]
    identity: str | None = None

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The OpenAI function schema, strict."""
        return function_tool(self.name, self.description, self.params)

    @cached_property
    def free(self) -> frozenset[str]:
        """The parameters that travel as a JSON text."""
        return free_fields(self.params)
