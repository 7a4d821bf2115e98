"""The export of ChatGPT: `conversations.json`, a list of conversations, each a tree of messages.

What is read is the branch that the conversation ends in, as it is shown.

    [{"id": "c-1", "title": "Moving", "current_node": "n", "mapping": {"n": {"parent": null, "message":
      {"id": "m-1", "author": {"role": "user"}, "create_time": 1777636800.5,
       "content": {"parts": ["I moved to Lyon."]}}}}}]
"""

from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, field, listed, when


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and isinstance(sample.get("mapping"), dict)


def read(source: Source) -> Iterator[Item]:
    """The messages of all conversations."""
    for where, conversation in source.entries():
        if not matches(conversation):
            source.refuse(f"{where} is no conversation of ChatGPT")
            continue
        session = str(field(conversation, "conversation_id", "id", "title") or where)
        for node, message in _branch(conversation):
            yield from _turn(source, f"{where}, node {node}", session, conversation.get("title"), message)


def _branch(conversation: dict[str, Any]) -> list[tuple[str, Any]]:
    """The messages from the first one to the one that the conversation ends in, by their nodes."""
    nodes = conversation["mapping"]
    parents = {str(field(one, "parent")) for one in nodes.values()}
    leaves = [name for name in nodes if name not in parents]
    name = conversation.get("current_node") or (leaves[-1] if leaves else None)
    branch: list[tuple[str, Any]] = []
    seen = set[str]()
    while isinstance(name, str) and name in nodes and name not in seen:
        seen.add(name)
        branch.append((name, field(nodes[name], "message")))
        name = field(nodes[name], "parent")
    return branch[::-1]


def _turn(source: Source, where: str, session: str, title: Any, message: Any) -> Iterator[Item]:
    role = field(field(message, "author"), "role")
    content = field(message, "content")
    parts = [one if isinstance(one, str) else field(one, "text") for one in listed(content, "parts")]
    text = "\n".join(one for one in parts if isinstance(one, str) and one.strip()) or field(content, "text")
    if role not in ("user", "assistant", "tool") or not text:
        return  # the root, system prompts and pictures say nothing
    try:
        at = when(field(message, "create_time"))
    except ValueError:
        source.refuse(f"{where}, create_time: is no time")
        return
    turn = source.turn(
        where,
        session,
        sender=role,
        role=role,
        content=text,
        message_id=field(message, "id"),
        at=at,
        metadata={"title": title} if isinstance(title, str) and title else None,
    )
    if turn is not None:
        yield turn
