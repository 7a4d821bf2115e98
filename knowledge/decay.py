"""The formula: strength = importance x 2^(-age / half-life), the exponential forgetting of Ebbinghaus."""

import math
from datetime import UTC, datetime, timedelta
from typing import Protocol

LAST = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=2**53 - 1)
"""The last moment that a due set keeps to the microsecond, in the year 2255."""


class Pace(Protocol):
    """The settings that the formula takes."""

    @property
    def decay_half_life(self) -> timedelta:
        """The time after which half of an episode's strength is left."""

    @property
    def decay_threshold(self) -> float:
        """The strength at which an episode is archived."""

    @property
    def decay_grace(self) -> timedelta:
        """How long an archived episode is kept before it is deleted."""


def strength(pace: Pace, importance: float, anchor: datetime, now: datetime) -> float:
    """Strength in [0, importance] of an episode whose age counts from `anchor`; a moment to come has no age yet."""
    age = max(timedelta(0), now - anchor)
    return float(importance * 2 ** -(age / pace.decay_half_life))


def lifetime(pace: Pace, importance: float) -> timedelta:
    """How long an episode lasts unused: half-life x log2(importance / threshold), nothing at or below the threshold."""
    if importance <= pace.decay_threshold:
        return timedelta(0)
    return pace.decay_half_life * math.log2(importance / pace.decay_threshold)


def decays_at(pace: Pace, importance: float, anchor: datetime) -> datetime:
    """The moment an episode that is not used after `anchor` falls due; never, as far as times can be kept, is LAST."""
    try:
        return min(anchor + lifetime(pace, importance), LAST)
    except OverflowError:
        return LAST


def grace_ends(pace: Pace, archived_at: datetime) -> datetime:
    """The moment an episode that stays archived is deleted; LAST like `decays_at`."""
    try:
        return min(archived_at + pace.decay_grace, LAST)
    except OverflowError:
        return LAST
