"""A choice of tools over one agent's memory: their schemas, and a dispatch that runs no other."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.tools.registry import Caller, GraphOwner, ToolReply, named, registry, run
from reverie.tools.tool import Tool

CURATE = ("remember", "relate", "forget", "load_memory")
"""The tools by which an agent keeps what it knows of a user."""
AGENT = (
    "observe",
    "recall",
    "create_goal",
    "complete_goal",
    "list_goals",
    "goal_context",
    "create_task",
    "start_task",
    "complete_task",
    "list_tasks",
    "assert_fact",
    "invalidate_fact",
    "find_facts",
    "instructions",
    *CURATE,
)
"""The tools by which an agent with goals works; few enough that a model chooses well among them."""


class ToolView:
    """Some of the tools for one agent: what a framework shows to a model, and runs for it.

    A tool outside the choice is unknown here, whatever the model asks for.
    """

    def __init__(
        self,
        agent: Caller,
        names: Iterable[str] | None = None,
        *,
        graph: GraphOwner | KnowledgeGraph | None = None,
    ) -> None:
        self._agent = agent
        self._graph = graph
        self._tools: Mapping[str, Tool] = registry() if names is None else named(names)

    @property
    def names(self) -> tuple[str, ...]:
        """The tools of the view, in their order."""
        return tuple(self._tools)

    def schemas(self) -> list[dict[str, Any]]:
        """Their OpenAI function schemas (strict), for `tools=` of a chat completion."""
        return [json.loads(json.dumps(tool.schema)) for tool in self._tools.values()]

    def tool(self, name: str) -> Tool:
        """One of the tools. Raises KeyError for a name that is not of the view."""
        return self._tools[name]

    def dispatch(
        self, name: str, arguments_json: str | bytes | Mapping[str, Any], *, token: str | None = None
    ) -> ToolReply:
        """Run one of the tools; what a model did wrong is a reply that `failed` and says how to mend the call.

        `token` names the call, so that it can be made again without a second effect. Raises what a model cannot mend:
        StoreUnavailable, ConfigurationError, ModelFailed.
        """
        return run(self._agent, name, arguments_json, allowed=self._tools, graph=self._graph, token=token)

    async def dispatch_async(
        self, name: str, arguments_json: str | bytes | Mapping[str, Any], *, token: str | None = None
    ) -> ToolReply:
        """The same off the event loop, in one of at most 8 threads.

        A call that is cancelled before its thread began is not made. One that runs is waited for, so that whoever
        cancelled never goes on while a write is still on its way.
        """
        # Imported here: only who calls from an event loop needs it.
        from reverie.tools.threads import in_thread

        return await in_thread(lambda: self.dispatch(name, arguments_json, token=token))
