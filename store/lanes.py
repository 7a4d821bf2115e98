"""Two lanes of durable work in one sorted set: live work, and bulk work that lets live work go first.

Both are scored by the moment an entry may be claimed, in microseconds; the bulk lane's scores are moved up by `BULK`,
far behind every moment of the live lane and still exact in a double. So one sorted set holds both, an entry is in one
of them, and asking for what is due of a lane is asking for a range.
"""

from datetime import datetime

from reverie.store.times import from_micros, to_micros

BULK = 2**52
"""What a bulk entry's score is more than its moment; 2^52 µs end in the year 2112, and twice that is still exact."""


def score(at: datetime, *, bulk: bool = False) -> int:
    """The score of an entry that may be claimed at `at`."""
    return to_micros(at) + (BULK if bulk else 0)


def moment(found: float) -> datetime:
    """The moment that a score of either lane stands for."""
    return from_micros(found - BULK if found >= BULK else found)


def due_range(now: datetime, *, bulk: bool) -> tuple[str | int, int]:
    """The scores of what is due of a lane, as the bounds of a range, both included."""
    return (BULK if bulk else "-inf"), score(now, bulk=bulk)


def whole_range(*, bulk: bool) -> tuple[str | int, str | int]:
    """The scores of a whole lane, as the bounds of a range."""
    return (BULK, "+inf") if bulk else ("-inf", f"({BULK}")
