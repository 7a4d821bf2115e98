"""Removing one record with its row, its edges in both directions and the work that names it."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.tombstones import FOR_GOOD
from reverie.store import removal, work
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.base import Record
from reverie.store.retry import attempts
from reverie.store.tombstones import bar

R = TypeVar("R", bound=Record)

INCOMING: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "message": (("TRIGGERED_BY", "action"), ("TRIGGERED_BY", "episode"), ("STATED_IN", "fact")),
    "action": (("NEXT_ACTION", "action"), ("INVOLVES", "episode")),
    "fact": (("INVALIDATES", "fact"),),
    "session": (("SUMMARY_OF", "summary"), ("IN_SESSION", "action"), ("IN_SESSION", "episode")),
    "goal": (
        ("PARENT_GOAL", "goal"),
        ("PART_OF", "task"),
        ("FOR_GOAL", "session"),
        ("FOR_GOAL", "action"),
        ("FOR_GOAL", "episode"),
    ),
    "task": (
        ("DEPENDS_ON", "task"),
        ("SUBTASK_OF", "task"),
        ("FOR_TASK", "session"),
        ("FOR_TASK", "action"),
        ("FOR_TASK", "episode"),
    ),
    "participant": (
        ("ADDRESSED_TO", "message"),
        ("SAID_BY", "fact"),
        ("ASSERTED_BY", "fact"),
        ("SESSION_OF", "session"),
    ),
}
"""Edges by which what may stay points to what goes: (edge, kind of the source)."""


Also = Callable[[Transaction, R], None]
"""Adds to the transaction that removes a record."""

_TOGETHER: Final = 100
"""Records removed in one round trip: it takes the server some ten milliseconds, in which nobody else is answered."""


def remove(ctx: Context, model: type[R], id: str, also: Also[R] | None = None, topics: Sequence[str] = ()) -> R | None:
    """Remove the record of this id, whoever changes it meanwhile; the record that went, None when there is none.

    See `remove_all`.
    """
    return next(iter(remove_all(ctx, model, [id], also, topics)), None)


def remove_all(
    ctx: Context, model: type[R], ids: Sequence[str], also: Also[R] | None = None, topics: Sequence[str] = ()
) -> list[R]:
    """Remove the records of these ids, each in a transaction of its own; those that went.

    A kind that tasks write stays out for good. `also` adds to each one's transaction; `topics` are those whose work
    names the record by its bare id. Raises StoreBusy, StoreUnavailable: what went then is gone.
    """
    gone: list[R] = []
    wanted = list(dict.fromkeys(ids))
    for start in range(0, len(wanted), _TOGETHER):
        left = wanted[start : start + _TOGETHER]
        for _ in attempts(f"the {model.kind}"):
            records = [one for one in ctx.ns.get_many(model, left) if one is not None]
            transactions = _removals(ctx, records, also, topics)
            outcomes = ctx.ns.commit(transactions) if transactions else []
            gone += [one for one, outcome in zip(records, outcomes, strict=True) if outcome.committed]
            left = [one.id for one, outcome in zip(records, outcomes, strict=True) if not outcome.committed]
            if not left:
                break
    return gone


def _removals(ctx: Context, records: list[R], also: Also[R] | None, topics: Sequence[str]) -> list[Transaction]:
    if not records:
        return []
    now, transactions = ctx.clock(), []
    pointing = _pointing(ctx.ns, records[0].kind, [one.id for one in records])
    for record, links in zip(records, removal.links_of(ctx.ns, list(records)), strict=True):
        transaction = ctx.ns.transaction()
        removal.remove(transaction, record, links)
        for edge, kind, source in pointing[record.id]:
            transaction.unlink(edge, (kind, source), (record.kind, record.id))
        work.call_off(transaction, vectors.TOPIC, vectors.entry(record.kind, record.id))
        for topic in topics:
            work.call_off(transaction, topic, record.id)
        if record.kind in FOR_GOOD:
            bar(transaction, record.kind, record.id, now)
        if also is not None:
            also(transaction, record)
        transactions.append(transaction)
    return transactions


def _pointing(ns: Namespace, kind: str, ids: Sequence[str]) -> dict[str, list[tuple[str, str, str]]]:
    """By id the (edge, kind, id) of what points to it and may stay."""
    found: dict[str, list[tuple[str, str, str]]] = {id: [] for id in ids}
    for edge, source_kind in INCOMING.get(kind, ()):
        for id, sources in zip(ids, ns.sources_of_many(edge, source_kind, kind, ids), strict=True):
            found[id] += [(edge, source_kind, source) for source in sources]
    return found
