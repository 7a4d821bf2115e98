"""Correcting what is believed by hand: what was wrong never held, and nothing that was said before brings it back."""

from dataclasses import replace
from datetime import datetime

from reverie.config.errors import NotFound
from reverie.knowledge.versions import intervals, rewritten
from reverie.pipelines.context import Context
from reverie.pipelines.facts.asserting import Asserted, Assertion, assert_fact
from reverie.pipelines.facts.closing import Closed
from reverie.pipelines.facts.settling import Extra, settle
from reverie.pipelines.facts.storing import note_replacement, store
from reverie.store import facts as stored
from reverie.store.commit import Transaction
from reverie.store.records.facts import FactRecord


def retract(
    ctx: Context,
    fact_id: str,
    *,
    reason: str | None = None,
    replacement: str | None = None,
    extra: Extra | None = None,
) -> Closed:
    """Say that a fact never held. Closed is False where it is believed in no interval.

    Observations that were made before count for it no more, and what a model infers never does; a user who says it
    again later is believed. With a `replacement` an INVALIDATES edge runs from it. Raises NotFound.
    """

    def attempt() -> tuple[Transaction | None, Closed]:
        found = stored.standing(ctx.ns, fact_id)
        if found.fact is None:
            raise NotFound("fact", fact_id)
        before, now = found.fact.record, ctx.clock()
        record = before.revised(
            {"versions": rewritten(before.versions, [], now, reason, replacement), "mistaken_at": now}
        )
        transaction = ctx.ns.transaction()
        stored.change_slot(transaction, before.slot)
        store(transaction, before, replace(found.fact, record=record), now)
        if replacement is not None:
            note_replacement(ctx.ns, transaction, fact_id, replacement, now, reason)
        return transaction, Closed(fact_id, bool(intervals(before.versions)))

    return settle(attempt, extra)


def correct(
    ctx: Context, fact_id: str, object: str | None, *, reason: str | None = None, by: str | None = None
) -> Asserted:
    """Put another object in the place of a fact's, for the time in which the fact was believed to hold.

    The right fact is asserted as a user's word, then the old one is retracted. Raises NotFound for an unknown fact.
    """
    fact = ctx.ns.get(FactRecord, fact_id)
    if fact is None:
        raise NotFound("fact", fact_id)
    start, end = _span(fact)
    right = assert_fact(
        ctx,
        Assertion(
            fact.subject,
            fact.predicate,
            object,
            valid_from=start,
            valid_to=end,
            origin="user",
            by=by,
            token=f"correction of {fact_id}",
            exclusive=False,
            kind_of_thing=fact.kind_of_thing,
            slot=fact.slot,
        ),
    )
    if right.fact_id != fact_id:
        retract(ctx, fact_id, reason=reason, replacement=right.fact_id)
    return right


def _span(fact: FactRecord) -> tuple[datetime, datetime | None]:
    """The last interval in which a fact is believed to have held, else the last that it was believed in."""
    life = intervals(fact.versions)
    if life:
        return life[-1].start, life[-1].end
    last = fact.versions[-1]
    return last.valid_from, last.valid_to
