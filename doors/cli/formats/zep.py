"""A dump of Zep or Graphiti: episodes, and the graph that was made of them.

Episodes become messages, and edges facts with the times at which they held.

    {"episodes": [{"uuid": "e-1", "content": "Ana: I moved to Lyon.", "source": "message", "group_id": "ana",
                   "valid_at": "2026-05-01T12:00:00Z"}],
     "nodes": [{"uuid": "n-1", "name": "Ana"}, {"uuid": "n-2", "name": "Lyon"}],
     "edges": [{"uuid": "d-1", "source_node_uuid": "n-1", "target_node_uuid": "n-2", "name": "LIVES_IN",
                "fact": "Ana lives in Lyon", "valid_at": "2026-05-01T00:00:00Z", "invalid_at": null}]}
"""

import re
from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Claim, Item, Source, field, listed, when
from reverie.config.errors import ValidationFailed

_SPEAKER = re.compile(r"^([^:\n]{1,80}?)(?: ?\((user|assistant|system)\))?: ?(.+)$", re.DOTALL)


def matches(sample: Any) -> bool:
    """Whether a document is written so."""
    return isinstance(sample, dict) and ("edges" in sample or "episodes" in sample or "facts" in sample)


def read(source: Source) -> Iterator[Item]:
    """The messages of the episodes, then the facts of the edges."""
    dump = source.document
    if not matches(dump):
        raise ValidationFailed("file", f"{source.path} is no dump of Zep or Graphiti")
    for place, episode in enumerate(listed(dump, "episodes"), 1):
        yield from _episode(source, f"episode {place}", episode)
    names = {str(field(node, "uuid")): field(node, "name") for node in listed(dump, "nodes", "entities")}
    for place, edge in enumerate(listed(dump, "edges", "facts"), 1):
        yield from _edge(source, f"edge {place}", edge, names)


def _episode(source: Source, where: str, episode: Any) -> Iterator[Item]:
    content = field(episode, "content")
    said = _SPEAKER.match(content) if isinstance(content, str) and field(episode, "source") == "message" else None
    try:
        at = when(field(episode, "valid_at", "created_at"))
    except ValueError:
        source.refuse(f"{where}, valid_at: is no time")
        return
    group = str(field(episode, "session_id", "group_id") or "zep")
    turn = source.turn(
        where,
        group,
        sender=said[1].strip() if said else str(field(episode, "role") or group),
        role=said[2] if said else None,
        content=said[3] if said else content,
        message_id=field(episode, "uuid"),
        at=at,
    )
    if turn is not None:
        yield turn


def _edge(source: Source, where: str, edge: Any, names: dict[str, Any]) -> Iterator[Item]:
    ends = [
        field(edge, f"{end}_node_name") or names.get(str(field(edge, f"{end}_node_uuid")))
        for end in ("source", "target")
    ]
    name = field(edge, "name", "relation")
    if not all(isinstance(one, str) for one in (*ends, name)):
        source.refuse(f"{where} names no two nodes and a relation")
        return
    try:
        begins, ended = when(field(edge, "valid_at", "created_at")), when(field(edge, "invalid_at", "expired_at"))
    except ValueError:
        source.refuse(f"{where}, valid_at: is no time")
        return
    id = str(field(edge, "uuid") or where)
    yield Claim(id, str(ends[0]), str(name).replace("_", " ").lower(), str(ends[1]), begins, ended)
