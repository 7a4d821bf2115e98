"""Dead letters that hold what is being forgotten: they keep the documents that could not be worked on, text and all."""

import json
from collections.abc import Iterator
from typing import Any

from reverie.pipelines.erasure.report import Tally
from reverie.store import work
from reverie.store.keys import encode

_NAMED = {
    "message": {"message_id", "triggered_by_message_id"},
    "session": {"session", "session_id"},
    "participant": {"sender", "agent"},
    "user": {"sender", "agent", "graph_user", "user"},
}
"""The fields of a document that name what a scope forgets."""


def drop_letters(tally: Tally, scope: str, id: str) -> None:
    """Drop the dead letters that name the erased or hold its words."""
    space = tally.kb.space
    for letter in work.dead_letters(space):
        if _concerns(tally, letter.entry, scope, id) and work.drop(space, letter.id):
            tally.dead_letters += 1


def _concerns(tally: Tally, entry: str, scope: str, id: str) -> bool:
    if any(entry in (one, f"{kind}:{encode(one)}") for kind, one in tally.ids):
        return True
    if scope == "session" and entry.startswith(f"{encode(id)}@"):
        return True
    try:
        document = json.loads(entry)
    except ValueError:
        return any(text in entry for text in tally.texts)
    erased = {one for kind, one in tally.ids if kind == "message"}
    return any(
        (name in _NAMED[scope] and value == id)
        or (name in _NAMED["message"] and value in erased)
        or any(text in value for text in tally.texts)
        for name, value in _fields(document)
    )


def _fields(document: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document with the name of the field it stands in."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _fields(value, key)
    elif isinstance(document, list):
        for value in document:
            yield from _fields(value, name)
    elif isinstance(document, str):
        yield name, document
