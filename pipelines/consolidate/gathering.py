"""Reading what a plan is made from: the slots that the new observations touch, and nothing else.

So the cost of a cycle follows what is new. A slot is a subject with a predicate; of a crowded one the newest facts
are read, and the one of the very same words whatever its age.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.knowledge.exclusion import Position, retracts, same_state
from reverie.knowledge.objects import Centre, nearest, worth_asking
from reverie.knowledge.positions import place_of
from reverie.knowledge.versions import believed
from reverie.knowledge.wording import folded, same_words, shares_words
from reverie.pipelines.consolidate.admission import is_admitted, is_tentative
from reverie.pipelines.consolidate.claims import Reading, reworded, sentence
from reverie.pipelines.consolidate.merging import Judgement, Pair, judge
from reverie.pipelines.consolidate.slots import Slot, Vector, slot_of_statement
from reverie.pipelines.consolidate.wording import Statement, statement
from reverie.pipelines.context import Context
from reverie.pipelines.facts import declared, records
from reverie.pipelines.nicknames import nicknames
from reverie.store import evidence as stored
from reverie.store import hits
from reverie.store.namespace import Namespace
from reverie.store.nicknames import Given
from reverie.store.records.cycles import Bearing
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord


@dataclass(frozen=True)
class Sorted:
    """New observations, read; `useless` are the ids of those that state nothing of anybody."""

    readings: list[Reading]
    useless: list[str]


def sort(ns: Namespace, observations: Sequence[ObservationRecord]) -> Sorted:
    """Read the observations; what no fact can come of is set aside."""
    readings, useless = [], []
    names = nicknames(ns)
    about = stored.named_subjects(ns, [one.id for one in observations])
    for observation, named in zip(observations, about, strict=True):
        said = _stated(observation, names)
        if said is None or not is_admitted(said, observation, named=named):
            useless.append(observation.id)
        else:
            readings.append(Reading(observation, said, is_tentative(said, observation)))
    aimed = [_aimed(ns, reading, readings) for reading in readings]
    return Sorted(sorted(aimed, key=lambda reading: reading.moment), useless)


def _aimed(ns: Namespace, reading: Reading, readings: Sequence[Reading]) -> Reading:
    """A correction in the words of what it corrects: "in Bath, not Bristol" of one who was said to work out of Bristol.

    Looked for among what is new and what is believed of the same subject; another reading stays as it is.
    """
    said = reading.statement
    if said.bearing != "wrong" or said.object is None:
        return reading
    earlier = [one for one in readings if one.moment <= reading.moment and one.statement.stance == "holds"]
    places = [
        Position(one.statement.predicate, one.statement.object, kind=one.statement.kind)
        for one in earlier
        if folded(one.statement.subject) == folded(said.subject)
    ]
    places += [place_of(one) for one in records(ns, subject=said.subject) if believed(one.versions)]
    own = Position(said.predicate, said.object, "wrong", said.kind)
    meant = [one for one in places if one.stance == "holds" and shares_words(one.object, said.object)]
    if not meant or any(retracts(own, one) for one in meant):
        return reading
    return replace(reading, statement=replace(said, predicate=meant[-1].predicate, kind=meant[-1].kind))


def _stated(observation: ObservationRecord, names: Mapping[str, Given]) -> Statement | None:
    """What an observation states, with canonical names, which may have been learned since."""
    said = statement(observation)
    if said is None:
        return None
    subject = names.get(said.subject.casefold())
    object = names.get((said.object or "").casefold()) if said.kind != "name" else None
    return replace(
        said,
        subject=said.subject if subject is None else subject.name,
        object=said.object if object is None else object.name,
    )


def stated(ns: Namespace, observations: Sequence[ObservationRecord]) -> list[Statement | None]:
    """What each observation states, as `sort` reads it."""
    names = nicknames(ns)
    return [_stated(one, names) for one in observations]


@dataclass(frozen=True)
class Gathered:
    """The slots of new observations, and whether a language model's word on their wordings could not be used."""

    slots: list[Slot]
    refused: bool


