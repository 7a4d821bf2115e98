"""Conversations in files: what `reverie ingest` reads.

chat: JSON Lines, or one JSON list, of messages: sender and content, and of message_id, session, at, role,
addressed_to, metadata, content_type, tool_calls, tool_call_id what is known. Messages as chat models take and give them
have no sender: it is their name, or else their role.

locomo: the data set's JSON list of conversations, each with its dated sessions of turns.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from reverie.config.errors import ValidationFailed
from reverie.tools.fields import Id, failure
from reverie.tools.observe import ObserveParams

Format = Literal["chat", "locomo"]
_LOCOMO_TIME = "%I:%M %p on %d %B, %Y"
_TURN = timedelta(seconds=30)
"""LoCoMo dates sessions, not turns; its turns are set this far apart."""


@dataclass(frozen=True)
class Turn:
    """A message and the session it belongs to."""

    session: str
    message: ObserveParams


Skip = Callable[[ValidationFailed], None]
"""Is told of a message that cannot be stored, where it stands and why."""

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


def read(path: Path, format: Format, conversation: int | None = None, *, skip: Skip | None = None) -> list[Turn]:
    """The file's messages in order. Raises ValidationFailed that says where the file is wrong.

    skip: is given what is wrong with a message, and the others are read; without it one wrong message refuses the file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValidationFailed("file", f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValidationFailed("file", f"{path} is not UTF-8 text") from None
    if format == "locomo":
        return list(_locomo(_parsed(text, path), path, conversation, skip or _refuse))
    if conversation is not None:
        raise ValidationFailed("conversation", "only files of the format locomo hold several conversations")
    return list(_chat(text, path, skip or _refuse))


def _refuse(wrong: ValidationFailed) -> None:
    raise wrong from None


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValidationFailed("file", f"{path}:{error.lineno} is not JSON: {error.msg}") from None


def _chat(text: str, path: Path, skip: Skip) -> Iterator[Turn]:
    entries: list[tuple[str, Any]]
    if text.lstrip().startswith("["):
        entries = [(f"message {place}", entry) for place, entry in enumerate(_parsed(text, path), 1)]
    else:
        lines = enumerate(text.split("\n"), 1)  # `splitlines` also splits where a message holds a line separator
        entries = [(f"line {place}", _Line(line)) for place, line in lines if line.strip()]
    for place, (where, entry) in enumerate(entries):
        try:
            line = _ChatLine.model_validate(entry.parsed() if isinstance(entry, _Line) else entry)
        except json.JSONDecodeError as error:
            skip(ValidationFailed("file", f"{path}, {where} is not JSON: {error.msg}"))
            continue
        except RecursionError:
            skip(ValidationFailed("file", f"{path}, {where} is nested too deep"))
            continue
        except ValidationError as error:
            wrong = failure(error)
            field = f", {wrong.field}" if wrong.field else ""
            skip(ValidationFailed("file", f"{path}, {where}{field}: {wrong.reason}"))
            continue
        session = line.session or path.stem
        given = line.model_dump(exclude={"session"}, exclude_unset=True)
        # From its place and words, so that the same file read twice is stored once.
        made = blake2b(json.dumps([session, place, line.sender, line.content]).encode(), digest_size=12).hexdigest()
        yield Turn(session, ObserveParams(**{"message_id": made, **given}))


@dataclass(frozen=True)
class _Line:
    text: str

    def parsed(self) -> Any:
        return json.loads(self.text)


def _locomo(samples: Any, path: Path, conversation: int | None, skip: Skip) -> Iterator[Turn]:
    if not isinstance(samples, list) or not all(isinstance(s, dict) and "conversation" in s for s in samples):
        raise ValidationFailed("file", f"{path} is no list of LoCoMo conversations")
    if conversation is not None and not 0 <= conversation < len(samples):
        raise ValidationFailed("conversation", f"{path} holds the conversations 0 to {len(samples) - 1}")
    for number, sample in enumerate(samples):
        if conversation in (None, number):
            # Turn ids repeat over the conversations; alone, a conversation keeps them as they are.
            prefix = "" if conversation is not None or len(samples) == 1 else f"{number}/"
            yield from _conversation(sample["conversation"], prefix, path, skip)


def _conversation(dialogue: dict[str, Any], prefix: str, path: Path, skip: Skip) -> Iterator[Turn]:
    speakers = [dialogue.get("speaker_a"), dialogue.get("speaker_b")]
    number = 0
    while (turns := dialogue.get(f"session_{(number := number + 1)}")) is not None or number < len(dialogue):
        for place, turn in enumerate(turns or ()):
            try:
                start = datetime.strptime(dialogue[f"session_{number}_date_time"], _LOCOMO_TIME).replace(tzinfo=UTC)
                text, caption = turn["text"], turn.get("blip_caption")
                message = ObserveParams(
                    message_id=prefix + turn["dia_id"],
                    sender=turn["speaker"],
                    addressed_to=tuple(name for name in speakers if name and name != turn["speaker"]),
                    content=f"{text} [shares a photo: {caption}]" if caption else text,
                    at=start + place * _TURN,
                )
            except (KeyError, TypeError, ValueError) as error:
                skip(ValidationFailed("file", f"{path}, session {number}, turn {place + 1}: {error}"))
                continue
            yield Turn(f"{prefix}session_{number}", message)
