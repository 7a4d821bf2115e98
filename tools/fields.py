"""The types of the calls' parameters; what is wrong is refused here, before anything is written."""

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError

from reverie.config.errors import ValidationFailed
from reverie.store.keys import MAX_ID_BYTES
from reverie.tools.plainjson import STORE_BITS, TEXT_BITS, plain_json

MAX_TEXT_BYTES = 1024 * 1024
MAX_COUNT = 1_000_000
"""Largest number of things that a call may ask for; Redis counts further, and no answer that large is read."""
MAX_NAMED = 1000
"""Most ids or names in one list of a call: each is a key of one Lua script or a word of one search."""
_EARLIEST, _LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(2255, 1, 1, tzinfo=UTC)
"""What sorted sets order to the microsecond, and what has a day before it."""


def _encodable(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise PydanticCustomError("surrogate", "holds a lone surrogate, which is no character; remove it") from None


def _id(value: Any) -> Any:
    _no_bytes(value)
    if isinstance(value, str):
        if not value:
            raise PydanticCustomError("empty_id", "an id must not be empty")
        if _encodable(value) > MAX_ID_BYTES:
            raise PydanticCustomError("long_id", "an id has at most 256 bytes in UTF-8; use a shorter one")
    return value


def _no_bytes(value: Any) -> None:
    if isinstance(value, bytes | bytearray):
        raise PydanticCustomError("bytes", "must be text, not bytes; decode them first")


def _only_text(value: Any) -> Any:
    if not isinstance(value, str):
        raise PydanticCustomError("not_text", "must be text")
    return value


def _any_text(value: Any) -> Any:
    _no_bytes(value)
    if isinstance(value, str) and _encodable(value) > MAX_TEXT_BYTES:
        raise PydanticCustomError("long_text", "a text has at most 1 MiB in UTF-8; split it")
    return value


def _text(value: Any) -> Any:
    if isinstance(value, str) and not value.replace("\0", " ").strip():
        raise PydanticCustomError("blank", "must not be blank")
    return _any_text(value)


def _moment(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise PydanticCustomError(
            "naive_time", "has no time zone; pass an aware datetime, such as datetime.now(timezone.utc)"
        )
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        moment = None
    if moment is None or not _EARLIEST <= moment < _LATEST:
        raise PydanticCustomError("far_time", "lies outside the years 1 to 2254 in UTC")
    return moment


def _zoned(value: datetime) -> datetime:
    _moment(value)
    return value


def _not_a_number_of_seconds(value: Any) -> Any:
    if not isinstance(value, datetime | str):
        raise PydanticCustomError("not_a_time", "must be an aware datetime or its ISO 8601 text")
    return value


def _unit(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("not_a_number", "must be a number from 0 to 1")
    if not math.isfinite(value) or not 0 <= value <= 1:
        raise PydanticCustomError("out_of_range", "must be a finite number from 0 to 1")
    return value


def _count(value: Any) -> Any:
    if isinstance(value, bool | bytes | bytearray):
        raise PydanticCustomError("not_a_count", "must be a whole number of at least 1")
    return value


def _several(value: Any) -> Any:
    """A text where several are wanted would count as its letters, and a mapping as its keys; what never ends is read no
    further than its bound.
    """
    if not isinstance(value, str | bytes | bytearray | Mapping):
        with suppress(Exception):
            return tuple(islice(value, MAX_NAMED + 1))
    raise PydanticCustomError("not_a_list", "must be a list, not {kind}", {"kind": type(value).__name__})


def _json(value: Any) -> Any:
    return _as_json(value, TEXT_BITS)


def _kept_json(value: Any) -> Any:
    return _as_json(value, STORE_BITS)


def _as_json(value: Any, bits: int) -> Any:
    try:
        made = plain_json(value, bits=bits)
        size = _encodable(json.dumps(made, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise PydanticCustomError("not_json", "is not JSON: {why}", {"why": str(error)}) from None
    if size > MAX_TEXT_BYTES:
        raise PydanticCustomError("long_json", "has at most 1 MiB as JSON in UTF-8; keep it elsewhere and say where")
    return made


OnlyText = BeforeValidator(_only_text)
"""For a choice of words: an enum says in its error what it was given, however large that is when printed."""
Id = Annotated[str, BeforeValidator(_id), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 256})]
"""Any non-empty text of at most 256 UTF-8 bytes, kept exactly."""
Name = Annotated[
    str,
    BeforeValidator(_id),
    BeforeValidator(_text),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 256}),
]
"""An id that people read: not blank, else kept exactly as well."""
Text = Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": "string", "minLength": 1})]
"""Text that says something, at most 1 MiB."""
AnyText = Annotated[str, BeforeValidator(_any_text)]
"""Text that may be blank, at most 1 MiB."""
Moment = Annotated[datetime, BeforeValidator(_not_a_number_of_seconds), AfterValidator(_moment)]
"""An aware time, kept in UTC."""
ZonedMoment = Annotated[datetime, BeforeValidator(_not_a_number_of_seconds), AfterValidator(_zoned)]
"""An aware time, kept with its own offset: whose day it is matters."""
Unit = Annotated[float, BeforeValidator(_unit)]
"""A finite number from 0 to 1."""
Json = Annotated[Any, BeforeValidator(_json)]
"""Anything JSON can say, in plain lists, dicts and numbers; kept as a text."""
JsonObject = Annotated[dict[str, Any], BeforeValidator(_json)]
Metadata = Annotated[dict[str, Any], BeforeValidator(_kept_json)]
"""A JSON object that is a part of a record: its whole numbers fit 64 bits."""
JsonList = Annotated[list[Any], BeforeValidator(_kept_json)]
Count = Annotated[int, BeforeValidator(_count), Field(ge=1, le=MAX_COUNT)]
"""How many things are wanted: at least one."""
T = TypeVar("T")
Several = Annotated[tuple[T, ...], BeforeValidator(_several), Field(max_length=MAX_NAMED)]
"""A list of at most 1,000."""
Ids = Several[Id]


class Params(BaseModel):
    """Base of every call's parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True)


P = TypeVar("P", bound=Params)


def validated(model: type[P], params: P | Mapping[str, Any] | None = None, /, **given: Any) -> P:
    """The parameters as the model, from a model or keywords. Raises ValidationFailed naming the first wrong field."""
    if isinstance(params, model):
        if given:
            raise ValidationFailed("", "pass the parameters as a model or as keywords, not both")
        return params
    if params is not None and not isinstance(params, Mapping):
        raise ValidationFailed("", f"expected {model.__name__} or keywords, not {type(params).__name__}")
    try:
        return model.model_validate({**(params or {}), **given})
    except ValidationError as error:
        raise failure(error) from None
    except Exception as error:  # noqa: BLE001  # a value whose own code fails while it is read
        raise ValidationFailed("", f"cannot be read: {type(error).__name__}") from None


def failure(error: ValidationError) -> ValidationFailed:
    """Pydantic's error as ours: the first wrong field, and what to do."""
    first = error.errors(include_url=False, include_input=False)[0]
    # A field's name may be the caller's own, with what no terminal and no log can print.
    field = ".".join(str(part) for part in first["loc"]).encode("utf-8", "backslashreplace").decode()
    reason = "is required" if first["type"] == "missing" else str(first["msg"])
    if first["type"] == "extra_forbidden":
        reason = "is not a parameter of this call"
    return ValidationFailed(field, reason)
