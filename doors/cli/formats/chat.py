"""Messages as Reverie and chat models write them: JSON Lines, or one JSON list.

Each has sender and content, and of message_id, session, at, role, addressed_to, metadata, content_type, tool_calls and
tool_call_id what is known. Messages as chat models take and give them have no sender: it is their name, or their role.

    {"role": "user", "content": "I moved to Lyon in May."}
"""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError, model_validator

from reverie.cli.formats.base import Item, Source, Turn, made_id
from reverie.tools.fields import Id, failure
from reverie.tools.observe import ObserveParams

_UNUSED = ("refusal", "audio", "function_call", "annotations")
"""What a chat model's message has beside, most often empty."""


class _ChatLine(ObserveParams):
    session: Id | None = None

    @model_validator(mode="before")
    @classmethod
    def _with_sender(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        made = {name: value for name, value in given.items() if name not in _UNUSED or value not in (None, [])}
        if made.get("sender") is None and (said_by := made.get("name") or made.get("role")) is not None:
            made["sender"] = said_by
            made.pop("name", None)
        return made


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and "content" in sample and bool({"role", "sender"} & sample.keys())


def read(source: Source) -> Iterator[Item]:
    """The messages of a file in order."""
    for place, where, entry in source.numbered():
        try:
            line = _ChatLine.model_validate(entry)
        except (ValidationError, RecursionError) as error:
            if isinstance(error, RecursionError):
                source.refuse(f"{where} is nested too deep")
                continue
            wrong = failure(error)
            source.refuse(f"{where}{f', {wrong.field}' if wrong.field else ''}: {wrong.reason}")
            continue
        session = line.session or source.path.stem
        given = line.model_dump(exclude={"session"}, exclude_unset=True)
        made = made_id(session, place, line.sender, line.content)
        yield Turn(session, ObserveParams(**{"message_id": made, **given}))
