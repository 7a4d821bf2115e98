"""`reverie mcp`: the memory as an MCP server."""

from enum import StrEnum
from importlib.util import find_spec
from typing import Annotated

import typer

from reverie import Memory
from reverie.cli.output import AgentId, Namespace
from reverie.config.errors import ConfigurationError
from reverie.tools.view import AGENT, CURATE


class Tools(StrEnum):
    """Which tools a client sees."""

    curate = "curate"
    agent = "agent"
    all = "all"


class Face(StrEnum):
    """As what the server shows itself."""

    reverie = "reverie"
    memory = "memory"


_NAMES = {Tools.curate: CURATE, Tools.agent: AGENT, Tools.all: None}


def register(app: typer.Typer) -> None:
    app.command()(mcp)


def mcp(
    namespace: Namespace = None,
    agent: AgentId = "assistant",
    app: Annotated[str, typer.Option("--app", help="The app whose knowledge graph it is.")] = "mcp",
    user: Annotated[str, typer.Option("--user", "-u", help="The user whose knowledge graph it is.")] = "default",
    tools: Annotated[
        Tools,
        typer.Option("--tools", help="curate: what is known of the user; agent: messages, goals, tasks and facts too."),
    ] = Tools.curate,
    face: Annotated[
        Face, typer.Option("--as", help="memory: the nine tools of the reference memory server, as a drop-in for it.")
    ] = Face.reverie,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of stdio.")] = False,
    host: Annotated[str, typer.Option("--host", help="With --http: a loopback address.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="With --http.", min=1, max=65535)] = 8765,
) -> None:
    """Serve the memory to MCP clients, over stdio unless --http is given; needs the extra `mcp`."""
    if find_spec("mcp") is None:
        raise ConfigurationError("the MCP server needs the extra: pip install 'reverie[mcp]'")
    # Imported here: the MCP library is an extra, and no other command needs it.
    from reverie.mcp.agent import agent_server
    from reverie.mcp.drop_in import memory_server
    from reverie.mcp.serving import over_http, over_stdio

    with Memory(namespace) as memory:
        graph = memory.graph(app=app, user=user)
        if face is Face.memory:
            server = memory_server(graph)
        else:
            server = agent_server(memory.agent(agent), graph, _NAMES[tools])
        if http:
            over_http(server, host, port)
        else:
            over_stdio(server)
