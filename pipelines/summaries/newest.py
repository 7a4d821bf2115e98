"""Of claims that replace one another in the course of a session, the newest."""

from collections.abc import Sequence

from reverie.knowledge.identity import base_form, shipped
from reverie.knowledge.wording import folded
from reverie.pipelines import facts
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import ObservationRecord


def newest(ns: Namespace, observations: Sequence[ObservationRecord]) -> list[ObservationRecord]:
    """The observations, in order, without those that a later one repeats, denies or replaces.

    Only a predicate that holds one value at a time replaces, and only a claim about no time of its own is replaced.
    """
    declared = facts.declared(ns)
    told: set[tuple[str, str, str]] = set()
    filled: set[tuple[str, str]] = set()
    kept = []
    for one in reversed(observations):
        if one.subject is not None and one.predicate is not None:
            predicate = base_form(one.predicate)
            slot = (folded(one.subject), predicate)
            triple = (*slot, folded(one.object or ""))
            replaces = not one.negated and one.temporal_phrase is None
            replaces = replaces and declared.get(predicate, shipped(predicate))
            if triple in told or (replaces and slot in filled):
                continue
            told.add(triple)
            if replaces:
                filled.add(slot)
        kept.append(one)
    return kept[::-1]
