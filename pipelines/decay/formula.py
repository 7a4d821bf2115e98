"""The formula: strength = importance x 2^(-age / half-life), the exponential forgetting of Ebbinghaus."""

import math
from datetime import datetime, timedelta

from reverie.config.settings import Settings
from reverie.store.times import FOREVER, from_micros

LAST = from_micros(FOREVER)
"""The last moment that a due set keeps to the microsecond, in the year 2255."""


def strength(settings: Settings, importance: float, anchor: datetime, now: datetime) -> float:
    """Strength in [0, importance] of an episode whose age counts from `anchor`; a moment to come has no age yet."""
    age = max(timedelta(0), now - anchor)
    return float(importance * 2 ** -(age / settings.decay_half_life))


def lifetime(settings: Settings, importance: float) -> timedelta:
    """How long an episode lasts unused: half-life x log2(importance / threshold), nothing at or below the threshold."""
    if importance <= settings.decay_threshold:
        return timedelta(0)
    return settings.decay_half_life * math.log2(importance / settings.decay_threshold)


def decays_at(settings: Settings, importance: float, anchor: datetime) -> datetime:
    """The moment an episode that is not used after `anchor` falls due; never, as far as times can be kept, is LAST."""
    try:
        return min(anchor + lifetime(settings, importance), LAST)
    except OverflowError:
        return LAST


def grace_ends(settings: Settings, archived_at: datetime) -> datetime:
    """The moment an episode that stays archived is deleted; LAST like `decays_at`."""
    try:
        return min(archived_at + settings.decay_grace, LAST)
    except OverflowError:
        return LAST
