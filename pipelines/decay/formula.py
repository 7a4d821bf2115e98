"""The formula: strength = importance x 2^(-age / half-life), the exponential forgetting of Ebbinghaus."""

import math
from datetime import datetime, timedelta

from reverie.config.settings import Settings


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
    """The moment an episode that is not used after `anchor` falls due."""
    return anchor + lifetime(settings, importance)