def gather(ctx: Context, readings: Sequence[Reading]) -> Gathered:
    """The slots of the readings with all that is known of them. Raises ModelFailed, StoreUnavailable."""
    slots = _slots(ctx.ns, readings)
    standing = _standing(ctx.ns, slots)
    _embed(ctx, slots, standing)
    judgement = judge(ctx, [pair for slot in slots for pair in _doubts(slot, standing[slot.id])])
    for slot in slots:
        _assign(slot, standing[slot.id], judgement)
        slot.others = standing[slot.id].others(slot)
    _read_claims(ctx.ns, slots)
    return Gathered(slots, judgement.refused)


def gather_again(ns: Namespace, bearings: Sequence[Bearing]) -> Slot:
    """One slot with observations that were consolidated before, as new ones: `known` is the evidence without them."""
    ids = [one.observation for one in bearings]
    names = nicknames(ns)
    readings = []
    for observation in ns.get_many(ObservationRecord, ids):
        said = None if observation is None else _stated(observation, names)
        if observation is not None and said is not None:
            readings.append(Reading(observation, said, is_tentative(said, observation)))
    slot = Slot(bearings[0].slot, bearings[0].single, readings, declared(ns))
    found = _standing(ns, [slot])[slot.id]
    ids = list(dict.fromkeys(id for one in bearings for id in (one.triple, one.claim)))
    records = {one.id: one for one in ns.get_many(FactRecord, ids) if one is not None}
    left = {reading.id for reading in readings}
    slot.restore([one for one in bearings if one.observation in left], records)
    slot.others = found.others(slot)
    _read_claims(ns, [slot])
    return slot


def _slots(ns: Namespace, readings: Sequence[Reading]) -> list[Slot]:
    settled = declared(ns)
    slots: dict[str, Slot] = {}
    for reading in readings:
        id, single = slot_of_statement(reading.statement, settled)
        slots.setdefault(id, Slot(id, single, [], settled)).readings.append(reading)
    return list(slots.values())


@dataclass(frozen=True)
class _Standing:
    """The facts of a slot, the vectors of their sentences, and where its claims may bear on each other all of them."""

    facts: list[FactRecord]
    vectors: dict[str, Vector | None]
    candidates: list[str]

    def others(self, slot: Slot) -> tuple[str, ...]:
        """The claims of the slot beside those that the new observations speak of."""
        values = [*self.candidates, *(one.id for one in self.facts)] if slot.single else []
        return tuple(id for id in dict.fromkeys(values) if id not in slot.triples)

    def centres(self, reading: Reading) -> list[Centre]:
        """The facts that say of their object what a reading says of its own."""
        said = reading.statement
        place = Position(said.predicate, said.object, kind=said.kind)
        return [
            Centre(one.id, one.object, self.vectors[one.id])
            for one, other in ((one, place_of(one)) for one in self.facts)
            if other.stance == "holds" and same_state(place, other)
        ]


def _standing(ns: Namespace, slots: Sequence[Slot]) -> dict[str, _Standing]:
    found = stored.slots(ns, [slot.id for slot in slots])
    own = {
        slot.id: dict.fromkeys([*ids, *(reading.triple.id for reading in slot.readings)])
        for slot, (_, ids, _) in zip(slots, found, strict=True)
    }
    wanted = list(dict.fromkeys(id for ids in own.values() for id in ids))
    records = [record for record in ns.get_many(FactRecord, wanted) if record is not None]
    known = {record.id: record for record in records}
    vectors = dict(zip(known, hits.vectors(ns, "fact", list(known), part=1), strict=True))
    standing = {}
    for slot, (slot_revision, _, claims) in zip(slots, found, strict=True):
        slot.slot_revision = slot_revision
        facts = [known[id] for id in own[slot.id] if id in known and known[id].slot == slot.id]
        standing[slot.id] = _Standing(facts, {one.id: vectors[one.id] for one in facts}, claims if slot.single else [])
    return standing


