"""Messages as transcripts hold them: content of several parts, no content beside tool calls."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticCustomError

_TEXTS = ("text", "refusal")
"""Keys under which a part holds its text, in the APIs of OpenAI and of those that follow it."""
KEPT = ("tool_calls", "tool_call_id")
"""Fields of a transcript's message that are kept in its metadata, under their own names."""
PARTS = "parts"
"""Under which the metadata keeps content that came as a list, as it came."""


def text_of(content: Any) -> Any:
    """The text of a message's content: of a list the texts of its parts, joined by line breaks; of None "".

    A part is a text, or an object with its text under `text` or `refusal`; parts of other kinds, such as pictures, have
    none. Anything else is given back as it is, for the validation to judge. Raises PydanticCustomError for a part that
    is neither.
    """
    if content is None:
        return ""
    if not isinstance(content, list | tuple):
        return content
    texts = [_text(place, part) for place, part in enumerate(content)]
    return "\n".join(text for text in texts if text)


def _text(place: int, part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        raise PydanticCustomError(
            "not_a_part",
            "part {place} must be a text or an object, not {kind}",
            {"place": place, "kind": type(part).__name__},
        )
    for key in _TEXTS:
        text = part.get(key)
        if isinstance(text, Mapping):
            text = text.get("value")
        if isinstance(text, str):
            return text
    return ""


def settled(given: Any) -> Any:
    """The fields of a message with those that are kept in its metadata put there.

    Content may be left out beside tool calls. What is no mapping, and metadata that is none, is left to the validation.
    """
    if not isinstance(given, Mapping):
        return given
    fields = dict(given)
    metadata = fields.get("metadata", {})
    if not isinstance(metadata, Mapping):
        return given
    kept = {key: fields.pop(key) for key in KEPT if key in fields}
    kept = {key: value for key, value in kept.items() if value is not None}
    if isinstance(fields.get("content"), list | tuple):
        kept[PARTS] = fields["content"]
    for key, value in kept.items():
        if key in metadata and metadata[key] != value:
            raise PydanticCustomError("kept", "metadata holds another {key} already; leave it out there", {"key": key})
    if "tool_calls" in kept or metadata.get("tool_calls"):
        fields.setdefault("content", "")
    if kept:
        fields["metadata"] = {**metadata, **kept}
    return fields
