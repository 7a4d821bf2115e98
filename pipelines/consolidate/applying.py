"""Carrying a plan out, slot by slot, in steps that may each be the last and may each be repeated.

1. The evidence is noted, if the slot stands as it was read and the observations still wait.
2. New facts are made and known ones reinforced.
3. It is checked that they are there, as planned.
4. Only then is what they rule out closed.
5. The observations are used.

Until the last step they wait, so that a cycle that dies is made again from the beginning; nothing in it counts twice.
"""

from collections.abc import Callable, Mapping, Sequence

from reverie.config.errors import NotFound
from reverie.knowledge.versions import intervals
from reverie.models.embedders import Vector
from reverie.pipelines.consolidate.planning import Closing, Growth, SlotPlan
from reverie.pipelines.consolidate.slots import Slot
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Assertion, assert_fact, revise
from reverie.store import evidence, facts, pending
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord

Step = Callable[[str], None]
"""Called with the name of each step before it is taken."""


def no_step(step: str) -> None:
    """Watches nothing."""


def apply(ctx: Context, agent: str, plan: SlotPlan, vectors: Mapping[str, Vector], step: Step = no_step) -> bool:
    """Carry out the plan of one slot; False when others changed it since it was read. `vectors` are those of new facts.

    Raises StoreUnavailable. What was done then stays, and is done again with the observations that still wait.
    """
    step("note")
    if not _note(ctx.ns, agent, plan):
        return False
    guard = _guard(plan)
    for growth in plan.growths:
        step("grow")
        if not _grow(ctx, plan.slot, growth, vectors.get(growth.triple.id), guard):
            return False
    step("check")
    if not _stand(ctx.ns, plan.growths):
        return False
    for closing in plan.closings:
        step("close")
        if not _close(ctx, closing, guard):
            return False
    step("use")
    transaction = ctx.ns.transaction()
    pending.remove(transaction, agent, plan.observations)
    transaction.commit()
    return True


def _note(ns: Namespace, agent: str, plan: SlotPlan) -> bool:
    transaction = ns.transaction()
    facts.require_slot(transaction, plan.slot.id, plan.slot.slot_revision)
    facts.change_slot(transaction, plan.slot.id)
    for reading in plan.slot.readings:
        pending.require(transaction, agent, reading.id)
        transaction.require_present(reading.observation.kind, reading.observation.id)
        claim = plan.slot.claims[reading.id]
        evidence.bear(transaction, reading.observation, claim.id, plan.slot.id if plan.slot.single else None)
    return transaction.commit().committed


def _guard(plan: SlotPlan) -> Callable[[Transaction], None]:
    """Nobody has changed the slot since this plan's evidence was noted."""
    changed = facts.following(plan.slot.slot_revision)

    def require(transaction: Transaction) -> None:
        facts.require_slot(transaction, plan.slot.id, changed)

    return require


def _grow(
    ctx: Context, slot: Slot, growth: Growth, vector: Vector | None, guard: Callable[[Transaction], None]
) -> bool:
    triple = growth.triple
    assertion = Assertion(
        triple.subject,
        triple.predicate,
        triple.object,
        valid_from=growth.after[0].start if growth.after else growth.said_at,
        observations=growth.observations,
        content=growth.content,
        said_at=growth.said_at,
        exclusive=False,
        life=growth.after,
        kind_of_thing=growth.kind,
        slot=slot.id if slot.single else None,
        told=growth.told,
        vector=vector,
    )

    def unchanged(transaction: Transaction) -> None:
        guard(transaction)
        if growth.revision is None:
            transaction.require_absent("fact", triple.id)
        else:
            transaction.require_unchanged("fact", triple.id, growth.revision)

    return assert_fact(ctx, assertion, unchanged).applied


def _stand(ns: Namespace, growths: Sequence[Growth]) -> bool:
    """Whether every fact that was to be made is there with the intervals it was given."""
    records = ns.get_many(FactRecord, [growth.triple.id for growth in growths])
    return all(
        record is not None and intervals(record.versions) == list(growth.after)
        for record, growth in zip(records, growths, strict=True)
    )


def _close(ctx: Context, closing: Closing, guard: Callable[[Transaction], None]) -> bool:
    try:
        closed = revise(
            ctx,
            closing.fact.id,
            closing.after,
            reason=closing.reason,
            replacement=closing.replaced_by,
            told=closing.told,
            extra=guard,
        )
    except NotFound:
        return False
    return closed.applied
