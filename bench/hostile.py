"""Values that no caller should pass, and some that look wrong and are right."""

import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import IntEnum, StrEnum
from typing import Any

MARK = "marker-of-the-other-tenant"
"""In every text of the other namespace: whoever sees it in a result has seen a foreign row."""

IDS = (
    "a",
    "A",
    "a,b",
    "a|b",
    "{x}",
    "*",
    "../x",
    "咖啡",
    " a",
    "a ",
    "550e8400-e29b-41d4-a716-446655440000",
    "r1",
    "@n:{x}",
    "-",
    "_",
    "\\",
    '"',
    "a\nb",
    "é",
    "e\u0301",
)
"""Ids that are unusual and right."""
WORDS = (
    "violet",
    "curtains",
    "who",
    "when",
    "lives in",
    "Nadia",
    "Rome",
    "?",
    "yesterday",
    "in May 2024",
    "咖啡",
    "~",
    "%%",
    "@t:{x}",
    "(",
    "|",
    "\0",
    "=>[KNN 5 @v $v]",
)


class _Loud(str):
    """A text whose own methods say something else."""

    def __len__(self) -> int:
        return 0

    def encode(self, *_: Any, **__: Any) -> bytes:
        raise KeyError("loud")

    def strip(self, *_: Any) -> str:
        return ""


class _Breaking:
    """An object that fails whatever is done with it."""

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __hash__(self) -> int:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError

    def __iter__(self) -> Any:
        raise ZeroDivisionError

    def __bool__(self) -> bool:
        raise ZeroDivisionError


class _Number(IntEnum):
    ONE = 1


class _Word(StrEnum):
    WORD = "word"


class _NoZone(tzinfo):
    def utcoffset(self, _: datetime | None) -> timedelta | None:
        raise ZeroDivisionError


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def _nested_object(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"k": value}
    return value


def _circle() -> Any:
    value: list[Any] = []
    value += [value, value]
    return value


def _round_object() -> Any:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def _forest() -> Any:
    value: Any = "x"
    for _ in range(90):
        value = [value, value]
    return value


def _long_text() -> str:
    return "x" * (1024 * 1024 + 1)


HEAVY: tuple[Callable[[], Any], ...] = (_circle, _forest, _long_text)
"""Makers of values that take up to a second to be refused."""

FIXED: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: True,
    lambda: False,
    lambda: 0,
    lambda: -1,
    lambda: 1,
    lambda: 7,
    lambda: 2**63,
    lambda: -(2**64),
    lambda: 10**309,
    lambda: 10**5000,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: -float("inf"),
    lambda: 1e308,
    lambda: -0.0,
    lambda: 5e-324,
    lambda: 0.5,
    lambda: 1.5,
    lambda: 3 + 4j,
    lambda: "",
    lambda: " ",
    lambda: "\0",
    lambda: "\ud800",
    lambda: "a\udfffb",
    lambda: "x" * 257,
    lambda: "é" * 200,
    _long_text,
    lambda: "[" * 2000,
    lambda: "null",
    lambda: "{}",
    lambda: '{"x": ' * 700,
    lambda: b"",
    lambda: b"bytes",
    lambda: b"\xff",
    lambda: bytearray(b"x"),
    lambda: memoryview(b"x"),
    list,
    dict,
    tuple,
    set,
    lambda: {1, 2},
    lambda: frozenset("ab"),
    lambda: [None],
    lambda: [""],
    lambda: [[]],
    lambda: ["a", "b"],
    lambda: ["a"] * 1001,
    lambda: [MARK[:3]],
    lambda: {"a": 1},
    lambda: {1: 2},
    lambda: {None: None},
    lambda: {("a",): 1},
    lambda: {"": ""},
    lambda: {"\ud800": 1},
    lambda: {"n": 10**309},
    lambda: {"n": float("nan")},
    lambda: {"s": {1}},
    lambda: {"b": b"x"},
    lambda: {"d": datetime(2026, 5, 1, tzinfo=UTC)},
    lambda: _nested(99),
    lambda: _nested(130),
    lambda: _nested(601),
    lambda: _nested(5000),
    lambda: _nested_object(601),
    _circle,
    _round_object,
    _forest,
    object,
    lambda: object,
    lambda: len,
    lambda: (n for n in range(3)),
    lambda: iter(("a", "b")),
    lambda: range(10**9),
    _Breaking,
    lambda: _Loud("loud"),
    lambda: _Number.ONE,
    lambda: _Word.WORD,
    lambda: datetime(2026, 5, 1, tzinfo=UTC).replace(tzinfo=None),
    lambda: datetime(2026, 5, 1, tzinfo=UTC),
    lambda: datetime.min.replace(tzinfo=UTC),
    lambda: datetime.max.replace(tzinfo=UTC),
    lambda: datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    lambda: datetime(9999, 12, 31, 23, 59, tzinfo=timezone(-timedelta(hours=12))),
    lambda: datetime(1, 1, 2, tzinfo=UTC),
    lambda: datetime(2254, 12, 31, tzinfo=UTC),
    lambda: datetime(2026, 1, 1, tzinfo=_NoZone()),
    lambda: datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=23, minutes=59))),
    lambda: "2026-05-01",
    lambda: "2026-05-01T12:00:00Z",
    lambda: "0001-01-01T00:00:00+14:00",
    lambda: "9999-12-31T23:59:59-12:00",
    lambda: "yesterday",
    lambda: timedelta(1),
    lambda: 1e20,
    lambda: ["a", b"b"],
    lambda: [{"text": "x"}],
    lambda: [{"text": 3}],
    lambda: [3],
    lambda: [["a"]],
    lambda: {"name": "x"},
    lambda: sys.maxsize,
)
"""Makers of values, each called anew: a generator can be read once."""


def some(random: random.Random, heavy: float = 1.0) -> Any:
    """A value that was drawn: a fixed one, an id, a few words, any characters, or a container of such values.

    heavy: which share of the heavy ones that are drawn is kept; another is drawn in place of the rest.
    """
    kind = random.random()
    if kind < 0.55:
        make = random.choice(FIXED)
        return make() if make not in HEAVY or random.random() < heavy else some(random, heavy)
    if kind < 0.7:
        return random.choice(IDS)
    if kind < 0.85:
        return " ".join(random.choices(WORDS, k=random.randrange(1, 6)))
    if kind < 0.93:
        return "".join(chr(random.randrange(1, 0x11000)) for _ in range(random.randrange(1, 12)))
    if kind < 0.97:
        return [some(random, heavy) for _ in range(random.randrange(4))]
    return {random.choice(IDS): some(random, heavy) for _ in range(random.randrange(4))}
