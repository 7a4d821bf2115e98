"""One clause in its setting, and the making of a claim from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.knowledge.claims import Kind, Mood
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.naming import Voice

REPORTED, THOUGHT, INFERRED = 0.8, 0.7, 0.9


@dataclass(frozen=True)
class Case:
    """`siblings` are the sentence's clauses, `before` the claims made of it so far, `cut` the words of its time."""

    clause: Clause
    voice: Voice
    siblings: Sequence[Clause]
    before: Sequence[Claim]
    when: times.When | None
    cut: frozenset[int]
    told: Sequence[Claim] = ()
    """The claims of the sentences before."""


def claim(
    case: Case,
    subject: str,
    predicate: str,
    target: str | None,
    content: str,
    *,
    negated: bool = False,
    confidence: float = 1.0,
    mood: Mood = "asserted",
    state: str | None = None,
    kind: Kind | None = None,
    began: bool = False,
) -> Claim:
    """A claim of the case's clause, dated as the clause is."""
    when = case.when
    return Claim(
        subject=subject,
        predicate=predicate,
        object=target or None,
        content=content,
        temporal_phrase=when.phrase if when else None,
        when=when.iso if when else None,
        when_start=when.start if when else None,
        when_end=when.end if when else None,
        negated=negated,
        confidence=confidence,
        mood=mood,
        state=state,
        kind=kind,
        began=began,
        since=when.since if when else None,
        until=when.until if when else None,
    )
