"""From what is known and what is new to the changes of facts. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from reverie.knowledge.exclusion import Position
from reverie.knowledge.reasons import CORRECTED, MISTAKEN, RULED_OUT
from reverie.knowledge.timeline import Ending, Evidence, Retraction, moved, resolve
from reverie.knowledge.versions import believed, intervals
from reverie.pipelines.consolidate.admission import is_tentative
from reverie.pipelines.consolidate.claims import Triple, evidence, sentence
from reverie.pipelines.consolidate.slots import Slot
from reverie.pipelines.consolidate.wording import statement
from reverie.pipelines.facts import Interval
from reverie.store.evidence import READ
from reverie.store.records.cycles import Action
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord

Told = Mapping[datetime, str]
"""Moments as precise as they were told, in the zone of who told them."""

_NEEDS_NO_OBJECT = (None, "habit", "diet", "health")


@dataclass(frozen=True)
class Growth:
    """A fact to be made or to gain support and time. `observations` are all those that it rests on."""

    action: Action
    triple: Triple
    content: str
    observations: tuple[str, ...]
    said_at: datetime
    before: tuple[Interval, ...]
    after: tuple[Interval, ...]
    revision: int | None
    """Of the fact as it was read; None for a new one."""
    kind: str | None
    """What kind of thing it is, if any."""
    told: Told


@dataclass(frozen=True)
class Closing:
    """A fact to be believed for less time than before, and the fact whose evidence says so."""

    fact: FactRecord
    before: tuple[Interval, ...]
    after: tuple[Interval, ...]
    replaced_by: str | None
    reason: str
    told: Told


@dataclass(frozen=True)
class SlotPlan:
    """What is to be done in one slot, valid as long as its `turn` is."""

    slot: Slot
    growths: tuple[Growth, ...]
    closings: tuple[Closing, ...]

    @property
    def observations(self) -> tuple[str, ...]:
        return tuple(reading.id for reading in self.slot.readings)

    @property
    def believed(self) -> frozenset[str]:
        """Ids of the new observations that support a fact."""
        return frozenset(id for growth in self.growths for id in growth.observations)


def plan(slot: Slot) -> SlotPlan:
    """The changes that the slot's new observations bring about."""
    new = _new(slot)
    growths, closings = [], []
    places, told = slot.positions(), _told(slot)
    lives = _lives(slot, [], new)
    wanted = {claim: life.wanted for claim, life in lives.items()}
    rivals, retracted = slot.rivals(), slot.retracted()
    wrong = {claim for one in new for claim in retracted.get(one.claim, ())}
    for claim, life in lives.items():
        fact = slot.facts.get(claim)
        said = [one for one in new if one.claim == claim and life.wanted and may_be_believed(places[claim])]
        if said:
            growths.append(_growth(slot, claim, said, life, places[claim].kind, told))
        elif fact is not None and life.after != life.before:
            by = [one.claim for one in new if claim in rivals[one.claim] and may_be_believed(places[one.claim])]
            closings.append(_closing(fact, life, by, wanted, told, mistaken=claim in wrong and not life.wanted))
    return SlotPlan(slot, tuple(growths), tuple(closings))


def may_be_believed(place: Position) -> bool:
    """Whether a claim can be a fact: not what only takes back or ends others."""
    if place.stance in ("wrong", "cancelled"):
        return False
    return place.stance != "formerly" or place.object is not None or place.kind in _NEEDS_NO_OBJECT


def without_new(slot: Slot) -> dict[str, list[Interval]]:
    """The intervals that the slot's facts are left with when its new observations, used before, are taken back."""
    return {claim: life.after for claim, life in _lives(slot, _new(slot), []).items() if claim in slot.facts}


@dataclass(frozen=True)
class _Life:
    """The intervals of a claim: those believed, those worked out, and those to be believed."""

    before: list[Interval]
    wanted: list[Interval]
    after: list[Interval]


def _lives(slot: Slot, now: Sequence[Evidence], then: Sequence[Evidence]) -> dict[str, _Life]:
    """What comes of it when beside the known evidence not `now` but `then` counts."""
    rivals = slot.rivals()
    known = [one for claim, found in slot.known.items() for one in _evidence(claim, found)]
    known += [one for claim, fact in slot.facts.items() for one in _asserted(slot, claim, fact)]
    back = slot.retracted()
    by_hand = [
        Retraction(claim, fact.mistaken_at, by_hand=True)
        for claim, fact in slot.facts.items()
        if fact.mistaken_at is not None
    ]
    before = [*_retractions(back, [*known, *now]), *by_hand]
    after = [*_retractions(back, [*known, *then]), *by_hand]
    endings = _endings(slot, resolve([*known, *now], rivals.__getitem__, (), before))
    old = resolve([*known, *now], rivals.__getitem__, endings, before)
    new = resolve([*known, *then], rivals.__getitem__, endings, after)
    lives = {}
    for claim in rivals:
        fact, wanted = slot.facts.get(claim), new.get(claim, [])
        life = intervals(fact.versions) if fact else []
        lives[claim] = _Life(life, wanted, wanted if fact is None else moved(life, old.get(claim, []), wanted))
    return lives


