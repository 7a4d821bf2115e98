"""Removing one record with its row, its edges in both directions and the work that names it."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from reverie.pipelines import vectors
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure.barring import FOR_GOOD, bar
from reverie.store import removal
from reverie.store.commit import Transaction
from reverie.store.records.base import Record
from reverie.store.retry import attempts
from reverie.store.space import reachable

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


def remove(
    kb: KnowledgeBase,
    model: type[R],
    id: str,
    also: Callable[[Transaction, R], None] | None = None,
    topics: Sequence[str] = (),
) -> R | None:
    """Remove the record of this id, whoever changes it meanwhile; the record that went, None when there is none.

    A kind that tasks write stays out for good.

    `also` adds to the same transaction; `topics` are those whose work names the record by its bare id.
    """
    for _ in attempts(f"the {model.kind}"):
        record = kb.space.get(model, id)
        if record is None:
            return None
        transaction = kb.space.transaction()
        removal.remove(transaction, record, removal.links_of(kb.space, [record])[0])
        detach(kb, transaction, record.kind, id)
        drop_work(transaction, vectors.TOPIC, vectors.entry(record.kind, id))
        for topic in topics:
            drop_work(transaction, topic, id)
        if record.kind in FOR_GOOD:
            bar(transaction, record.kind, id, kb.clock())
        if also is not None:
            also(transaction, record)
        if transaction.commit().committed:
            return record
    raise AssertionError("attempts end by raising")


def detach(kb: KnowledgeBase, transaction: Transaction, kind: str, id: str) -> None:
    """Make a write cut the edges by which others point to a record."""
    for edge, source_kind in INCOMING.get(kind, ()):
        for source in kb.space.sources(edge, source_kind, (kind, id)):
            transaction.unlink(edge, (source_kind, source), (kind, id))


def drop_work(transaction: Transaction, topic: str, entry: str) -> None:
    """Make a write take a piece of work from its queue."""
    transaction.run("ZREM", transaction.space.keys.work(topic), entry)
    transaction.run("HDEL", transaction.space.keys.attempts(topic), entry)


def is_linked(kb: KnowledgeBase, *keys: str) -> bool:
    """Whether any of these sorted sets has members."""
    with reachable():
        return bool(kb.space.client.exists(*keys))
