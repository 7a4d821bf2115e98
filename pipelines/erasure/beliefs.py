"""What is believed after an erasure: worked out anew from what is left.

Where the facts of a slot rest on observations alone, they are removed, and the observations that stay are consolidated
again, as if the erased ones had never been made. Where a call asserted or ended a fact too, what it said stands, and
the erased observations are taken back from it as an undone cycle takes its own back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from reverie.knowledge.positions import parted, place_of
from reverie.knowledge.reasons import ERASED, EVIDENT, REPLACED
from reverie.pipelines import consolidate
from reverie.pipelines.consolidate.claims import Triple, spoken_for
from reverie.pipelines.consolidate.gathering import stated
from reverie.pipelines.consolidate.slots import is_grouped, slot_of_statement
from reverie.pipelines.consolidate.undoing import take_back
from reverie.pipelines.erasure.claims import erase_fact
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.facts import base_form, declared, single_valued
from reverie.store import evidence
from reverie.store import facts as stored
from reverie.store.namespace import Namespace
from reverie.store.records.cycles import Bearing
from reverie.store.records.facts import FactRecord, Version
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.retry import attempts


@dataclass
class _Place:
    """A part of what is believed that depends on nothing else: the claims of a slot that may bear on each other, or one
    triple with its denial and its past. `said` are the erased observations, each with the claim that it makes of a
    triple.
    """

    slot: str
    single: bool
    claims: set[str] = field(default_factory=set)
    said: list[tuple[ObservationRecord, Triple, Triple]] = field(default_factory=list)


def believe_anew(tally: Tally, observations: Sequence[ObservationRecord]) -> None:
    """Take out of what is believed everything that rests on these observations, which are about to be removed.

    Doing it again changes nothing. Raises StoreBusy, StoreUnavailable.
    """
    ctx = tally.ctx
    gone = {one.id for one in observations}
    left: dict[str, ObservationRecord] = {}
    for place in _places(ctx.ns, observations):
        left |= {one.id: one for one in _clear(tally, place, gone)}
    if left:
        tally.moved |= set(left)
        if not consolidate.again(ctx, list(left.values())):
            ctx.wake(consolidate.TOPIC, ctx.namespace)
        facts = [id for kind, id in tally.ids if kind == "fact"]
        for fact in ctx.ns.get_many(FactRecord, facts):
            if fact is not None:
                tally.back(fact)


def _places(ns: Namespace, observations: Sequence[ObservationRecord]) -> list[_Place]:
    """Where these observations count, or would if they were consolidated."""
    found: dict[tuple[str, str], _Place] = {}
    claims = evidence.claims_of(ns, [one.id for one in observations])
    supported = ns.sources_of_many(stored.SUPPORTED_BY, "fact", "observation", [one.id for one in observations])
    ids = list(dict.fromkeys(id for group in (*claims, *supported) for id in group))
    facts = {one.id: one for one in ns.get_many(FactRecord, ids) if one is not None}
    settled = declared(ns)
    for observation, said, bears, supports in zip(
        observations, stated(ns, observations), claims, supported, strict=True
    ):
        known = [facts[id] for id in dict.fromkeys([*bears, *supports]) if id in facts]
        places = [(_positive(one), (one.slot, is_grouped(place_of(one), settled))) for one in known]
        if said is not None:
            own = Triple.of(said.subject, said.predicate, said.object)
            where = slot_of_statement(said, settled)
            places = [(triple, where) for triple, _ in [*places, (own, where)]]
        for triple, (slot, single) in {triple.id: (triple, where) for triple, where in places}.values():
            place = found.setdefault((slot, "" if single else triple.id), _Place(slot, single))
            place.claims |= {form.id for form in triple.forms}
            if said is not None:
                claim = spoken_for(said, observation, triple, single_valued(ns, said.predicate))
                if claim.id in bears:
                    place.claims.add(claim.id)
                    place.said.append((observation, claim, triple))
    for place in found.values():
        if place.single:
            place.claims |= set(evidence.claims_in(ns, place.slot))
    return list(found.values())


def _positive(fact: FactRecord) -> Triple:
    """What a fact affirms, denies, plans or says is over."""
    stance, bare = parted(fact.predicate)
    triple = Triple.of(fact.subject, base_form(bare), fact.object)
    return Triple(fact.id, triple.subject, triple.predicate, triple.object) if stance == "holds" else triple


def _clear(tally: Tally, place: _Place, gone: Collection[str]) -> list[ObservationRecord]:
    """Make ready what is believed here to be worked out anew; the observations that wait for that now."""
    ctx = tally.ctx
    for _ in attempts("what is believed"):
        claims = sorted(place.claims)
        slot_revision = stored.slot_revision(ctx.ns, place.slot)
        facts = [one for one in ctx.ns.get_many(FactRecord, claims) if one is not None]
        bearing = dict(
            zip(claims, ctx.ns.sources_of_many(evidence.BEARS_ON, "observation", "fact", claims), strict=True)
        )
        if not facts and not any(bearing.values()):
            return []
        if any(_is_asserted(ctx.ns, fact, bearing[fact.id]) for fact in facts):
            _take_back(tally, place)
            for fact in ctx.ns.get_many(FactRecord, claims):
                if fact is not None and fact.support <= 0:
                    erase_fact(tally, fact.id)
            return []
        ids = list(dict.fromkeys(id for group in bearing.values() for id in group if id not in gone))
        left = [one for one in ctx.ns.get_many(ObservationRecord, ids) if one is not None]
        transaction = ctx.ns.transaction()
        stored.require_slot(transaction, place.slot, slot_revision)
        stored.change_slot(transaction, place.slot)
        for claim, group in bearing.items():
            evidence.cease(transaction, group, claim, place.slot)
        for one in left:
            transaction.require_present(one.kind, one.id)
        consolidate.requeue(transaction, left, ctx.clock())
        if transaction.commit().committed:
            for fact in facts:
                erase_fact(tally, fact.id)
            return left
    raise AssertionError("attempts end by raising")


def _is_asserted(ns: Namespace, fact: FactRecord, bearing: Sequence[str]) -> bool:
    """Whether a call asserted or changed a fact, beside what was observed."""
    supports = set(stored.backing(ns, [fact.id])[0].observations)
    return fact.support > len(supports & set(bearing)) or any(_is_set(version) for version in fact.versions)


def _is_set(version: Version) -> bool:
    """Whether a call said how an interval ends, or that it never was."""
    ended = version.valid_to is not None and version.reason not in EVIDENT
    retired = version.retired_at is not None and version.retirement not in EVIDENT
    return (ended and version.reason != REPLACED) or (retired and version.retirement != REPLACED)


def _take_back(tally: Tally, place: _Place) -> None:
    ns = tally.ctx.ns
    ids = [observation.id for observation, _, _ in place.said]
    supported: dict[str, list[str]] = {}
    for id, facts in zip(ids, ns.sources_of_many(stored.SUPPORTED_BY, "fact", "observation", ids), strict=True):
        for fact in facts:
            supported.setdefault(fact, []).append(id)
    bearings = [
        Bearing(
            observation=observation.id,
            claim=claim.id,
            slot=place.slot,
            single=place.single,
            triple=triple.id,
        )
        for observation, claim, triple in place.said
    ]
    if bearings:
        take_back(tally.ctx, bearings, supported, ERASED)
