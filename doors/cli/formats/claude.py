"""The export of Claude: `conversations.json`, a list of conversations with their messages.

Each conversation is a session.

    [{"uuid": "c-1", "name": "Moving", "chat_messages": [{"uuid": "m-1", "sender": "human",
      "created_at": "2026-05-01T12:00:00Z", "text": "I moved to Lyon."}]}]
"""

from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, field, listed, when

_ROLES = {"human": "user", "assistant": "assistant"}


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and isinstance(sample.get("chat_messages"), list)


def read(source: Source) -> Iterator[Item]:
    """The messages of all conversations."""
    for where, conversation in source.entries():
        if not matches(conversation):
            source.refuse(f"{where} is no conversation of Claude")
            continue
        session = str(field(conversation, "uuid", "name") or where)
        title = field(conversation, "name")
        for place, message in enumerate(conversation["chat_messages"], 1):
            here = f"{where}, its message {place}"
            texts = [field(one, "text") for one in listed(message, "content") if field(one, "type") == "text"]
            text = "\n".join(one for one in texts if isinstance(one, str)) or field(message, "text")
            role = _ROLES.get(str(field(message, "sender")))
            if role is None:
                source.refuse(f"{here}, sender: must be human or assistant")
                continue
            if not text:
                continue  # an attachment alone
            try:
                at = when(field(message, "created_at"))
            except ValueError:
                source.refuse(f"{here}, created_at: is no time")
                continue
            turn = source.turn(
                here,
                session,
                sender=role,
                role=role,
                content=text,
                message_id=field(message, "uuid"),
                at=at,
                metadata={"title": title} if isinstance(title, str) else None,
            )
            if turn is not None:
                yield turn
