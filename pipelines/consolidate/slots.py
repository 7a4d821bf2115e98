"""A slot: a subject with a predicate, what is new about it and what is known. The unit of planning."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from reverie.pipelines.consolidate.claims import Reading, Triple
from reverie.pipelines.consolidate.wording import FORMERLY, NOT
from reverie.pipelines.facts import base_form
from reverie.store.records.cycles import Bearing
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord

Vector = npt.NDArray[np.float32]


@dataclass
class Slot:
    """`triples` are the positive claims by id, `claims` the claim that each new observation speaks for, `known` the
    evidence for each claim that was used before, `counted` the (observation, claim) pairs that count as support of a
    fact already.
    """

    id: str
    single: bool
    readings: list[Reading]
    turn: str = ""
    triples: dict[str, Triple] = field(default_factory=dict)
    claims: dict[str, Triple] = field(default_factory=dict)
    facts: dict[str, FactRecord] = field(default_factory=dict)
    known: dict[str, list[ObservationRecord]] = field(default_factory=dict)
    counted: set[tuple[str, str]] = field(default_factory=set)
    vectors: dict[str, Vector] = field(default_factory=dict)
    """Of the sentences of new observations, by observation id."""
    merges: int = 0
    """How many of the new observations a language model gave another wording's claim."""
    others: tuple[str, ...] = ()
    """Ids of the other values of a single-valued predicate: what denies or ended them is not looked at again."""

    def all_claims(self) -> dict[str, frozenset[str]]:
        """Every claim of the slot with the ids of those that cannot hold while it holds."""
        positives = [*self.triples, *self.others]
        rivals = {id: set(positives) - {id} if self.single else set() for id in positives}
        for id, triple in self.triples.items():
            against = {triple.denial.id, triple.past.id}
            rivals[id] |= against
            rivals |= {other: {id} for other in against}
        return {id: frozenset(others) for id, others in rivals.items()}

    def positive(self, observation: str) -> Triple:
        """What an observation affirms, denies or says is over."""
        claim = self.claims[observation].id
        return next(one for one in self.triples.values() if claim in (one.id, one.denial.id, one.past.id))

    def bearings(self) -> tuple[Bearing, ...]:
        """Which new observation speaks for which claim, for the audit and for taking it back."""
        return tuple(self._bearing(reading.id) for reading in self.readings)

    def _bearing(self, observation: str) -> Bearing:
        triple = self.positive(observation)
        return Bearing(
            observation=observation,
            claim=self.claims[observation].id,
            slot=self.id,
            single=self.single,
            triple=triple.id,
        )

    def restore(self, bearings: Iterable[Bearing], facts: Mapping[str, FactRecord]) -> None:
        """Give the readings the claims that they were given before, in the wording of their facts."""
        readings = {reading.id: reading for reading in self.readings}
        for one in bearings:
            reading, fact = readings[one.observation], facts.get(one.triple) or facts.get(one.claim)
            triple = reading.triple
            if fact is not None:
                predicate = base_form(fact.predicate).removeprefix(NOT).removeprefix(FORMERLY)
                triple = Triple(one.triple, fact.subject, predicate, fact.object)
            self.triples[triple.id] = triple
            self.claims[one.observation] = reading.about(triple, self.single)
