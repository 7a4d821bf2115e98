"""Subjects whose facts keep being closed: what is held true of them is drifting."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from reverie.knowledge.versions import intervals
from reverie.store.records.facts import FactRecord

MOST_CLOSINGS = 4
"""So many closings within the window are still the ordinary course of a life."""
WINDOW = timedelta(days=30)


def closed_at(before: FactRecord | None, after: FactRecord) -> datetime | None:
    """The moment at which a fact ended that was open before a change; None when the change closed nothing."""
    if before is None or not _is_open(before) or _is_open(after):
        return None
    return max((one.end for one in intervals(after.versions) if one.end is not None), default=None)


def _is_open(fact: FactRecord) -> bool:
    return any(one.end is None for one in intervals(fact.versions))


def is_unstable(closings: Sequence[datetime]) -> bool:
    """Whether the last of a subject's closings, in their order, lie too near to each other."""
    latest = closings[-(MOST_CLOSINGS + 1) :]
    return len(latest) > MOST_CLOSINGS and latest[-1] - latest[0] <= WINDOW
