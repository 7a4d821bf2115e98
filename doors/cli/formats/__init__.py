"""What `reverie ingest` reads: conversations, notes, and what other memories held. Each format has a file here.

A module of a format reads a `Source` into items with `read`, and says with `matches` whether an entry is written so.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

from reverie.cli.formats import (
    agent_memory_server,
    chat,
    chatgpt,
    claude,
    langgraph,
    locomo,
    markdown,
    mcp_memory,
    mem0,
    slack,
    whatsapp,
    zep,
)
from reverie.cli.formats.base import Claim, Item, Skip, Source, Thing, Tie, Turn
from reverie.config.errors import ValidationFailed

__all__ = ["Claim", "Format", "Item", "Skip", "Thing", "Tie", "Turn", "guess", "items", "read"]

Format = Literal[
    "agent-memory-server",
    "chat",
    "chatgpt",
    "claude",
    "langgraph",
    "locomo",
    "markdown",
    "mcp-memory",
    "mem0",
    "slack",
    "whatsapp",
    "zep",
]
_READERS = {
    "agent-memory-server": agent_memory_server,
    "chat": chat,
    "chatgpt": chatgpt,
    "claude": claude,
    "langgraph": langgraph,
    "markdown": markdown,
    "mcp-memory": mcp_memory,
    "mem0": mem0,
    "slack": slack,
    "whatsapp": whatsapp,
    "zep": zep,
}
_BY_ENTRY = ("locomo", "chatgpt", "claude", "slack", "mem0", "langgraph", "mcp-memory", "agent-memory-server", "chat")
"""Formats of which one entry tells, those that say more of it first."""


def read(path: Path, format: Format, conversation: int | None = None, *, skip: Skip | None = None) -> list[Turn]:
    """The messages of a file in order. Raises ValidationFailed that says where the file is wrong.

    skip: is given what is wrong with an entry, and the others are read; without it one refuses the file.
    """
    return [item for item in items(path, format, conversation, skip=skip) if isinstance(item, Turn)]


def items(path: Path, format: Format, conversation: int | None = None, *, skip: Skip | None = None) -> Iterator[Item]:
    """All that a file or folder holds, in order; as `read`."""
    source = Source(path, skip or _refuse)
    if format == "locomo":
        yield from locomo.read(source, conversation)
        return
    if conversation is not None:
        raise ValidationFailed("conversation", "only files of the format locomo hold several conversations")
    yield from _READERS[format].read(source)


def _refuse(wrong: ValidationFailed) -> None:
    raise wrong from None


def guess(path: Path) -> Format:
    """How a file or folder is written, by its beginning. Raises ValidationFailed when it is like none that is known."""
    known = ", ".join(get_args(Format))
    if path.is_dir():
        if slack.matches_folder(path):
            return "slack"
        if markdown.matches_folder(path):
            return "markdown"
        raise ValidationFailed("format", f"{path} is no folder of Slack and has no notes; name one of {known}")
    if path.suffix.lower() in (".md", ".markdown"):
        return "markdown"
    source = Source(path, lambda _: None)
    if whatsapp.matches(source.text[:4096]):
        return "whatsapp"
    sample = _sample(source)
    inner = sample.get("results") or sample.get("memories") if isinstance(sample, dict) else None
    if isinstance(inner, list) and inner and mem0.matches(inner[0]):
        return "mem0"
    for name in _BY_ENTRY:
        module = locomo if name == "locomo" else _READERS[name]
        if module.matches(sample):
            return name  # type: ignore[return-value]  # names of the Literal
    if zep.matches(sample):
        return "zep"
    if isinstance(inner, list) and inner and agent_memory_server.matches(inner[0]):
        return "agent-memory-server"
    raise ValidationFailed("format", f"{path} is like no format that is known; name one of {known}")


def _sample(source: Source) -> Any:
    """The first entry of a file, or the whole document where it is one; None where neither can be read."""
    try:
        document = source.document
    except ValidationFailed:
        document = next((entry for _, entry in source.entries()), None)
    return next(iter(document), None) if isinstance(document, list) else document
