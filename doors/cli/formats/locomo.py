"""The LoCoMo data set: a JSON list of conversations, each with its dated sessions of turns.

Turns have no time of their own: they are set half a minute apart.

    [{"conversation": {"speaker_a": "Ana", "session_1_date_time": "1:56 pm on 8 May, 2023",
                       "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "Hello."}]}}]
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from reverie.cli.formats.base import Item, Source, Turn
from reverie.config.errors import ValidationFailed
from reverie.tools.observe import ObserveParams

_TIME = "%I:%M %p on %d %B, %Y"
_TURN = timedelta(seconds=30)
"""LoCoMo dates sessions, not turns; its turns are set this far apart."""


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and isinstance(sample.get("conversation"), dict)


def read(source: Source, conversation: int | None = None) -> Iterator[Item]:
    """The turns of all conversations, or of one. Raises ValidationFailed."""
    samples = source.document
    if not isinstance(samples, list) or not all(map(matches, samples)):
        raise ValidationFailed("file", f"{source.path} is no list of LoCoMo conversations")
    if conversation is not None and not 0 <= conversation < len(samples):
        raise ValidationFailed("conversation", f"{source.path} holds the conversations 0 to {len(samples) - 1}")
    for number, sample in enumerate(samples):
        if conversation in (None, number):
            # Turn ids repeat over the conversations; alone, a conversation keeps them as they are.
            prefix = "" if conversation is not None or len(samples) == 1 else f"{number}/"
            yield from _conversation(sample["conversation"], prefix, source)


def _conversation(dialogue: dict[str, Any], prefix: str, source: Source) -> Iterator[Turn]:
    speakers = [dialogue.get("speaker_a"), dialogue.get("speaker_b")]
    number = 0
    while (turns := dialogue.get(f"session_{(number := number + 1)}")) is not None or number < len(dialogue):
        for place, turn in enumerate(turns or ()):
            try:
                start = datetime.strptime(dialogue[f"session_{number}_date_time"], _TIME).replace(tzinfo=UTC)
                text, caption = turn["text"], turn.get("blip_caption")
                message = ObserveParams(
                    message_id=prefix + turn["dia_id"],
                    sender=turn["speaker"],
                    addressed_to=tuple(name for name in speakers if name and name != turn["speaker"]),
                    content=f"{text} [shares a photo: {caption}]" if caption else text,
                    at=start + place * _TURN,
                )
            except (KeyError, TypeError, ValueError) as error:
                source.refuse(f"session {number}, turn {place + 1}: {error}")
                continue
            yield Turn(f"{prefix}session_{number}", message)
