"""Counting which entities are spoken of together, and taking one out again that is erased."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, product

from reverie.pipelines import ingest
from reverie.pipelines.context import Context
from reverie.store import timeline, topics, work
from reverie.store.commit import Transaction
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.synopses import TopicRecord

TOPIC = "topics"
"""Topic of durable work: messages whose entities are to be counted."""
CHANGED = "topics-changed"
"""Due set of the entities that are to be grouped anew, by the moment they last changed."""
_PATIENCE = timedelta(seconds=2)
_MOST = 12
"""Entities of one message that are counted; a list of a hundred names says nothing of any two of them."""
_ALL = 10_000
"""A bound on the neighbours that are let go of: each is one command of the write that erases the entity."""


@dataclass(frozen=True)
class Counted:
    """What one run did."""

    messages: int
    pairs: int

    def __str__(self) -> str:
        return f"{self.pairs} pairs of entities counted in {self.messages} messages"


def count(ctx: Context, message_ids: Sequence[str]) -> Counted:
    """Count the pairs of entities of these messages, each message once; ends the work. Raises StoreUnavailable.

    A message speaks together of what it mentions itself and of what the message before it mentioned.
    """
    found = ctx.ns.get_many(MessageRecord, message_ids)
    messages, before = _ready(ctx, [message for message in found if message is not None])
    wanted = list(dict.fromkeys([one.id for one in messages] + [one.id for group in before for one in group]))
    mentioned = dict(zip(wanted, ctx.ns.targets_of_many("message", wanted, "MENTIONS"), strict=True))
    transactions, numbers = [], []
    for message, earlier in zip(messages, before, strict=True):
        here = sorted(mentioned[message.id])[:_MOST]
        there = sorted({id for one in earlier for id in mentioned[one.id]} - set(here))[:_MOST]
        pairs = [*combinations(here, 2), *product(here, there)]
        transaction = ctx.ns.transaction()
        work.finish(transaction, TOPIC, message.id)
        transaction.require_present(message.kind, message.id)
        for one, other in pairs:
            topics.count_together(transaction, one, other)
        for entity in sorted({entity for pair in pairs for entity in pair}):
            transaction.schedule(CHANGED, entity, ctx.clock())
        transactions.append(transaction)
        numbers.append(len(pairs))
    for id, record in zip(message_ids, found, strict=True):
        if record is None:
            transaction = ctx.ns.transaction()
            work.finish(transaction, TOPIC, id)
            transactions.append(transaction)
    outcomes = ctx.ns.commit(transactions)
    done = [number for number, result in zip(numbers, outcomes, strict=False) if result.committed]
    return Counted(len(done), sum(done))


def _ready(ctx: Context, messages: Sequence[MessageRecord]) -> tuple[list[MessageRecord], list[list[MessageRecord]]]:
    """The messages whose predecessor is ingested, with it; the others are put off, so that any order counts alike."""
    before = timeline.preceding(ctx.ns, messages, 1)
    waits = work.pending(ctx.ns, ingest.TOPIC, [group[0].id if group else "" for group in before])
    for message, wait in zip(messages, waits, strict=True):
        if wait:
            work.postpone(ctx.ns, TOPIC, message.id, ctx.clock() + _PATIENCE)
    kept = [place for place, wait in enumerate(waits) if not wait]
    return [messages[place] for place in kept], [before[place] for place in kept]


def drop_entity(ctx: Context, transaction: Transaction, entity: str) -> None:
    """Make a write take an entity out of the graph, with the topic that names it; the sweep groups the rest anew."""
    now = ctx.clock()
    topics.take_out(transaction, entity, topics.near(ctx.ns, [entity], _ALL)[0])
    transaction.settle(CHANGED, entity)
    inside = topics.containing(ctx.ns, [entity])[entity]
    topic = ctx.ns.get(TopicRecord, inside) if inside else None
    if topic is not None:
        topics.drop(transaction, topic)
        for member in topic.members:
            if member != entity:
                transaction.schedule(CHANGED, member, now)
