"""Running cycles: on demand, for the workers, as a preview, and backwards."""

from collections.abc import Sequence
from datetime import timedelta

from ulid import ULID

from reverie.config.errors import ModelFailed
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.consolidate import cycling, pending
from reverie.pipelines.consolidate.applying import Step, no_step
from reverie.pipelines.consolidate.audit import CycleView, cycle_view
from reverie.pipelines.consolidate.undoing import undo
from reverie.store.keys import decode
from reverie.store.pending import oldest
from reverie.store.records.cycles import CycleRecord
from reverie.store.records.knowledge import ObservationRecord

_BUSY = timedelta(seconds=5)
"""An agent whose cycle runs elsewhere is looked at again after this."""


def consolidate(kb: KnowledgeBase, agent: str, *, step: Step = no_step) -> list[CycleView]:
    """Consolidate all that waits for an agent, in as many cycles as it takes; [] when nothing waits, or when the
    workers are at it already.

    Raises ModelFailed, StoreUnavailable: what is not done waits on.
    """
    done: list[CycleView] = []
    while True:
        record = cycling.run(kb, agent, _fresh_id(kb), step=step)
        if record is None:
            break
        done.append(cycle_view(kb, record))
        if record.put_off == record.observations:
            break
    pending.settle(kb, agent)
    return done


def again(kb: KnowledgeBase, observations: Sequence[ObservationRecord]) -> bool:
    """Consolidate at once observations that were put back among those that wait; False when not all could be done, and
    the rest waits for the workers.

    What comes of them counts as recorded when the last of them was. Raises StoreUnavailable.
    """
    done = True
    for agent in sorted({one.agent for one in observations}):
        own = [one for one in observations if one.agent == agent]
        for first in range(0, len(own), kb.settings.consolidate_batch):
            batch = own[first : first + kb.settings.consolidate_batch]
            try:
                done &= cycling.run_again(kb, agent, _fresh_id(kb), batch)
            except ModelFailed:
                done = False
        pending.settle(kb, agent)
    return done


def work_off(kb: KnowledgeBase, entries: Sequence[str]) -> str:
    """One cycle for each agent of these entries of the topic; what still waits then is due again."""
    told = []
    for entry in entries:
        agent = decode(entry)
        record = cycling.run(kb, agent, _fresh_id(kb))
        if not pending.settle(kb, agent):
            if record is None:
                pending.again(kb, agent, kb.clock() + _BUSY)
            kb.wake(pending.TOPIC, kb.namespace)
        if record is not None:
            told.append(f"{record.observations} observations, {len(record.changes)} changes")
    return "; ".join(told) or "nothing to consolidate"


def preview(kb: KnowledgeBase, agent: str) -> list[CycleView]:
    """What the next cycle would do; nothing is written. Raises ModelFailed, StoreUnavailable."""
    ids = oldest(kb.space, agent, kb.settings.consolidate_batch)
    if not ids:
        return []
    made = cycling.make_plan(kb, ids)
    fields = cycling.described(made)
    record = CycleRecord.new(kb.space, _fresh_id(kb), agent=agent, recorded_at=kb.clock(), state="planned", **fields)
    planned = {growth.triple.id: growth.content for one in made.slots for growth in one.growths}
    return [cycle_view(kb, record, planned)]


def undo_cycle(kb: KnowledgeBase, cycle_id: str) -> CycleView:
    """Take back what a cycle changed. Raises NotFound, StoreUnavailable."""
    return cycle_view(kb, undo(kb, cycle_id))


def _fresh_id(kb: KnowledgeBase) -> str:
    return str(ULID.from_datetime(kb.clock()))
