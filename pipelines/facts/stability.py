"""Subjects whose facts keep being closed: what is held true of them is drifting."""

from collections.abc import Sequence
from datetime import timedelta

from reverie.knowledge.identity import subject_term
from reverie.knowledge.versions import Interval, intervals
from reverie.pipelines.base import KnowledgeBase
from reverie.store.commit import Transaction
from reverie.store.keys import Keys
from reverie.store.records.facts import FactRecord
from reverie.store.space import reachable
from reverie.store.times import to_micros

MOST_CLOSINGS, WINDOW = 4, timedelta(days=30)


def note_closing(transaction: Transaction, before: FactRecord | None, after: FactRecord) -> None:
    """Count it when a change of a fact closes what was open: by the moment at which it ended in the world."""
    if before is None:
        return
    closed = _open(before) and not _open(after)
    end = max((one.end for one in intervals(after.versions) if one.end is not None), default=None)
    if closed and end is not None:
        member = f"{after.id}:{len(after.versions)}"
        transaction.run("ZADD", _key(transaction.space.keys, after.subject), to_micros(end), member)


def _open(fact: FactRecord) -> list[Interval]:
    return [one for one in intervals(fact.versions) if one.end is None]


def _key(keys: Keys, subject: str) -> str:
    """Sorted set of the closings of a subject's facts, by the moment each ended."""
    return keys.named(f"closings:{subject_term(subject)}")


def unstable(kb: KnowledgeBase, subjects: Sequence[str]) -> list[str]:
    """Those of the subjects with more than four closings in the thirty days up to their latest one."""
    if not subjects:
        return []
    pipe = kb.space.client.pipeline(transaction=False)
    for subject in subjects:
        pipe.zrange(_key(kb.space.keys, subject), -(MOST_CLOSINGS + 1), -1, withscores=True)
    with reachable():
        latest = pipe.execute()
    span = WINDOW // timedelta(microseconds=1)
    return [
        subject
        for subject, found in zip(subjects, latest, strict=True)
        if len(found) > MOST_CLOSINGS and found[-1][1] - found[0][1] <= span
    ]
