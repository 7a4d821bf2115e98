"""Running cycles: on demand, for the workers, as a preview, and backwards."""

from collections.abc import Sequence
from datetime import timedelta

from ulid import ULID

from reverie.config.errors import ModelFailed
from reverie.pipelines.consolidate import cycling, pending
from reverie.pipelines.consolidate.applying import Step, no_step
from reverie.pipelines.consolidate.audit import CycleView, cycle_view
from reverie.pipelines.consolidate.undoing import undo
from reverie.pipelines.context import Context
from reverie.store.keys import decode
from reverie.store.pending import oldest
from reverie.store.records.cycles import CycleRecord
from reverie.store.records.knowledge import ObservationRecord

_BUSY = timedelta(seconds=5)
"""An agent whose cycle runs elsewhere is looked at again after this."""


def consolidate(ctx: Context, agent: str, *, step: Step = no_step) -> list[CycleView]:
    """Consolidate all that waits for an agent, in as many cycles as it takes; [] when nothing waits, or when the
    workers are at it already.

    Raises ModelFailed, StoreUnavailable: what is not done waits on.
    """
    done: list[CycleView] = []
    while True:
        record = cycling.run(ctx, agent, _fresh_id(ctx), step=step)
        if record is None:
            break
        done.append(cycle_view(ctx, record))
        if record.put_off == record.observations:
            break
    pending.settle(ctx, agent)
    return done


def again(ctx: Context, observations: Sequence[ObservationRecord]) -> bool:
    """Consolidate at once observations that were put back among those that wait; False when not all could be done, and
    the rest waits for the workers.

    What comes of them counts as recorded when the last of them was. Raises StoreUnavailable.
    """
    done = True
    for agent in sorted({one.agent for one in observations}):
        own = [one for one in observations if one.agent == agent]
        for first in range(0, len(own), ctx.settings.consolidate_batch):
            batch = own[first : first + ctx.settings.consolidate_batch]
            try:
                done &= cycling.run_again(ctx, agent, _fresh_id(ctx), batch)
            except ModelFailed:
                done = False
        pending.settle(ctx, agent)
    return done


def work_off(ctx: Context, entries: Sequence[str]) -> str:
    """One cycle for each agent of these entries of the topic; what still waits then is due again."""
    told = []
    for entry in entries:
        agent = decode(entry)
        record = cycling.run(ctx, agent, _fresh_id(ctx))
        if not pending.settle(ctx, agent):
            if record is None:
                pending.again(ctx, agent, ctx.clock() + _BUSY)
            ctx.wake(pending.TOPIC, ctx.namespace)
        if record is not None:
            told.append(f"{record.observations} observations, {len(record.changes)} changes")
    return "; ".join(told) or "nothing to consolidate"


def preview(ctx: Context, agent: str) -> list[CycleView]:
    """What the next cycle would do; nothing is written. Raises ModelFailed, StoreUnavailable."""
    ids = oldest(ctx.ns, agent, ctx.settings.consolidate_batch)
    if not ids:
        return []
    made = cycling.make_plan(ctx, ids)
    fields = cycling.described(made)
    record = CycleRecord.new(ctx.ns, _fresh_id(ctx), agent=agent, recorded_at=ctx.clock(), state="planned", **fields)
    planned = {growth.triple.id: growth.content for one in made.slots for growth in one.growths}
    return [cycle_view(ctx, record, planned)]


def undo_cycle(ctx: Context, cycle_id: str) -> CycleView:
    """Take back what a cycle changed. Raises NotFound, StoreUnavailable."""
    return cycle_view(ctx, undo(ctx, cycle_id))


def _fresh_id(ctx: Context) -> str:
    return str(ULID.from_datetime(ctx.clock()))
