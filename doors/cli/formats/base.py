"""What every format reads into, and what reads share."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reverie.config.errors import ValidationFailed
from reverie.tools.fields import failure
from reverie.tools.observe import ObserveParams


@dataclass(frozen=True)
class Turn:
    """A message and the session it belongs to."""

    session: str
    message: ObserveParams


@dataclass(frozen=True)
class Thing:
    """An entity of a knowledge graph with what is observed of it."""

    name: str
    type: str | None = None
    observations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tie:
    """A relation of a knowledge graph between two names."""

    source: str
    relation: str
    target: str


@dataclass(frozen=True)
class Claim:
    """A fact that another memory held; `id` is the one it had there."""

    id: str
    subject: str
    predicate: str
    object: str | None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


Item = Turn | Thing | Tie | Claim

Skip = Callable[[ValidationFailed], None]
"""Is told of what cannot be read, where it stands and why."""


@dataclass(frozen=True)
class Source:
    """A file or a folder that is read; `skip` is told of what is wrong in it."""

    path: Path
    skip: Skip

    @cached_property
    def text(self) -> str:
        """All of it as text. Raises ValidationFailed."""
        return text_of(self.path)

    @cached_property
    def document(self) -> Any:
        """All of it as one JSON document. Raises ValidationFailed."""
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            raise ValidationFailed("file", f"{self.path}:{error.lineno} is not JSON: {error.msg}") from None
        except RecursionError:
            raise ValidationFailed("file", f"{self.path} is nested too deep") from None

    def lines(self) -> Iterator[tuple[str, str]]:
        """Where each line that is not blank stands, and the line."""
        # `splitlines` also splits where a message holds a line separator.
        for number, line in enumerate(self.text.split("\n"), 1):
            if line.strip():
                yield f"line {number}", line

    def entries(self) -> Iterator[tuple[str, Any]]:
        """Where each entry stands, and the entry: of a JSON list, or of JSON Lines. What is no JSON is skipped."""
        return ((where, entry) for _, where, entry in self.numbered())

    def numbered(self) -> Iterator[tuple[int, str, Any]]:
        """The same, each with its number from 0, by which those that are skipped count too."""
        if self.text.lstrip().startswith("["):
            if not isinstance(self.document, list):
                raise ValidationFailed("file", f"{self.path} is no JSON list")
            yield from ((place, f"message {place + 1}", entry) for place, entry in enumerate(self.document))
            return
        if self._is_one:
            yield 0, "line 1", self.document
            return
        for place, (where, line) in enumerate(self.lines()):
            try:
                yield place, where, json.loads(line)
            except json.JSONDecodeError as error:
                self.refuse(f"{where} is not JSON: {error.msg}")
            except RecursionError:
                self.refuse(f"{where} is nested too deep")

    @property
    def _is_one(self) -> bool:
        """Whether all of it is one JSON document, over however many lines."""
        try:
            return isinstance(self.document, dict)
        except ValidationFailed:
            return False

    def refuse(self, wrong: str) -> None:
        """Tell of something that cannot be read."""
        self.skip(ValidationFailed("file", f"{self.path}, {wrong}"))

    def turn(self, where: str, session: str, **given: Any) -> Turn | None:
        """The message of these parameters; None, and told of, when they are wrong. Those that are None are left out."""
        try:
            message = ObserveParams.model_validate({name: value for name, value in given.items() if value is not None})
        except ValidationError as error:
            wrong = failure(error)
            self.refuse(f"{where}{f', {wrong.field}' if wrong.field else ''}: {wrong.reason}")
            return None
        if message.message_id is None:
            message = message.model_copy(
                update={"message_id": made_id(session, where, message.sender, message.content)}
            )
        return Turn(session, message)


def text_of(path: Path) -> str:
    """The text of a file. Raises ValidationFailed."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValidationFailed("file", f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValidationFailed("file", f"{path} is not UTF-8 text") from None


def made_id(*parts: object) -> str:
    """An id made of these, so that the same file read twice is stored once."""
    return blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()


def when(value: Any) -> datetime | None:
    """A time as others write it: seconds since 1970, or ISO 8601, in UTC where no zone is told. None for None.

    Raises ValueError, which the reader of a line tells of.
    """
    if value in (None, ""):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("is no time")
    try:
        seconds = float(value)
    except ValueError:
        at = datetime.fromisoformat(str(value))
        return at if at.utcoffset() is not None else at.replace(tzinfo=UTC)
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError):
        raise ValueError("is no time") from None


def field(value: Any, *names: str) -> Any:
    """The first of these keys of a mapping that says anything; None where it is none, or has none of them."""
    if not isinstance(value, dict):
        return None
    return next((value[name] for name in names if value.get(name) not in (None, "", [], {})), None)


def listed(value: Any, *names: str) -> list[Any]:
    """The same of a list; [] where there is none."""
    found = field(value, *names)
    return found if isinstance(found, list) else []
