"""The life of a statement, pure: what stating or ending it makes of its versions, and who has the last word.

What somebody wrote into the graph wins over what was inferred from messages: an inference never changes, reopens or
reinforces a curated statement, and a curated one takes over an inferred one of the same wording.
"""

from datetime import datetime
from typing import TypeVar

from reverie.knowledge.versions import called_off, extended, intervals, rewritten
from reverie.store.records.graph import GraphStatement, Provenance

S = TypeVar("S", bound=GraphStatement)

MOST_SOURCES = 100
"""Messages that a statement names as its sources, the newest; its edges name them all."""


def stated(record: S, valid_from: datetime | None, message: str | None, now: datetime) -> S | None:
    """The record after it was stated once more (or for the first time: without versions); None when nothing changes.

    `message` is the id of the message it was inferred from; None when somebody wrote it into the graph.
    """
    inferred = message is not None
    if record.versions and inferred and (record.provenance == "curated" or message in record.sources):
        return None
    life = extended(intervals(record.versions), valid_from or now)
    after: S = record.revised(
        {
            "versions": rewritten(record.versions, life, now),
            "support": record.support + 1,
            "provenance": "inferred" if inferred else "curated",
            "sources": [*record.sources, message][-MOST_SOURCES:] if inferred else record.sources,
        }
    )
    return after


def ended(record: S, at: datetime, reason: str | None, provenance: Provenance, now: datetime) -> S | None:
    """The record after it stopped holding at `at`; None when it did not hold then and was not going to.

    What a curator ended is curated from then on, also when it had ended already: no inference opens it again.
    """
    life = called_off(intervals(record.versions), at)
    if life == intervals(record.versions):
        taken_over = provenance == "curated" and record.provenance == "inferred"
        return record.revised({"provenance": "curated"}) if taken_over else None
    after: S = record.revised(
        {
            "versions": rewritten(record.versions, life, now, reason),
            "provenance": "curated" if provenance == "curated" else record.provenance,
        }
    )
    return after


def is_open(record: GraphStatement, now: datetime) -> bool:
    """Whether it holds now or is going to."""
    return any(one.end is None or one.end > now for one in intervals(record.versions))
