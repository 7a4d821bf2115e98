"""What a Celery client writes to a queue of a Redis broker, read without trusting any of it.

Whoever reaches the broker can write anything to a queue. What is read here has a known shape and size, so that nothing
behind it (kombu, Celery, the pickling between a worker's processes) meets a value that it was not made for.
"""

import base64
import binascii
import bz2
import json
import lzma
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from kombu.utils.json import loads as loads_tagged
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from reverie.store.keys import MAX_ID_BYTES

MAX_BYTES: Final = 20 * 1024 * 1024
"""Bytes of a message: a document of a text and metadata of 1 MiB each, all of it escaped as \\uXXXX, in base64."""
MAX_DEPTH: Final = 110
"""Levels of a message's arguments: the 100 of a JSON value (see `reverie.tools.fields`), and those around it."""
_PARTS: Final = ("callbacks", "errbacks", "chain")


@dataclass(frozen=True)
class Envelope:
    """A task that was sent: its name, id and arguments, and what Celery has to know of it."""

    task: str
    id: str
    arguments: list[Any]
    named: dict[str, Any]
    embed: dict[str, Any]
    """What is to be sent when the task has ended: `callbacks`, `errbacks`, `chain`, `chord`."""
    headers: dict[str, Any]
    """Of Celery's other headers those that matter to a worker, each of its type."""
    eta: datetime | None
    """When it is to be worked on; None is at once."""
    priority: int


class Unreadable(Exception):
    """A message that no task can be given. `reason` names what is wrong with it and quotes nothing of it.

    `task`, `id` and `document` (plain JSON of bounded depth) are what could be read of it all the same, else None.
    """

    def __init__(
        self,
        reason: str,
        task: str | None = None,
        id: str | None = None,
        document: Any = None,
        namespace: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason, self.task, self.id, self.document, self.namespace = reason, task, id, document, namespace


def _printable(text: str) -> str:
    if not text or not text.isprintable() or len(text.encode()) > MAX_ID_BYTES:
        raise ValueError
    return text


def _iso(text: str) -> str:
    datetime.fromisoformat(text)
    return text


_Id = Annotated[str, AfterValidator(_printable)]
_Time = Annotated[str, AfterValidator(_iso)]


class _Headers(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    task: _Id
    id: _Id
    root_id: _Id | None = None
    parent_id: _Id | None = None
    group: _Id | None = None
    retries: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    eta: _Time | None = None
    expires: _Time | None = None
    ignore_result: bool | None = None


def read(raw: bytes) -> Envelope:
    """The task that a message of a queue asks for. Raises Unreadable."""
    message = _parsed(raw, "the message")
    if not isinstance(message, dict):
        raise Unreadable("the message is no JSON object")
    headers = {} if message.get("headers") is None else message["headers"]
    properties = message.get("properties")
    if not isinstance(headers, dict) or not isinstance(properties, dict):
        raise Unreadable("the message's headers or properties are no JSON objects")
    task, id = _text(headers.get("task")), _text(headers.get("id"))
    try:
        body = _parsed(_body(message, headers, properties), "the message's body")
    except Unreadable as error:
        raise Unreadable(error.reason, task, id) from None
    told: dict[str, Any] = headers
    if "task" not in headers and isinstance(body, dict):  # Celery's first protocol keeps everything in the body
        told, body = body, [body.get("args", []), body.get("kwargs", {}), body]
        task, id = _text(told.get("task")), _text(told.get("id"))
    document = _document(body)
    namespace = _text(document.get("namespace")) if isinstance(document, dict) else None
    if _too_deep(body):
        raise Unreadable(f"its arguments are nested more than {MAX_DEPTH} levels deep", task, id, None, namespace)
    wrong = _shape(body) or _tags(body)
    if wrong is not None:
        raise Unreadable(wrong, task, id, document, namespace)
    try:
        known = _Headers.model_validate({name: told.get(name) for name in _Headers.model_fields})
    except ValidationError as error:
        names = sorted({str(one["loc"][0]) for one in error.errors(include_url=False, include_input=False)})
        raise Unreadable(
            f"the header {', '.join(names)} is missing or malformed", task, id, document, namespace
        ) from None
    embed = {name: (body[2] or {}).get(name) for name in (*_PARTS, "chord")}
    eta = None if known.eta is None else datetime.fromisoformat(known.eta)
    return Envelope(
        known.task,
        known.id,
        body[0],
        body[1],
        embed,
        known.model_dump(exclude={"task", "id", "eta"}, exclude_none=True),
        eta.replace(tzinfo=UTC) if eta is not None and eta.utcoffset() is None else eta,
        _priority(properties.get("priority")),
    )


def _parsed(raw: bytes, what: str) -> Any:
    """Plain JSON, without the tags for types that kombu adds."""
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"{what} is larger than {MAX_BYTES} bytes")
    try:
        return json.loads(raw.decode())
    except UnicodeDecodeError:
        raise Unreadable(f"{what} is no UTF-8") from None
    except RecursionError:
        raise Unreadable(f"{what} is nested too deep") from None
    except ValueError:
        raise Unreadable(f"{what} is no JSON") from None


def _body(message: dict[str, Any], headers: dict[str, Any], properties: dict[str, Any]) -> bytes:
    body, encoding = message.get("body"), properties.get("body_encoding")
    if message.get("content-type") != "application/json":
        raise Unreadable("its content type is not application/json")
    if not isinstance(body, str):
        raise Unreadable("its body is no text")
    if encoding is None or encoding == "utf-8":
        plain = body.encode(errors="replace")
    elif encoding == "base64":
        try:
            plain = base64.b64decode(body)
        except (binascii.Error, ValueError):
            raise Unreadable("its body is no base64") from None
    else:
        raise Unreadable("its body is encoded neither as base64 nor as utf-8")
    compression = headers.get("compression")
    return plain if compression is None else _decompressed(plain, compression)


_DECOMPRESSORS: Final[dict[str, Callable[[], Any]]] = {
    "application/x-gzip": zlib.decompressobj,  # what kombu calls gzip is zlib
    "application/x-bz2": bz2.BZ2Decompressor,
    "application/x-lzma": lzma.LZMADecompressor,
}


def _decompressed(body: bytes, compression: Any) -> bytes:
    """At most one byte more than a message may have, however much it would swell to."""
    make = _DECOMPRESSORS.get(compression) if isinstance(compression, str) else None
    if make is None:
        raise Unreadable("its body is compressed in a way that is not known here")
    try:
        plain: bytes = make().decompress(body, MAX_BYTES + 1)
    except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
        raise Unreadable("its compressed body is damaged") from None
    return plain


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list)
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
        if not level:
            return False
    return True


