"""A slot: what is known and what is new of a subject in one respect. The unit of planning.

The respect is a group of kinds of things (a home, work, what one has) where the claims tell a kind, else a predicate.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from reverie.knowledge import positions
from reverie.knowledge.exclusion import Position, excludes, retracts
from reverie.knowledge.identity import shipped
from reverie.knowledge.kinds import group_of, kind_of
from reverie.pipelines.consolidate.claims import Reading, Triple, position, spoken_for
from reverie.pipelines.consolidate.wording import Statement, statement
from reverie.pipelines.facts import base_form, slot_of
from reverie.store.records.cycles import Bearing
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord

Vector = npt.NDArray[np.float32]


def slot_of_statement(said: Statement, settled: Mapping[str, bool]) -> tuple[str, bool]:
    """Id of the slot that a statement belongs to, and whether the slot's claims may bear on each other.

    `settled` is what the namespace declared of its predicates: these are slots of their own.
    """
    group = None if said.predicate in settled else group_of(said.kind)
    place = Position(said.predicate, said.object, kind=said.kind)
    return slot_of(said.subject, said.predicate, group), is_grouped(place, settled)


def is_grouped(place: Position, settled: Mapping[str, bool]) -> bool:
    """Whether claims of this kind, or with this predicate, may bear on each other beside those of one triple."""
    if place.predicate in settled:
        return settled[place.predicate]
    return shipped(place.predicate) or group_of(place.kind) is not None


@dataclass
class Slot:
    """`triples` are the positive claims by id, `claims` the claim that each new observation speaks for, `known` the
    evidence for each claim that was used before, `counted` the (observation, claim) pairs that count as support of a
    fact already.
    """

    id: str
    single: bool
    """Whether its claims may bear on each other, beside those of one triple."""
    readings: list[Reading]
    declared: Mapping[str, bool] = field(default_factory=dict)
    slot_revision: str = ""
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
    """Ids of the other claims of a slot whose claims bear on each other."""
    _positives: dict[str, str] = field(default_factory=dict)

    def speak(self, reading: Reading, triple: Triple) -> None:
        """Let a new observation speak for the claim that it makes of a triple."""
        self.triples[triple.id] = triple
        said = reading.statement
        self.claims[reading.id] = spoken_for(said, reading.observation, triple, self._is_single(said.predicate))
        self._positives[reading.id] = triple.id

    def ids(self) -> list[str]:
        """Ids of all claims that the slot's new observations may bear on."""
        own = [form.id for triple in self.triples.values() for form in triple.forms]
        return list(dict.fromkeys([*own, *(claim.id for claim in self.claims.values()), *self.others]))

    def positions(self) -> dict[str, Position]:
        """Where each claim stands, as far as anything is known of it."""
        found = {id: positions.place_of(fact, self._settled(fact.predicate)) for id, fact in self.facts.items()}
        heard: dict[str, list[ObservationRecord]] = {id: list(known) for id, known in self.known.items() if known}
        for reading in self.readings:
            heard.setdefault(self.claims[reading.id].id, []).append(reading.observation)
        for id, observations in heard.items():
            said = statement(observations[0])
            if said is not None:
                found[id] = self._position(id, said, observations[0])
        for triple in self.triples.values():
            # A correction may have found what it corrects by its words alone.
            if triple.wrong.id in found:
                wrong = found[triple.wrong.id]
                found[triple.wrong.id] = replace(wrong, predicate=triple.predicate, object=triple.object)
        beside = self._employers(found, heard)
        return {id: replace(one, beside=beside.get(id, frozenset())) for id, one in found.items()}

    def _position(self, id: str, said: Statement, observation: ObservationRecord) -> Position:
        """Of a claim by what an observation says of it, in the wording of its fact if it is one."""
        own = Triple.of(said.subject, said.predicate, said.object)
        claim = spoken_for(said, observation, own, self._is_single(said.predicate))
        fact = self.facts.get(id)
        worded = claim if fact is None else replace(claim, object=fact.object)
        return position(said, worded, self._settled(said.predicate))

    def _is_single(self, predicate: str) -> bool:
        return self.declared.get(predicate, shipped(predicate))

    def _settled(self, predicate: str) -> bool | None:
        """Whether the predicate has one value by what is settled of it; None where its kind decides."""
        state = base_form(positions.parted(predicate)[1])
        return self.declared.get(state, True if shipped(state) and kind_of(state) is None else None)

    @staticmethod
    def _employers(
        places: Mapping[str, Position], heard: Mapping[str, Sequence[ObservationRecord]]
    ) -> dict[str, frozenset[str]]:
        """For each role the employers that were told of in the same message."""
        told: dict[str, set[str]] = {}
        for id, one in places.items():
            if one.kind == "employer" and one.stance == "holds" and one.object is not None:
                for observation in heard.get(id, ()):
                    told.setdefault(observation.message, set()).add(one.object)
        return {
            id: frozenset(employer for said in heard.get(id, ()) for employer in told.get(said.message, ()))
            for id, one in places.items()
            if one.kind == "role"
        }

    def rivals(self) -> dict[str, frozenset[str]]:
        """Every claim of the slot with the ids of those that cannot hold once it holds."""
        places = self.positions()
        return {
            id: frozenset(other for other in places if other != id and excludes(one, places[other]))
            for id, one in places.items()
        }

    def retracted(self) -> dict[str, frozenset[str]]:
        """Every claim that something was said by mistake, with the ids of the claims that it takes back."""
        places = self.positions()
        return {
            id: frozenset(other for other in places if retracts(one, places[other]))
            for id, one in places.items()
            if one.stance == "wrong"
        }

    def bearings(self) -> tuple[Bearing, ...]:
        """Which new observation speaks for which claim, for the audit and for taking it back."""
        return tuple(
            Bearing(
                observation=reading.id,
                claim=self.claims[reading.id].id,
                slot=self.id,
                single=self.single,
                triple=self._positives[reading.id],
            )
            for reading in self.readings
        )

    def restore(self, bearings: Iterable[Bearing], facts: Mapping[str, FactRecord]) -> None:
        """Give the readings the claims that they were given before, in the wording of their facts."""
        readings = {reading.id: reading for reading in self.readings}
        for one in bearings:
            reading, fact = readings[one.observation], facts.get(one.triple) or facts.get(one.claim)
            triple = reading.triple
            if fact is not None:
                triple = Triple(one.triple, fact.subject, reading.statement.predicate, fact.object)
            self.speak(reading, triple)
