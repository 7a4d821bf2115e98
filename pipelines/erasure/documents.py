"""What the JSON documents of tasks, and their results, name and say."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from reverie.knowledge.reasons import REASONS

_NAMED: Final = {
    "message": {"message_id"},
    "episode": {"episode_id"},
    "action": {"action_id"},
    "fact": {"fact_id"},
    "session": {"session", "session_id"},
    "participant": {"sender", "agent"},
    "user": {"sender", "agent", "graph_user"},
}
"""The fields of a document, or of the arguments in it, that name what a scope forgets."""
_STRUCTURE: Final = frozenset(
    {
        "action", "agent", "artifact", "bearings", "by", "changes", "content_type", "depends_on_task_id", "digest",
        "entity", "format",
        "goal_id", "graph", "id", "involved", "kind", "kind_of_thing", "members", "message", "method", "mood", "origin",
        "parent_goal_id", "pk", "previous_action", "provenance", "retired_by", "role", "session", "since_told", "slot",
        "sources",
        "subtask_of_task_id", "task_id", "told", "told_from", "told_to", "triggered_by", "type", "until_told",
    }
)  # fmt: skip
"""Fields of records that hold ids and words of the machine."""
_TIME_OR_ID: Final = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)|[ort]?[0-9a-f]{24}|[0-9a-f]{32}|[0-7][0-9A-HJKMNP-TV-Z]{25}"
)
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


def texts_of(record: Any) -> Iterator[str]:
    """Every text in a record's document that is neither an id, nor a time, nor a word of the machine."""
    if isinstance(record, str):
        if record.strip() and record not in REASONS and not _TIME_OR_ID.fullmatch(record):
            yield record
    elif isinstance(record, dict):
        for name, value in record.items():
            if name not in _STRUCTURE:
                yield from texts_of(value)
    elif isinstance(record, list):
        for value in record:
            yield from texts_of(value)


def _texts(document: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list):
        for value in document.values() if isinstance(document, dict) else document:
            yield from _texts(value)
