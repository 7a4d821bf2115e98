"""Observations told to a context as ingest would, without the extraction."""

from datetime import UTC, datetime, timedelta
from typing import Any

from reverie.knowledge.versions import intervals
from reverie.pipelines import facts
from reverie.pipelines.consolidate import queue
from reverie.pipelines.context import Context
from reverie.store.records.knowledge import ObservationRecord

START = datetime(2026, 1, 1, tzinfo=UTC)
AGENT = "assistant"


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def record(ctx: Context, id: str, text: str, at: float, **more: Any) -> ObservationRecord:
    """The observation of "subject | predicate | object" on a day; "not" before the predicate denies it."""
    subject, predicate, object = (part.strip() or None for part in f"{text}||".split("|")[:3])
    assert subject is not None
    assert predicate is not None
    negated = predicate.startswith("not ")
    plain = predicate.removeprefix("not ")
    given = {
        "message": f"m-{id}",
        "session": "s",
        "agent": AGENT,
        "content": f"{subject} {predicate} {object or ''}".strip() + ".",
        "subject": subject,
        "predicate": plain,
        "object": object,
        "negated": negated,
        "observed_at": day(at),
        "said_by": subject,
        "recorded_at": ctx.clock(),
    }
    return ObservationRecord.new(ctx.ns, id, **(given | more))


def tell(ctx: Context, text: str, at: float, id: str | None = None, **more: Any) -> str:
    """Store an observation that waits for consolidation; its id."""
    told = record(ctx, id or f"{text}@{at}", text, at, **more)
    transaction = ctx.ns.transaction()
    transaction.require_absent(told.kind, told.id)
    transaction.put(told)
    queue(ctx, transaction, told)
    transaction.link("OBSERVED_IN", ("observation", told.id), ("message", told.message), told.observed_at)
    transaction.commit()
    return told.id


def lives(ctx: Context) -> dict[str, list[tuple[float, float | None]]]:
    """Every fact that was ever believed, as "subject | predicate | object", with its intervals in days."""
    return {
        " | ".join(part for part in (fact.subject, fact.predicate, fact.object) if part): [
            (_days(one.start), None if one.end is None else _days(one.end)) for one in intervals(fact.versions)
        ]
        for fact in sorted(facts.records(ctx.ns), key=lambda fact: fact.id)
        if intervals(fact.versions)
    }


def support(ctx: Context) -> dict[str, int]:
    return {fact.content: fact.support for fact in facts.records(ctx.ns)}


def _days(at: datetime) -> float:
    return (at - START) / timedelta(days=1)
