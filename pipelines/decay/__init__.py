"""Forgetting by degrees: an episode's strength halves with time, and what is too weak leaves recall, then the store.

Every episode stands in one due set, scored by the moment it falls due; a sweep touches what is due and nothing else.
"""

from reverie.pipelines.decay.formula import decays_at, strength
from reverie.pipelines.decay.plan import ARCHIVE, DELETE, plan, touch

__all__ = ["ARCHIVE", "DELETE", "decays_at", "plan", "strength", "touch"]
