"""One run of consolidation: plan, check, apply, and the audit of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.models.embedders import Vector
from reverie.pipelines.consolidate.applying import Step, apply, no_step
from reverie.pipelines.consolidate.audit import CYCLE_OF, EVERY
from reverie.pipelines.consolidate.checking import check
from reverie.pipelines.consolidate.gathering import gather, sort
from reverie.pipelines.consolidate.planning import Closing, Growth, SlotPlan, plan
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Interval, unstable
from reverie.store import pending
from reverie.store.locks import singleflight
from reverie.store.namespace import Namespace
from reverie.store.records.cycles import Bearing, Change, CycleRecord, Span
from reverie.store.records.knowledge import ObservationRecord


@dataclass
class Plan:
    """What a run is going to do, slot by slot. `useless` observations state nothing of anybody; `gone` are erased."""

    slots: list[SlotPlan] = field(default_factory=list)
    useless: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    refused: int = 0
    """Replies of the language model that could not be used."""
    vectors: dict[str, Vector] = field(default_factory=dict)
    """Of the sentences of the facts that are to be made, by fact id."""


def make_plan(ctx: Context, ids: Sequence[str]) -> Plan:
    """Plan for these observations and check it. Raises ModelFailed, StoreUnavailable; nothing was written then."""
    found = dict(zip(ids, ctx.ns.get_many(ObservationRecord, ids), strict=True))
    read = sort(ctx.ns, [one for one in found.values() if one is not None])
    made = Plan(useless=read.useless, gone=[id for id, one in found.items() if one is None])
    gathered = gather(ctx, read.readings)
    made.refused = int(gathered.refused)
    for slot in gathered.slots:
        checked, refusals = check(plan(slot))
        made.slots.append(checked)
        made.refusals += refusals
    _embed(ctx, made)
    return made


def _embed(ctx: Context, made: Plan) -> None:
    """Give every fact that is to be made its vector, before anything is written."""
    missing: list[Growth] = []
    for one in made.slots:
        for growth in one.growths:
            if growth.revision is None:
                known = [one.slot.vectors[id] for id in growth.observations if id in one.slot.vectors]
                made.vectors |= {growth.triple.id: known[0]} if known else {}
                missing += [] if known else [growth]
    if missing:
        vectors = ctx.embedder.documents([growth.content for growth in missing])
        made.vectors |= {growth.triple.id: vector for growth, vector in zip(missing, vectors, strict=True)}
    if not all(np.isfinite(vector).all() for vector in made.vectors.values()):
        raise ModelFailed("the embedder gave a vector that is not finite; nothing was consolidated")


def run(
    ctx: Context, agent: str, cycle_id: str, *, step: Step = no_step, chosen: Sequence[str] | None = None
) -> CycleRecord | None:
    """One cycle over the observations that wait longest, or over those `chosen`; None when none of them waits, or
    another cycle of the agent runs.

    Raises ModelFailed, StoreUnavailable: what was not finished waits for the next cycle.
    """
    with singleflight(ctx.ns, f"consolidate:{agent}", ctx.settings.work_lease) as fence:
        if fence is None:
            return None
        if chosen is None:
            ids = pending.oldest(ctx.ns, agent, ctx.settings.consolidate_batch)
        else:
            ids = pending.still(ctx.ns, agent, chosen)
        if not ids:
            return None
        _note_interrupted(ctx.ns, agent)
        return _run(ctx, agent, cycle_id, ids, step)


def run_again(ctx: Context, agent: str, cycle_id: str, observations: Sequence[ObservationRecord]) -> bool:
    """One cycle over these observations of an agent; False when another one runs, or put some of them off."""
    with singleflight(ctx.ns, f"consolidate:{agent}", ctx.settings.work_lease) as fence:
        if fence is None:
            return False
        at = max(one.recorded_at for one in observations)
        record = _run(ctx, agent, cycle_id, [one.id for one in observations], no_step, known_at=at)
    return record.put_off == 0


def _note_interrupted(ns: Namespace, agent: str) -> None:
    """A cycle that still applies while this one holds the lock has died; this one does its work."""
    for record in ns.get_many(CycleRecord, ns.sources(CYCLE_OF, "cycle", ("participant", agent), newest=1)):
        if record is not None and record.state == "applying":
            transaction = ns.transaction()
            transaction.require_unchanged(record.kind, record.id, record.revision)
            transaction.put(record.revised({"state": "interrupted"}))
            transaction.commit()


def _run(
    ctx: Context,
    agent: str,
    cycle_id: str,
    ids: Sequence[str],
    step: Step,
    known_at: datetime | None = None,
) -> CycleRecord:
    """`known_at` is when the facts count as recorded, where that was before now."""
    made = make_plan(ctx, ids)
    started = ctx.clock()
    record = CycleRecord.new(ctx.ns, cycle_id, agent=agent, recorded_at=started, **described(made))
    step("begin")
    transaction = ctx.ns.transaction()
    transaction.put(record)
    for term in (("participant", agent), EVERY):
        transaction.link(CYCLE_OF, ("cycle", cycle_id), term, started)
    transaction.commit()
    then = ctx if known_at is None else replace(ctx, clock=lambda: known_at)
    late = [one for one in made.slots if not apply(then, agent, one, made.vectors, step)]
    made.slots = [one for one in made.slots if one not in late]
    subjects = {one.slot.readings[0].statement.subject for one in made.slots if one.closings}
    step("finish")
    finished: CycleRecord = record.revised(
        {
            **described(made),
            "state": "done",
            "put_off": sum(len(one.observations) for one in late),
            "finished_at": ctx.clock(),
            "unstable": unstable(ctx.ns, sorted(subjects)),
        }
    )
    transaction = ctx.ns.transaction()
    pending.remove(transaction, agent, [*made.useless, *made.gone])
    transaction.put(finished)
    transaction.commit()
    return finished


def described(made: Plan) -> dict[str, object]:
    """The audit of a plan: fields of a CycleRecord."""
    used = [id for one in made.slots for id in one.observations]
    believed = {id for one in made.slots for id in one.believed}
    changes: list[Change] = []
    bearings: list[Bearing] = []
    for one in made.slots:
        changes += [_growth(one, growth) for growth in one.growths]
        changes += [_closing(closing) for closing in one.closings]
        bearings += one.slot.bearings()
    return {
        "observations": len(used) + len(made.useless) + len(made.gone),
        "unused": len(made.useless) + len(made.gone) + sum(id not in believed for id in used),
        "changes": changes,
        "bearings": bearings,
        "refusals": made.refusals,
        "merges": sum(one.slot.merges for one in made.slots),
        "refused": made.refused,
    }


def _growth(plan: SlotPlan, growth: Growth) -> Change:
    fact = growth.triple.id
    return Change(
        action=growth.action,
        fact_id=fact,
        observations=tuple(id for id in growth.observations if (id, fact) not in plan.slot.counted),
        before=_spans(growth.before),
        after=_spans(growth.after),
    )


def _closing(closing: Closing) -> Change:
    return Change(
        action="close",
        fact_id=closing.fact.id,
        before=_spans(closing.before),
        after=_spans(closing.after),
        replaced_by=closing.replaced_by,
        reason=closing.reason,
    )


def _spans(life: Sequence[Interval]) -> tuple[Span, ...]:
    return tuple(Span(start=one.start, end=one.end) for one in life)