def _embed(ctx: Context, slots: Sequence[Slot], standing: dict[str, _Standing]) -> None:
    """Vectors of the sentences whose objects have to be compared with others by likeness."""
    wanted = []
    for slot in slots:
        seen = [one.object for one in standing[slot.id].facts]
        for reading in slot.readings:
            if not reading.tentative and not any(same_words(reading.statement.object, one) for one in seen):
                seen.append(reading.statement.object)
                wanted.append((slot, reading))
    texts = [sentence(one.observation, one.statement, one.triple) for _, one in wanted]
    for (slot, reading), vector in zip(wanted, ctx.embedder.documents(texts), strict=True):
        slot.vectors[reading.id] = vector


def _doubts(slot: Slot, standing: _Standing) -> list[Pair]:
    """The values that may mean the same in other words, and that likeness alone does not merge."""
    made: list[tuple[Reading, Centre]] = []
    pairs = []
    for reading in slot.readings:
        centres = [*standing.centres(reading), *_alike(reading, made)]
        value, vector = reading.statement.object, slot.vectors.get(reading.id)
        if vector is None or value is None or nearest(value, vector, centres) is not None:
            continue
        pairs += [_pair(reading, centre) for centre in worth_asking(value, vector, centres)]
        made.append((reading, Centre(reading.triple.id, value, vector)))
    return pairs


def _alike(reading: Reading, made: Sequence[tuple[Reading, Centre]]) -> list[Centre]:
    """Of the centres that new readings made, those that say of their object what this one says of its own."""
    said = reading.statement
    place = Position(said.predicate, said.object, kind=said.kind)
    others = ((one.statement, centre) for one, centre in made)
    return [centre for one, centre in others if same_state(place, Position(one.predicate, one.object, kind=one.kind))]


def _pair(reading: Reading, centre: Centre) -> Pair:
    said = reading.statement
    return Pair(said.subject, said.predicate, said.object or "", centre.object or "")


def _assign(slot: Slot, standing: _Standing, judgement: Judgement) -> None:
    """Give each observation the claim it speaks for, in the wording of the centre that its object belongs to."""
    made: list[tuple[Reading, Centre]] = []
    known = {one.id: one for one in standing.facts}
    for reading in slot.readings:
        centres = [*standing.centres(reading), *_alike(reading, made)]
        vector = slot.vectors.get(reading.id)
        centre = nearest(reading.statement.object, vector, centres)
        if centre is None:
            centre = next((one for one in centres if _pair(reading, one) in judgement.same), None)
            slot.merges += centre is not None
        triple = reading.triple
        if centre is not None and centre.fact_id in known:
            fact = known[centre.fact_id]
            triple = reworded(triple, fact.subject, fact.object, fact.id)
        elif centre is not None:
            triple = slot.triples[centre.fact_id]
        else:
            made.append((reading, Centre(triple.id, triple.object, vector)))
        slot.speak(reading, triple)


def _read_claims(ns: Namespace, slots: Sequence[Slot]) -> None:
    """The facts of all the claims, and the evidence for them that earlier cycles used."""
    claims = {slot.id: slot.ids() for slot in slots}
    wanted = list(dict.fromkeys(id for ids in claims.values() for id in ids))
    records = dict(zip(wanted, ns.get_many(FactRecord, wanted), strict=True))
    bearing = dict(zip(wanted, stored.bearing(ns, wanted), strict=True))
    ids = list(dict.fromkeys(id for found in bearing.values() for id in found))
    observations = dict(zip(ids, ns.get_many(ObservationRecord, ids), strict=True))
    pairs = [(id, claim) for claim in wanted if records[claim] is not None for id in bearing[claim]]
    pairs += [(reading.id, slot.claims[reading.id].id) for slot in slots for reading in slot.readings]
    counted = {pair for pair, known in zip(pairs, stored.supporting(ns, pairs), strict=True) if known}
    for slot in slots:
        new = {reading.id for reading in slot.readings}
        for claim in claims[slot.id]:
            record = records[claim]
            if record is not None:
                slot.facts[claim] = record
            earlier = [observations[id] for id in bearing[claim] if id not in new]
            slot.known[claim] = [one for one in earlier if one is not None]
        slot.counted = {pair for pair in counted if pair[1] in claims[slot.id]}
