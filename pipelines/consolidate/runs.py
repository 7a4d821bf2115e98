"""Running cycles: on demand, for the workers, as a preview, and backwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import repeat
from typing import Final

from ulid import ULID

from reverie.config.errors import ModelFailed
from reverie.knowledge.wording import folded
from reverie.pipelines.consolidate import cycling, pending
from reverie.pipelines.consolidate.applying import Step, no_step
from reverie.pipelines.consolidate.audit import CycleView, cycle_view
from reverie.pipelines.consolidate.undoing import undo
from reverie.pipelines.context import Context
from reverie.store.keys import decode
from reverie.store.namespace import Namespace
from reverie.store.pending import oldest
from reverie.store.records.cycles import CycleRecord
from reverie.store.records.knowledge import ObservationRecord

_MOST_WAITING: Final = 100_000
"""Observations looked through for those of a part: what an import of 20,000 messages leaves waiting."""
_PAGE: Final = 1000
_BUSY = timedelta(seconds=5)
"""An agent whose cycle runs elsewhere is looked at again after this."""


@dataclass(frozen=True)
class Part:
    """A part of what waits for an agent: what was observed in one session, of one subject, or both; all by default."""

    session: str | None = None
    subject: str | None = None

    @property
    def is_all(self) -> bool:
        """Whether it is all that waits."""
        return self.session is None and self.subject is None

    def holds(self, observation: ObservationRecord | None) -> bool:
        """Whether an observation belongs to it; what was erased belongs to none."""
        return (
            observation is not None
            and self.session in (None, observation.session)
            and (self.subject is None or folded(observation.subject or "") == folded(self.subject))
        )


ALL = Part()


def consolidate(ctx: Context, agent: str, *, part: Part = ALL, step: Step = no_step) -> list[CycleView]:
    """Consolidate what waits for an agent, or a part of it, in as many cycles as it takes; [] when nothing of it waits,
    or when the workers are at it already.

    Raises ModelFailed, StoreUnavailable: what is not done waits on.
    """
    done: list[CycleView] = []
    for chosen in _batches(ctx, agent, part):
        record = cycling.run(ctx, agent, _fresh_id(ctx), step=step, chosen=chosen)
        if record is None:
            break
        done.append(cycle_view(ctx.ns, record))
        if record.put_off == record.observations:
            break
    pending.settle(ctx, agent)
    return done


def _batches(ctx: Context, agent: str, part: Part) -> Iterator[list[str] | None]:
    """The observations of each cycle, by their ids; None for those that wait longest by then, as often as asked."""
    if part.is_all:
        yield from repeat(None)
    else:
        wanted = _waiting(ctx.ns, agent, part)
        for first in range(0, len(wanted), ctx.settings.consolidate_batch):
            yield wanted[first : first + ctx.settings.consolidate_batch]


def _waiting(ns: Namespace, agent: str, part: Part) -> list[str]:
    """Ids of the observations of a part that wait for an agent, the longest waiting first."""
    waiting = oldest(ns, agent, _MOST_WAITING)
    pages = [waiting[first : first + _PAGE] for first in range(0, len(waiting), _PAGE)]
    found = (one for page in pages for one in ns.get_many(ObservationRecord, page))
    return [id for id, observation in zip(waiting, found, strict=True) if part.holds(observation)]


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
                pending.again(ctx.ns, agent, ctx.clock() + _BUSY)
            ctx.wake(pending.TOPIC, ctx.namespace)
        if record is not None:
            told.append(f"{record.observations} observations, {len(record.changes)} changes")
    return "; ".join(told) or "nothing to consolidate"


def preview(ctx: Context, agent: str, part: Part = ALL) -> list[CycleView]:
    """What the next cycle, or that of a part, would do; nothing is written. Raises ModelFailed, StoreUnavailable."""
    most = ctx.settings.consolidate_batch
    ids = oldest(ctx.ns, agent, most) if part.is_all else _waiting(ctx.ns, agent, part)[:most]
    if not ids:
        return []
    made = cycling.make_plan(ctx, ids)
    fields = cycling.described(made)
    record = CycleRecord.new(ctx.ns, _fresh_id(ctx), agent=agent, recorded_at=ctx.clock(), state="planned", **fields)
    planned = {growth.triple.id: growth.content for one in made.slots for growth in one.growths}
    return [cycle_view(ctx.ns, record, planned)]


def undo_cycle(ctx: Context, cycle_id: str) -> CycleView:
    """Take back what a cycle changed. Raises NotFound, StoreUnavailable."""
    return cycle_view(ctx.ns, undo(ctx, cycle_id))


def _fresh_id(ctx: Context) -> str:
    return str(ULID.from_datetime(ctx.clock()))
