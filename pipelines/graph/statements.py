"""The life of a statement, pure: what stating or ending it makes of its versions, and who has the last word.

What somebody wrote into the graph wins over what was inferred from messages: an inference never changes, reopens or
reinforces a curated statement, and a curated one takes over an inferred one of the same wording.
"""

from datetime import datetime
from typing import TypeVar

from reverie.pipelines.facts.versions import called_off, extended, intervals, rewritten
from reverie.store.records.graph import GraphStatement, Provenance

S = TypeVar("S", bound=GraphStatement)


def stated(
    record: S, provenance: Provenance, valid_from: datetime | None, message: str | None, now: datetime
) -> S | None:
    """The record after it was stated once more (or for the first time: without versions); None when nothing changes."""
    inferred = provenance == "inferred"
    if record.versions and inferred and (record.provenance == "curated" or message in record.sources):
        return None
    life = extended(intervals(record.versions), valid_from or now)
    after: S = record.model_copy(
        update={
            "versions": rewritten(record.versions, life, now),
            "support": record.support + 1,
            "provenance": record.provenance if inferred and record.versions else provenance,
            "sources": [*record.sources, message] if message is not None else record.sources,
            "revision": record.revision + 1,
        }
    )
    return after


def ended(record: S, at: datetime, reason: str | None, provenance: Provenance, now: datetime) -> S | None:
    """The record after it stopped holding at `at`; None when it did not hold then and was not going to.

    What a curator ended is curated from then on: no inference opens it again.
    """
    life = called_off(intervals(record.versions), at)
    if life == intervals(record.versions):
        return None
    after: S = record.model_copy(
        update={
            "versions": rewritten(record.versions, life, now, reason),
            "provenance": "curated" if provenance == "curated" else record.provenance,
            "revision": record.revision + 1,
        }
    )
    return after


def is_open(record: GraphStatement, now: datetime) -> bool:
    """Whether it holds now or is going to."""
    return any(one.end is None or one.end > now for one in intervals(record.versions))
