"""Rows of what was said: messages and the chunks of long ones."""

import json
from collections.abc import Sequence
from typing import Any

from reverie.pipelines.rows.draft import Draft
from reverie.store import timeline
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ChunkRecord, MessageRecord
from reverie.store.rows import Row

CONTEXT_MESSAGES = 2
_BEFORE_CHARS = 300


def asks(text: str) -> bool:
    """Whether a text ends in a question."""
    return text.rstrip().endswith(("?", "？", "؟"))


def searched_text(message: MessageRecord) -> str:
    """What a message is found by and shown with: its content, or the calls it makes when it says nothing beside them.

    Calls are read from `tool_calls` of its metadata as model APIs write them; "" when there is neither.
    """
    if message.content.replace("\0", " ").strip():
        return message.content
    calls = message.metadata.get("tool_calls")
    named = [_call(call) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return "\n".join(call for call in named if call)


def _call(call: dict[str, Any]) -> str:
    function = call.get("function")
    asked = function if isinstance(function, dict) else call
    name, given = asked.get("name"), asked.get("arguments", asked.get("input"))
    if not isinstance(name, str):
        return ""
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return f"calls {name} {arguments}" if given else f"calls {name}"


def message_draft(message: MessageRecord, preceding: Sequence[MessageRecord]) -> Draft:
    """A message is embedded together with the end of the message before it: alone, a short reply says too little.

    Keywords come from its own words and, at a lower weight, from the two messages before it and its date in words.
    """
    text = searched_text(message)
    said = f"{message.sender}: {text}"
    before = f"{preceding[-1].sender}: {preceding[-1].content[-_BEFORE_CHARS:]}\n" if preceding else ""
    context = " ".join(f"{earlier.sender} {earlier.content}" for earlier in preceding[-CONTEXT_MESSAGES:])
    day = message.at.strftime("%d %B %Y").lstrip("0")
    row = Row(
        kind="message",
        id=message.id,
        text=text,
        label=message.sender,
        context=f"{context} {day}",
        at=message.at,
        agent=message.agent,
        session=message.session,
        participants=tuple(dict.fromkeys([message.sender, *message.addressed_to])),
        sources=(message.id,),
        previous=preceding[-1].id if preceding else None,
        answers=bool(preceding) and asks(preceding[-1].content),
    )
    return Draft(row, before + said, message.revision)


def message_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    found = [record for record in ns.get_many(MessageRecord, ids) if record is not None]
    before = timeline.preceding(ns, found, CONTEXT_MESSAGES)
    return [message_draft(message, earlier) for message, earlier in zip(found, before, strict=True)]


def chunk_draft(chunk: ChunkRecord, message: MessageRecord) -> Draft:
    row = Row(
        kind="chunk",
        id=chunk.id,
        text=chunk.text,
        label=message.sender,
        at=message.at,
        agent=message.agent,
        session=message.session,
        participants=(message.sender,),
        sources=(message.id,),
    )
    return Draft(row, f"{message.sender}: {chunk.text}", chunk.revision)


def chunk_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    chunks = [chunk for chunk in ns.get_many(ChunkRecord, ids) if chunk is not None]
    messages = ns.get_many(MessageRecord, [chunk.message for chunk in chunks])
    return [chunk_draft(c, m) for c, m in zip(chunks, messages, strict=True) if m is not None]
