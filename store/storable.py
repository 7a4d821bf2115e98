"""Whether Redis can keep a value: asked before a write is sent, because a script that fails half-way is not taken back.

A key of another type, and a number where there is none, only the server knows of: `commit.lua` asks before it writes.
"""

import math
import re
import sys
from typing import Any, Final

from pydantic_core import from_json

from reverie.config.errors import StoreError

DEEPEST: Final = 127
"""Levels of a document that RedisJSON 2.8 takes."""
_SUSPECT: Final = re.compile(rb"\d{300}|[eE]\+?\d{3}")
"""What a number that is too large for a float must hold."""


def require_document(document: str | bytes) -> None:
    """Refuse what RedisJSON would refuse: no JSON, too deep, or with a number out of range.

    Raises StoreError, which says nothing of what the document holds.
    """
    raw = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    try:
        found = from_json(raw, allow_inf_nan=False)
    except ValueError:
        raise StoreError("a document that is no JSON cannot be stored; nothing was written") from None
    if (raw.count(b"[") + raw.count(b"{") > DEEPEST or _SUSPECT.search(raw)) and not _fits(found, DEEPEST):
        raise StoreError(
            f"a document deeper than {DEEPEST} levels, or with a number out of range, cannot be stored; nothing was "
            "written"
        )


def _fits(value: Any, levels: int) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_fits(one, levels - 1) for one in inner)
    if isinstance(value, int):
        return abs(value) <= sys.float_info.max
    return not isinstance(value, float) or math.isfinite(value)
