"""What mem0's `get_all` gives: its memories, each a sentence of one user, agent or run.

Each becomes a message of its owner, so that it is searched and read like anything else that was said.

    {"results": [{"id": "7f…", "memory": "Moved to Lyon in May", "user_id": "ana",
                  "created_at": "2026-05-01T12:00:00-07:00", "metadata": {"category": "home"}}]}
"""

from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, field, when
from reverie.config.errors import ValidationFailed


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and isinstance(sample.get("memory"), str) and "id" in sample


def read(source: Source) -> Iterator[Item]:
    """The memories, those that mem0 updated by when that was."""
    for number, memory in enumerate(_listed(source), 1):
        where = f"memory {number}"
        if not matches(memory):
            source.refuse(f"{where} is no memory of mem0")
            continue
        try:
            at = when(field(memory, "updated_at", "created_at"))
        except ValueError:
            source.refuse(f"{where}, created_at: is no time")
            continue
        owner = str(field(memory, "user_id", "actor_id", "agent_id") or "user")
        about = {name: memory[name] for name in ("categories", "agent_id", "run_id") if memory.get(name)}
        turn = source.turn(
            where,
            str(field(memory, "run_id") or f"mem0/{owner}"),
            sender=owner,
            content=memory["memory"],
            message_id=str(memory["id"]),
            at=at,
            metadata={**about, **(field(memory, "metadata") or {})},
        )
        if turn is not None:
            yield turn


def _listed(source: Source) -> list[Any]:
    found = source.document
    listed = found if isinstance(found, list) else field(found, "results", "memories")
    if not isinstance(listed, list):
        raise ValidationFailed("file", f"{source.path} holds no memories of mem0")
    return listed
