"""Taking a cycle back: its observations count no more, and the facts become what the rest of the evidence makes."""

from collections.abc import Callable, Mapping, Sequence

from reverie.config.errors import NotFound
from reverie.knowledge.reasons import UNDONE
from reverie.knowledge.versions import intervals
from reverie.pipelines.consolidate.gathering import gather_again
from reverie.pipelines.consolidate.planning import without_new
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Interval, revise, withdraw
from reverie.store import facts
from reverie.store.commit import Transaction
from reverie.store.evidence import BEARS_ON
from reverie.store.records.cycles import Bearing, CycleRecord
from reverie.store.records.facts import FactRecord
from reverie.store.retry import attempts


def undo(ctx: Context, cycle_id: str) -> CycleRecord:
    """Take back what a cycle changed; what later cycles and calls changed stays. Undoing twice is undoing once.

    Its observations stay used. Raises NotFound; then it can be undone again.
    """
    record = ctx.ns.get(CycleRecord, cycle_id)
    if record is None:
        raise NotFound("cycle", cycle_id)
    if record.state == "undone":
        return record
    supported = {change.fact_id: change.observations for change in record.changes}
    for slot in dict.fromkeys(bearing.slot for bearing in record.bearings):
        take_back(ctx, [one for one in record.bearings if one.slot == slot], supported, UNDONE)
    undone: CycleRecord = record.revised({"state": "undone", "undone_at": ctx.clock()})
    transaction = ctx.ns.transaction()
    transaction.put(undone)
    transaction.commit()
    return undone


def take_back(ctx: Context, bearings: Sequence[Bearing], supported: Mapping[str, Sequence[str]], reason: str) -> None:
    """Make the observations of these bearings, all of one slot, count no more; `supported` says which facts they
    support. Raises StoreBusy, StoreUnavailable.
    """
    for _ in attempts("what was consolidated"):
        slot = gather_again(ctx.ns, bearings)
        transaction = ctx.ns.transaction()
        facts.require_slot(transaction, slot.id, slot.slot_revision)
        facts.change_slot(transaction, slot.id)
        for bearing in bearings:
            transaction.unlink(BEARS_ON, ("observation", bearing.observation), ("fact", bearing.claim))
        if not transaction.commit().committed:
            continue
        changed = (slot.id, facts.following(slot.slot_revision))
        lives = without_new(slot)
        # What comes back first, so that at no moment less is believed than before the cycle or after it.
        order = sorted(lives, key=lambda claim: bool(supported.get(claim)))
        if all(_leave(ctx, slot.facts[one], lives[one], supported.get(one, ()), reason, changed) for one in order):
            return


def _leave(
    ctx: Context,
    fact: FactRecord,
    life: list[Interval],
    observations: Sequence[str],
    reason: str,
    slot: tuple[str, str],
) -> bool:
    """Leave a fact with these intervals and without these supports; False when it changed since it was read.

    `slot` is the id of its slot with the count of its changes.
    """
    if not observations and life == intervals(fact.versions):
        return True

    def unchanged(transaction: Transaction) -> None:
        facts.require_slot(transaction, *slot)
        transaction.require_unchanged(fact.kind, fact.id, fact.revision)

    extra: Callable[[Transaction], None] = unchanged
    if observations:
        return withdraw(ctx, fact.id, observations, life=life, reason=reason, extra=extra).applied
    return revise(ctx, fact.id, life, reason=reason, extra=extra).applied
