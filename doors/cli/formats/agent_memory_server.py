"""Redis' agent-memory-server: working memories with their messages, and long-term memories.

Each long-term memory becomes a message of its user.

    {"session_id": "s-1", "user_id": "ana", "messages": [{"id": "m-1", "role": "user", "content": "I moved to Lyon.",
     "created_at": "2026-05-01T12:00:00Z"}], "memories": [{"id": "l-1", "text": "Ana lives in Lyon", "user_id": "ana"}]}
"""

from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, field, listed, when

_ABOUT = ("topics", "entities", "memory_type", "namespace")


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    if not isinstance(sample, dict):
        return False
    is_memory = isinstance(sample.get("text"), str) and bool({"memory_type", "user_id", "session_id"} & sample.keys())
    return is_memory or ("session_id" in sample and bool({"messages", "memories"} & sample.keys()))


def read(source: Source) -> Iterator[Item]:
    """The messages of all working memories, and the long-term memories, each a message of its user."""
    found = source.document if source.text.lstrip().startswith("{") and "\n{" not in source.text else None
    whole = [("the document", found)] if isinstance(found, dict) and matches(found) else None
    if whole is None and isinstance(found, dict):
        whole = [(f"memory {place}", one) for place, one in enumerate(listed(found, "memories"), 1)]
    for where, one in whole if whole is not None else source.entries():
        if not matches(one):
            source.refuse(f"{where} is no memory of agent-memory-server")
        elif isinstance(one.get("text"), str):
            yield from _memory(source, where, one, {})
        else:
            for place, message in enumerate(listed(one, "messages"), 1):
                yield from _message(source, f"{where}, its message {place}", message, one)
            for place, memory in enumerate(listed(one, "memories"), 1):
                yield from _memory(source, f"{where}, its memory {place}", memory, one)


def _message(source: Source, where: str, message: Any, working: dict[str, Any]) -> Iterator[Item]:
    role = field(message, "role")
    yield from _turn(
        source,
        where,
        message,
        session=str(working["session_id"]),
        sender=str(field(working, "user_id") or "user") if role == "user" else str(role),
        role=role,
        content=field(message, "content"),
    )


def _memory(source: Source, where: str, memory: Any, working: dict[str, Any]) -> Iterator[Item]:
    owner = str(field(memory, "user_id") or field(working, "user_id") or "user")
    session = field(memory, "session_id") or field(working, "session_id") or f"agent-memory-server/{owner}"
    about = {name: memory[name] for name in _ABOUT if field(memory, name) is not None}
    content = field(memory, "text")
    yield from _turn(source, where, memory, session=str(session), sender=owner, content=content, metadata=about)


def _turn(source: Source, where: str, one: Any, session: str, **given: Any) -> Iterator[Item]:
    try:
        at = when(field(one, "event_date", "created_at"))
    except ValueError:
        source.refuse(f"{where}, created_at: is no time")
        return
    turn = source.turn(where, session, message_id=field(one, "id"), at=at, **given)
    if turn is not None:
        yield turn
