"""Running an MCP server over stdio or streamable HTTP."""

import ipaddress
from typing import Any

import anyio
import uvicorn

from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from reverie.config.errors import ValidationFailed

LARGEST_BODY = 4 * 1024 * 1024
"""Bytes of one request: the largest text (1 MiB) as JSON with every character escaped, and the protocol around it."""


def over_stdio(server: Server[Any]) -> None:
    """Serve one client over stdin and stdout, until it closes them."""

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def over_http(server: Server[Any], host: str, port: int) -> None:
    """Serve at http://host:port/mcp until interrupted. Raises ValidationFailed for a host that others can reach.

    Requests that name another host, as a page does that was rebound to this machine, are refused, and so are those of
    web pages from elsewhere.
    """
    if not is_loopback(host):
        raise ValidationFailed("host", f"{host!r} is no loopback address, and without tokens nobody else is let in")
    name = f"[{host}]" if ":" in host else host
    hosts = sorted({f"{one}:{port}" for one in (name, "localhost", "127.0.0.1", "[::1]")})
    guard = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{one}" for one in hosts])
    app = server.streamable_http_app(transport_security=guard, max_request_body_size=LARGEST_BODY, host=host)
    uvicorn.run(
        app, host=host, port=port, log_level="warning", timeout_keep_alive=30, h11_max_incomplete_event_size=65536
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
