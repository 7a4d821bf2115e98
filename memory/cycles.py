"""The audit of consolidation."""

from reverie.pipelines import consolidate
from reverie.pipelines.consolidate import CycleView
from reverie.pipelines.context import Context
from reverie.tools.fields import Count, Id, Params, validated


class _Cycle(Params):
    cycle_id: Id


class _Listed(Params):
    agent: Id | None
    newest: Count


class Cycles:
    """`memory.cycles()` lists what consolidation did; a cycle that was wrong can be undone."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def __call__(self, agent: str | None = None, *, newest: int = 20) -> list[CycleView]:
        """The newest cycles of an agent, or of all, newest first. Raises ValidationFailed, StoreUnavailable."""
        checked = validated(_Listed, agent=agent, newest=newest)
        return consolidate.cycles(self.ctx.ns, agent=checked.agent, newest=checked.newest)

    def get(self, cycle_id: str) -> CycleView | None:
        """One cycle; None for an unknown id."""
        return consolidate.cycle(self.ctx.ns, validated(_Cycle, cycle_id=cycle_id).cycle_id)

    def undo(self, cycle_id: str) -> CycleView:
        """Take back what a cycle changed; what later cycles and calls changed stays. Undoing twice is undoing once.

        Its observations stay used. Raises NotFound, StoreUnavailable; then it can be undone again.
        """
        return consolidate.undo_cycle(self.ctx, validated(_Cycle, cycle_id=cycle_id).cycle_id)