def _shape(body: Any) -> str | None:
    """What is wrong with the shape of a body; None when it is that of a task."""
    if not isinstance(body, list) or len(body) != 3:
        return "its body is not a list of arguments, named arguments and options"
    arguments, named, embed = body
    if not isinstance(arguments, list) or not isinstance(named, dict):
        return "its arguments are no list, or its named arguments no object"
    if embed is None:
        return None
    if not isinstance(embed, dict):
        return "its options are no object"
    for name in _PARTS:
        if not isinstance(embed.get(name) or [], list) or not all(map(_signature, embed.get(name) or [])):
            return f"its {name} are no list of tasks"
    if not (embed.get("chord") is None or _signature(embed["chord"])):
        return "its chord is no task"
    return None


def _signature(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("task"), str)
        and isinstance(value.get("args", []), list)
        and isinstance(value.get("kwargs", {}), dict)
        and isinstance(value.get("options", {}), dict)
    )


def _tags(body: Any) -> str | None:
    """What is wrong with the values that kombu tagged with a type (times, for example)."""
    text = json.dumps(body)
    if '"__type__"' not in text:
        return None
    try:
        loads_tagged(text)
    except Exception:  # noqa: BLE001  # whatever a type makes of a value that is none of its own
        return "it holds a value tagged with a type that is not known here, or that is none of that type"
    return None


def _document(body: Any) -> Any:
    """The document among a body's arguments, as far as there is one."""
    if not isinstance(body, list):
        return body
    arguments = body[0] if body and isinstance(body[0], list) else []
    named = body[1] if len(body) > 1 and isinstance(body[1], dict) else {}
    return arguments[0] if arguments else named.get("document")


def _text(value: Any) -> str | None:
    """A header that can be shown, else None."""
    try:
        return _printable(value) if isinstance(value, str) else None
    except ValueError:  # also of half a character, which cannot be encoded
        return None


def _priority(value: Any) -> int:
    return min(max(value, 0), 9) if isinstance(value, int) and not isinstance(value, bool) else 0
