"""Erasing from the audit of consolidation: its records name what each observation came to."""

from collections.abc import Iterable

from reverie.pipelines.consolidate.audit import CYCLE_OF, EVERY
from reverie.pipelines.erasure.report import Tally
from reverie.store.records.cycles import Change, CycleRecord
from reverie.store.retry import attempts


def scrub_cycles(tally: Tally, observations: set[str]) -> None:
    """Take these observations, and the facts that were erased, out of every cycle that names them."""
    facts = {id for kind, id in tally.ids if kind == "fact"}
    if not observations:
        return
    ctx = tally.ctx
    for id in ctx.ns.sources(CYCLE_OF, "cycle", EVERY):
        for _ in attempts("the audit"):
            cycle = ctx.ns.get(CycleRecord, id)
            if cycle is None:
                break
            update = {
                "changes": list(_kept(cycle.changes, observations, facts)),
                "bearings": [one for one in cycle.bearings if one.observation not in observations],
                "refusals": [one for one in cycle.refusals if not any(text in one for text in tally.texts)],
            }
            if all(getattr(cycle, name) == value for name, value in update.items()):
                break
            transaction = ctx.ns.transaction()
            transaction.require_unchanged(cycle.kind, cycle.id, cycle.revision)
            transaction.put(cycle.revised(update))
            if transaction.commit().committed:
                tally.rewritten["cycle"] += 1
                break


def _kept(changes: Iterable[Change], observations: set[str], facts: set[str]) -> Iterable[Change]:
    """The changes that still have a ground: not those of facts that went, or that came of what goes alone."""
    for change in changes:
        left = tuple(one for one in change.observations if one not in observations)
        if change.fact_id in facts or (change.observations and not left):
            continue
        yield change if left == change.observations else change.model_copy(update={"observations": left})
