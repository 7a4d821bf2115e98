"""The export of Slack: its folder, or one day of one channel.

The folder has `users.json` and a folder a channel with a file a day. A thread is a session, and so is a channel's day
beside its threads.

    [{"type": "message", "user": "U1", "ts": "1714560000.000100", "text": "I moved to Lyon."}]
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reverie.cli.formats.base import Item, Source, field, when
from reverie.config.errors import ValidationFailed

_MENTION = re.compile(r"<@(\w+)(?:\|[^>]*)?>")
_LINK = re.compile(r"<((?:https?|mailto):[^>|]+)(?:\|([^>]*))?>")
_NOISE = frozenset({"channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name"})
"""What Slack itself says in a channel."""


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and sample.get("type") == "message" and "ts" in sample


def matches_folder(path: Path) -> bool:
    """Whether a folder is an export."""
    return (path / "users.json").is_file() and any(path.glob("*/*.json"))


def read(source: Source) -> Iterator[Item]:
    """The messages of a folder, channel by channel and day by day, or of one file."""
    if not source.path.is_dir():
        yield from _day(source, source.path.parent.name, _names(source.path.parent.parent))
        return
    names = _names(source.path)
    for path in sorted(source.path.glob("*/*.json")):
        yield from _day(Source(path, source.skip), path.parent.name, names)


def _names(folder: Path) -> dict[str, str]:
    """The names of users by their ids, as far as the export has them."""
    path = folder / "users.json"
    try:
        listed = Source(path, lambda _: None).document if path.is_file() else []
    except ValidationFailed:
        listed = []
    names = {}
    for user in listed if isinstance(listed, list) else []:
        name = field(field(user, "profile"), "display_name", "real_name") or field(user, "real_name", "name")
        if isinstance(name, str) and field(user, "id") is not None:
            names[str(user["id"])] = name
    return names


def _day(source: Source, channel: str, names: Mapping[str, str]) -> Iterator[Item]:
    for where, message in source.entries():
        if not matches(message):
            source.refuse(f"{where} is no message of Slack")
            continue
        text, user = field(message, "text"), field(message, "user", "username", "bot_id")
        if field(message, "subtype") in _NOISE or text is None or user is None:
            continue
        stamp, thread = str(message["ts"]), field(message, "thread_ts")
        try:
            at = when(stamp)
        except ValueError:
            source.refuse(f"{where}, ts: is no time")
            continue
        turn = source.turn(
            where,
            f"{channel}/{thread or source.path.stem}",
            sender=names.get(str(user), str(user)),
            role="assistant" if field(message, "bot_id") else "user",
            content=_plain(str(text), names),
            message_id=f"{channel}/{stamp}",
            at=at,
            metadata={"channel": channel},
        )
        if turn is not None:
            yield turn


def _plain(text: str, names: Mapping[str, str]) -> str:
    text = _MENTION.sub(lambda found: names.get(found[1], found[1]), text)
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
