"""What the JSON documents of tasks, and their results, name and say."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

_NAMED: Final = {
    "message": {"message_id"},
    "session": {"session", "session_id"},
    "participant": {"sender", "agent"},
    "user": {"sender", "agent", "graph_user"},
}
"""The fields of a document, or of the arguments in it, that name what a scope forgets."""
TELLING: Final = 12
"""Bytes from which a text is known again inside another."""


def names(document: Any, scope: str, id: str) -> bool:
    """Whether a document is of what is to be forgotten."""
    if not isinstance(document, dict):
        return False
    fields, arguments = _NAMED[scope], document.get("arguments")
    if "sender" in document or document.get("tool") == "observe":
        fields = fields - {"agent"}  # a message is its sender's, whoever heard it
    given = {**document, **arguments} if isinstance(arguments, dict) else document
    return any(given.get(name) == id for name in fields)


def says(document: Any, texts: Iterable[str]) -> bool:
    """Whether a document repeats one of these texts; a short one only counts whole, else any word would hold it."""
    known, said = list(texts), list(_texts(document))
    return any(text == one or (is_telling(text) and text in one) for one in said for text in known)


def is_telling(text: str) -> bool:
    return len(text.encode()) >= TELLING


def _texts(document: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list):
        for value in document.values() if isinstance(document, dict) else document:
            yield from _texts(value)
