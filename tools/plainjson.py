"""JSON that callers give: as plain Python values that the store can keep exactly, and as the text that is stored."""

import json
import math
from typing import Any

MAX_DEPTH = 100
"""Levels of lists and objects; RedisJSON reads 128, of which a record takes two."""
_MAX_CHARS = 1024 * 1024
"""Characters and values that are looked at: as JSON in UTF-8 each is a byte or more, and 1 MiB is the bound."""
STORE_BITS = 63
"""Bits of the largest whole number, its sign apart, that RedisJSON keeps exactly."""
TEXT_BITS = 14_000
"""Bits of the largest whole number that comes back from a JSON text: Python and Pydantic read up to 4,300 digits."""


def plain_json(value: Any, *, bits: int = TEXT_BITS) -> Any:
    """The value in plain dicts, lists, texts and numbers, whatever subclasses of these it is made of.

    Raises TypeError for what JSON has no form for (sets, bytes, keys that are no text) and ValueError for numbers that
    are not finite or are whole and have more than `bits` bits, for more than 100 levels and for more than 1 MiB. A
    container that holds itself is refused by its depth or its size.
    """
    return _plain(value, MAX_DEPTH, _Allowance(bits))


class _Allowance:
    """How much may still be looked at, so that what is shared or circular ends; and how large a whole number may be."""

    def __init__(self, bits: int) -> None:
        self.left = _MAX_CHARS
        self.bits = bits

    def take(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise ValueError("it is larger than 1 MiB; keep it elsewhere and say where")


def _plain(value: Any, levels: int, allowance: _Allowance) -> Any:
    # The base classes' own methods: those of a subclass may say anything.
    if value is None or value is True or value is False:
        allowance.take(1)
        return value
    if isinstance(value, str):
        allowance.take(1 + str.__len__(value))
        return str.__str__(value)
    if isinstance(value, int):
        return _whole(int.__int__(value), allowance)
    if isinstance(value, float):
        number = float.__float__(value)
        if not math.isfinite(number):
            raise ValueError("a number is not finite")
        allowance.take(1)
        return number
    if levels == 0:
        raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
    allowance.take(1)
    if isinstance(value, dict):
        made = {}
        for key, item in dict.items(value):
            if not isinstance(key, str):
                raise TypeError(f"a key is {type(key).__name__}, not text")
            allowance.take(1 + str.__len__(key))
            made[str.__str__(key)] = _plain(item, levels - 1, allowance)
        return made
    if isinstance(value, list):
        return [_plain(item, levels - 1, allowance) for item in list.__iter__(value)]
    if isinstance(value, tuple):
        return [_plain(item, levels - 1, allowance) for item in tuple.__iter__(value)]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _whole(number: int, allowance: _Allowance) -> int:
    if number.bit_length() > allowance.bits:
        raise ValueError(f"a whole number has more than {allowance.bits} bits; write it as text")
    allowance.take(1 + number.bit_length() // 4)
    return number


def to_text(value: Any) -> str | None:
    """The JSON text of a value that was validated as JSON; None for None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str | None) -> Any:
    """The value of a stored JSON text."""
    return None if text is None else json.loads(text)
