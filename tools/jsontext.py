"""Turning JSON that callers give into the text that is stored, and back."""

import json
from typing import Any


def to_text(value: Any) -> str | None:
    """The JSON text of a value that was validated as JSON; None for None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str | None) -> Any:
    """The value of a stored JSON text."""
    return None if text is None else json.loads(text)
