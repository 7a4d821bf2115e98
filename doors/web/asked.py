"""What a page was asked for: parameters of its address and fields of its forms, checked."""

from datetime import datetime

from pydantic import AwareDatetime, TypeAdapter, ValidationError
from starlette.requests import Request

from reverie.config.errors import ValidationFailed

_moments = TypeAdapter(AwareDatetime)


def moment(request: Request, name: str) -> datetime | None:
    """A moment of the address, with its zone; None when it is not given. Raises ValidationFailed."""
    given = request.query_params.get(name, "").strip()
    if not given:
        return None
    try:
        return _moments.validate_python(given)
    except ValidationError:
        raise ValidationFailed(name, "is no moment with a zone, such as 2026-03-02T09:14:00Z") from None


def number(request: Request, name: str, default: int = 0, most: int = 1_000_000) -> int:
    """A count of the address, not negative. Raises ValidationFailed."""
    given = request.query_params.get(name, "").strip()
    if not given:
        return default
    if not given.isascii() or not given.isdecimal() or int(given[:9]) > most:
        raise ValidationFailed(name, f"is no number from 0 to {most}")
    return int(given[:9])


def field(request: Request, name: str) -> str:
    """A field of the form that was sent, without blanks at its ends; "" when it is not there."""
    given = request.state.form.get(name, "")
    return given.strip() if isinstance(given, str) else ""
