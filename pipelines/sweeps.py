"""Sweeping a due set in slices: bounded in items and time, what is left is the next sweep's."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.pipelines.context import Context
from reverie.store import due, waiting
from reverie.store.commit import Transaction

_TOGETHER = 2
"""Transactions of a paced sweep in one round trip, where each takes a vector out."""

Slice = Sequence[tuple[str, datetime]]
"""Ids with the moments they fell due."""


@dataclass(frozen=True)
class Swept:
    """How many ids a sweep settled, and how many are still due."""

    done: int = 0
    left: int = 0

    def __add__(self, other: "Swept") -> "Swept":
        return Swept(self.done + other.done, self.left + other.left)


@dataclass
class Budget:
    """What a sweep may spend over all its slices: items, and seconds from its making on."""

    items: int
    seconds: float

    def __post_init__(self) -> None:
        self._ends = time.monotonic() + self.seconds

    @property
    def spent(self) -> bool:
        return self.items <= 0 or time.monotonic() >= self._ends


def sweep(ctx: Context, name: str, settle: Callable[[Slice], int], budget: Budget, *, slice_items: int) -> Swept:
    """Hand what is due to `settle`, a slice at a time; it takes each id out of the set or puts it off.

    A slice of which nothing was settled ends the sweep: another one is at the same ids.
    """
    turn = waiting.hold(ctx.ns, name, ctx.clock())
    try:
        return _sweep(ctx, name, settle, budget, slice_items)
    finally:
        waiting.release(ctx.ns, turn)


def _sweep(ctx: Context, name: str, settle: Callable[[Slice], int], budget: Budget, slice_items: int) -> Swept:
    done = 0
    while not budget.spent:
        now = ctx.clock()
        found = due.due(ctx.ns, name, now, min(slice_items, budget.items))
        if not found:
            return Swept(done, 0)
        settled = settle(found)
        if settled == 0:
            break
        done += settled
        budget.items -= len(found)
    return Swept(done, due.count(ctx.ns, name, ctx.clock())[1])


def commit_paced(ctx: Context, transactions: Sequence[Transaction], *, together: int = _TOGETHER) -> int:
    """Commit a few at a time and rest between, so that the tool calls of agents do not queue up behind a sweep.

    Taking a vector out of the index keeps the server as busy as putting one in. The rests make the sweep keep it busy
    for `sweep_share` of the time; what it waits for its turn is no part of that. How many committed.
    """
    share = ctx.settings.sweep_share
    done = 0
    for start in range(0, len(transactions), together):
        spent: list[float] = []
        outcomes = ctx.ns.commit(transactions[start : start + together], spent=spent)
        done += sum(outcome.committed for outcome in outcomes)
        time.sleep(sum(spent) * (1 - share) / share)
    return done
