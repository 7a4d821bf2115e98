"""Noting when facts are closed, and finding the subjects that are not stable."""

from collections.abc import Sequence

from reverie.knowledge.identity import subject_term
from reverie.knowledge.stability import MOST_CLOSINGS, closed_at, is_unstable
from reverie.store import closings
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord


def note_closing(transaction: Transaction, before: FactRecord | None, after: FactRecord) -> None:
    """Count it when a change of a fact closes what was open: by the moment at which it ended in the world."""
    at = closed_at(before, after)
    if at is not None:
        closings.note(transaction, subject_term(after.subject), after, at)


def unstable(ns: Namespace, subjects: Sequence[str]) -> list[str]:
    """Those of the subjects with more than four closings in the thirty days up to their latest one."""
    latest = closings.latest(ns, [subject_term(subject) for subject in subjects], MOST_CLOSINGS + 1)
    return [subject for subject, found in zip(subjects, latest, strict=True) if is_unstable(found)]
