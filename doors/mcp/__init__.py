"""The memory as an MCP server: its tools, resources and a prompt, or the calls of the reference `memory` server.

Needs the extra `reverie[mcp]`. This room may use `memory` and whatever lies below it.
"""
