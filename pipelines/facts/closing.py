"""Ending facts: an explicit retraction, a negation that was observed, a correction, a support taken back."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.config.errors import NotFound
from reverie.knowledge.reasons import ERASED
from reverie.knowledge.versions import Interval, called_off, cut, intervals, joined, reopened, rewritten
from reverie.pipelines.context import Context
from reverie.pipelines.facts.asserting import closes
from reverie.pipelines.facts.settling import Extra, settle
from reverie.pipelines.facts.storing import note_replacement, store
from reverie.store import facts as stored
from reverie.store.commit import Transaction
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import Origin


@dataclass(frozen=True)
class Closed:
    """What became of a closing. `closed` is False when nothing had to end, or the origin may not end it.

    `applied` is False when a guard of the caller's own failed: then nothing was written.
    """

    fact_id: str
    closed: bool
    applied: bool = True


Reshaped = Callable[[FactRecord], list[Interval]]
"""The intervals in which a fact is to be believed from now on."""


def invalidate(
    ctx: Context, fact_id: str, *, replacement: str | None = None, reason: str | None = None, at: datetime
) -> Closed:
    """Retract a fact from `at` on: the interval that holds then ends; when none holds, the next to come is called off.

    With a replacement an INVALIDATES edge runs from it to the fact, with the reason. Raises NotFound for an unknown
    fact or replacement. What ended before keeps its first end and reason.
    """
    return _change(ctx, fact_id, lambda fact: called_off(intervals(fact.versions), at), reason, replacement=replacement)


def close(
    ctx: Context,
    fact_id: str,
    *,
    at: datetime,
    origin: Origin,
    reason: str | None = None,
    replacement: str | None = None,
    extra: Extra | None = None,
) -> Closed:
    """End the interval that holds at `at`, by an observed word of `origin` ("no longer"); other intervals stay.

    A model's word does not end what a user said. Raises NotFound.
    """

    def life(fact: FactRecord) -> list[Interval]:
        whole = intervals(fact.versions)
        return cut(whole, at) if closes(origin, fact.origin) else whole

    return _change(ctx, fact_id, life, reason, replacement=replacement, extra=extra)


def revise(
    ctx: Context,
    fact_id: str,
    life: Sequence[Interval],
    *,
    reason: str | None = None,
    replacement: str | None = None,
    told: Mapping[datetime, str] | None = None,
    extra: Extra | None = None,
) -> Closed:
    """Correct a fact: from now on it is believed to have held in these intervals and no others. Raises NotFound."""
    return _change(ctx, fact_id, lambda _: list(life), reason, replacement=replacement, told=told, extra=extra)


def withdraw(
    ctx: Context,
    fact_id: str,
    observations: Sequence[str],
    *,
    life: Sequence[Interval] | None = None,
    reason: str | None = None,
    extra: Extra | None = None,
) -> Closed:
    """Take back the support of observations, and correct the intervals when `life` is given.

    A fact left without any support is believed in no interval any more. Raises NotFound.
    """

    def attempt() -> tuple[Transaction | None, Closed]:
        found = stored.standing(ctx.ns, fact_id, observations=observations)
        if found.fact is None:
            raise NotFound("fact", fact_id)
        before, now = found.fact.record, ctx.clock()
        support = before.support - len(found.counted)
        wanted = intervals(before.versions) if life is None else list(life)
        if support <= 0:
            support, wanted = 0, []
        record = before.revised({"support": support, "versions": rewritten(before.versions, wanted, now, reason)})
        transaction = ctx.ns.transaction()
        store(transaction, before, replace(found.fact, record=record), now)
        for id in found.counted:
            transaction.unlink(stored.SUPPORTED_BY, ("fact", fact_id), ("observation", id))
        return transaction, Closed(fact_id, intervals(before.versions) != intervals(record.versions))

    return settle(attempt, extra)


def reopen(ctx: Context, fact_id: str, gone: Collection[str]) -> bool:
    """Take back what these facts, which are erased, ended or corrected of a fact; False when there was nothing."""

    def attempt() -> tuple[Transaction | None, Closed]:
        found = stored.standing(ctx.ns, fact_id)
        if found.fact is None:
            return None, Closed(fact_id, False)
        before, now = found.fact.record, ctx.clock()
        left = reopened(before.versions, gone)
        versions = rewritten(left, joined(intervals(left)), now, ERASED)
        if versions == before.versions:
            return None, Closed(fact_id, False)
        transaction = ctx.ns.transaction()
        record = before.revised({"versions": versions})
        store(transaction, before, replace(found.fact, record=record), now)
        return transaction, Closed(fact_id, True)

    return settle(attempt).closed


def _change(
    ctx: Context,
    fact_id: str,
    life: Reshaped,
    reason: str | None,
    *,
    replacement: str | None = None,
    told: Mapping[datetime, str] | None = None,
    extra: Extra | None = None,
) -> Closed:
    def attempt() -> tuple[Transaction | None, Closed]:
        found = stored.standing(ctx.ns, fact_id)
        if found.fact is None:
            raise NotFound("fact", fact_id)
        before, now = found.fact.record, ctx.clock()
        versions = rewritten(before.versions, life(before), now, reason, replacement, told)
        changed = versions != before.versions
        if not changed and extra is None:
            if replacement is not None and ctx.ns.get(FactRecord, replacement) is None:
                raise NotFound("fact", replacement)
            return None, Closed(fact_id, False)
        transaction = ctx.ns.transaction()
        if changed:
            record = before.revised({"versions": versions})
            store(transaction, before, replace(found.fact, record=record), now)
        if replacement is not None and changed:
            note_replacement(ctx.ns, transaction, fact_id, replacement, now, reason)
        return transaction, Closed(fact_id, changed)

    return settle(attempt, extra)
