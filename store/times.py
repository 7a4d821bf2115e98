"""Times as Redis keeps them: whole microseconds since 1970, exact in a sorted set's double until the year 2255."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

FOREVER = 2**53 - 1
"""The end of an interval that is still open, in microseconds."""


def to_micros(at: datetime) -> int:
    """Microseconds since 1970 of an aware datetime."""
    return (at - _EPOCH) // _MICROSECOND


def from_micros(micros: float) -> datetime:
    """The aware UTC datetime of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=int(micros))


def until_micros(at: datetime | None) -> int:
    """Like `to_micros`, with FOREVER for None."""
    return FOREVER if at is None else to_micros(at)