def _retractions(back: Mapping[str, frozenset[str]], evidence: Iterable[Evidence]) -> list[Retraction]:
    return [
        Retraction(claim, one.observed_at, one.origin) for one in evidence for claim in sorted(back.get(one.claim, ()))
    ]


def _told(slot: Slot) -> dict[datetime, str]:
    """The moments of which the slot's evidence speaks, as precise as they were told, in the zone of who told them."""
    heard = [*(one.observation for one in slot.readings), *(one for found in slot.known.values() for one in found)]
    told: dict[datetime, str] = {}
    for one in sorted(heard, key=lambda each: (each.observed_at, each.id)):
        zone = timezone(timedelta(minutes=one.utc_offset))
        told.setdefault(one.observed_at, one.observed_at.astimezone(zone).isoformat(timespec="minutes"))
        for at, words in ((one.since or one.when_start, one.since_told), (one.until, one.until_told)):
            if at is not None:
                local = at.astimezone(zone).isoformat(timespec="minutes")
                told[at] = max(words or local, told.get(at, ""), key=len) if words else told.get(at, local)
    return told


def _new(slot: Slot) -> list[Evidence]:
    found = [evidence(one.observation, slot.claims[one.id].id, one.tentative) for one in slot.readings]
    return [one for one in found if one is not None]


def _evidence(claim: str, observations: Iterable[ObservationRecord]) -> list[Evidence]:
    found = []
    for observation in observations:
        said = statement(observation)
        one = evidence(observation, claim, said is not None and is_tentative(said, observation))
        if one is not None:
            found.append(one)
    return found


def _asserted(slot: Slot, claim: str, fact: FactRecord) -> list[Evidence]:
    """What an explicit call asserted counts as evidence too: a change, at the beginning of each interval."""
    given = fact.support - sum(1 for _, one in slot.counted if one == claim)
    if given <= 0 or len(slot.known.get(claim, ())) >= READ:
        return []
    return [
        Evidence(
            id=f"{fact.id}#{place}",
            claim=claim,
            message=f"{fact.id}#{place}",
            start=interval.start,
            observed_at=fact.recorded_at,
            origin=fact.origin,
            weight=float(given),
            change=True,
        )
        for place, interval in enumerate(intervals(fact.versions))
    ]


def _endings(slot: Slot, worked_out: dict[str, list[Interval]]) -> list[Ending]:
    """The ends of believed intervals that no evidence explains: an explicit call set them."""
    return [
        Ending(claim, version.valid_to)
        for claim, fact in slot.facts.items()
        for version in believed(fact.versions)
        if version.valid_to is not None
        and any(one.start < version.valid_to and version.valid_to in one for one in worked_out.get(claim, ()))
    ]


def _growth(slot: Slot, claim: str, said: Sequence[Evidence], life: _Life, kind: str | None, told: Told) -> Growth:
    fact = slot.facts.get(claim)
    if fact is None:
        first = min(said, key=lambda one: (one.start, one.observed_at, one.id))
        reading = next(reading for reading in slot.readings if reading.id == first.id)
        triple = slot.claims[first.id]
        content = sentence(reading.observation, reading.statement, triple)
    else:
        triple, content = Triple(fact.id, fact.subject, fact.predicate, fact.object), fact.content
    same = fact is not None and life.before == life.after
    action: Action = "create" if fact is None else "reinforce" if same else "revise"
    waiting = () if same else [one.id for one in slot.known.get(claim, ())]
    return Growth(
        action=action,
        triple=triple,
        content=content,
        observations=(*waiting, *(one.id for one in said)),
        said_at=max(one.observed_at for one in said),
        before=tuple(life.before),
        after=tuple(life.after),
        revision=None if fact is None else fact.revision,
        kind=kind,
        told=told,
    )


def _closing(
    fact: FactRecord,
    life: _Life,
    by: Sequence[str],
    wanted: Mapping[str, Sequence[Interval]],
    told: Told,
    *,
    mistaken: bool,
) -> Closing:
    """`by` are the new claims that exclude the fact; `mistaken`: it was said to have been said by mistake."""
    ends = {one.end for one in life.after} - {one.end for one in life.before}
    replacing = [claim for claim in by if any(interval.start in ends for interval in wanted.get(claim, ()))]
    replaced_by = replacing[0] if replacing else None
    reason = MISTAKEN if mistaken else RULED_OUT if replaced_by else CORRECTED
    return Closing(fact, tuple(life.before), tuple(life.after), replaced_by, reason, told)
