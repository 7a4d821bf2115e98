"""An MCP server that takes the place of the reference `memory` server."""

import json
from importlib.metadata import version
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from reverie.config.errors import NotFound, ReverieError
from reverie.graph import Graph
from reverie.mcp.reference import OPERATIONS, Operation, perform
from reverie.tools.threads import in_thread

GRAPH = "memory://knowledge-graph"
_RESOURCE = Resource(
    uri=GRAPH,
    name="knowledge-graph",
    title="Knowledge Graph",
    description="The full knowledge graph with all entities and relations",
    mime_type="application/json",
)


def memory_server(graph: Graph) -> Server[Any]:
    """A server of the reference's nine tools and its resource over the graph."""
    listed = [_tool(name, operation) for name, operation in OPERATIONS.items()]

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(_: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        name, arguments = asked.name, asked.arguments or {}
        if name not in OPERATIONS:
            return _failed(f"there is no tool {name[:100]!r}; the tools are {', '.join(OPERATIONS)}")
        try:
            found = await in_thread(lambda: perform(graph, name, arguments))
        except NotFound as error:
            return _failed(f"Entity with name {error.id} not found")
        except ReverieError as error:
            return _failed(str(error))
        return _reply(OPERATIONS[name], found)

    async def list_resources(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=[_RESOURCE])

    async def read_resource(_: ServerRequestContext[Any], asked: ReadResourceRequestParams) -> ReadResourceResult:
        if str(asked.uri) != GRAPH:
            raise MCPError(INVALID_PARAMS, f"there is no resource {str(asked.uri)[:200]!r}; there is {GRAPH}")
        found = await in_thread(lambda: perform(graph, "read_graph", {}))
        held = TextResourceContents(uri=GRAPH, mime_type="application/json", text=_text(found))
        return ReadResourceResult(contents=[held])

    return Server(
        "memory-server",
        version=version("reverie"),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _tool(name: str, operation: Operation) -> Tool:
    annotations = ToolAnnotations(
        read_only_hint=operation.reads,
        destructive_hint=operation.destroys,
        idempotent_hint=operation.reads or operation.destroys,
        open_world_hint=False,
    )
    return Tool(
        name=name,
        title=operation.title,
        description=operation.description,
        input_schema=_schema(operation.takes.model_json_schema()),
        output_schema=_closed(_schema(operation.gives.model_json_schema())),
        annotations=annotations,
    )


def _schema(made: dict[str, Any]) -> dict[str, Any]:
    """A schema of pydantic as the reference shows it: written out where it stands, with no titles."""
    shapes = made.get("$defs", {})

    def plain(part: Any) -> Any:
        if isinstance(part, list):
            return [plain(one) for one in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return plain(shapes[part["$ref"].rsplit("/", 1)[1]])
        kept = {key: value for key, value in part.items() if key not in ("title", "$defs")}
        if kept.get("type") == "object":
            kept.pop("description", None)
            kept["properties"] = {name: plain(one) for name, one in kept.get("properties", {}).items()}
            return kept
        return {key: plain(value) for key, value in kept.items()}

    shown: dict[str, Any] = plain(made)
    return shown


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with no other properties in any of its objects, as replies are."""
    inner = {key: _closed(value) if isinstance(value, dict) else value for key, value in schema.items()}
    return {**inner, "additionalProperties": False} if schema.get("type") == "object" else inner


def _reply(operation: Operation, found: dict[str, Any]) -> CallToolResult:
    """The reply twice, as the reference gives it: as a text for models, and as structured content."""
    if operation.whole:
        text = _text(found)
    else:
        text = str(found["message"]) if "message" in found else _text(next(iter(found.values())))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=found)


def _failed(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _text(found: Any) -> str:
    return json.dumps(found, indent=2, ensure_ascii=False)
