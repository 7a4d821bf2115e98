"""Markdown notes, one file or a folder of them, each with or without front matter.

The front matter may tell id, title, date, author and session; all of it is kept as the note's metadata. A note without
a date is dated by the file.

    ---
    title: Moving
    date: 2026-05-01
    author: ana
    ---
    I moved to Lyon.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from reverie.cli.formats.base import Item, Source, field, text_of, when
from reverie.config.errors import ValidationFailed


def matches_folder(path: Path) -> bool:
    """Whether a folder holds notes."""
    return any(path.rglob("*.md"))


def read(source: Source) -> Iterator[Item]:
    """The notes, in the order of their paths."""
    folder = source.path if source.path.is_dir() else source.path.parent
    for path in sorted(source.path.rglob("*.md")) if source.path.is_dir() else [source.path]:
        name = path.relative_to(folder).with_suffix("").as_posix()
        try:
            about, body = _parted(text_of(path))
            at = when(_plain(field(about, "date", "created", "created_at")))
        except ValidationFailed as error:
            source.skip(error)
            continue
        except (yaml.YAMLError, ValueError) as error:
            source.refuse(f"{name}: its front matter cannot be read: {str(error).splitlines()[0]}")
            continue
        title = field(about, "title")
        turn = source.turn(
            name,
            str(field(about, "session") or "notes"),
            sender=str(field(about, "author", "sender") or "user"),
            content=f"{title}\n\n{body}" if title and str(title) not in body[:200] else body,
            message_id=str(field(about, "id") or name),
            at=at or datetime.fromtimestamp(path.stat().st_mtime, UTC),
            content_type="text/markdown",
            metadata=json.loads(json.dumps(about, default=str)) | {"path": name},
        )
        if turn is not None:
            yield turn


def _parted(text: str) -> tuple[dict[str, Any], str]:
    """The front matter and the rest. Raises YAMLError, ValueError."""
    if not text.startswith("---\n") or (end := text.find("\n---", 4)) < 0:
        return {}, text.strip()
    about = yaml.safe_load(text[4:end])
    if not isinstance(about, dict | None):
        raise ValueError("it is no mapping")
    return {str(name): value for name, value in (about or {}).items()}, text[end + 4 :].lstrip("-").strip()


def _plain(value: Any) -> Any:
    """A day or time of YAML in ISO 8601."""
    return value.isoformat() if isinstance(value, date) else value
