"""Forgetting by degrees: an episode's strength halves with time, and what is too weak leaves recall, then the store.

Every episode stands in one due set, scored by the moment it falls due; a sweep touches what is due and nothing else.
"""

from reverie.knowledge.decay import LAST, decays_at, strength
from reverie.pipelines.decay.explaining import DecayView, explain
from reverie.pipelines.decay.plan import plan, start_anew, touch
from reverie.pipelines.decay.replanning import outdated, replan
from reverie.pipelines.decay.sweeping import archive_due, delete_due
from reverie.store.decay import ARCHIVE, DELETE, stop

__all__ = [
    "ARCHIVE",
    "DELETE",
    "LAST",
    "DecayView",
    "archive_due",
    "decays_at",
    "delete_due",
    "explain",
    "outdated",
    "plan",
    "replan",
    "start_anew",
    "stop",
    "strength",
    "touch",
]
