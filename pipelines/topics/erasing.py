"""Taking an entity out of the topics, because it is erased."""

from reverie.pipelines.context import Context
from reverie.pipelines.topics.counting import CHANGED
from reverie.store import topics
from reverie.store.commit import Transaction
from reverie.store.records.synopses import TopicRecord

_EVERY = 10_000


def drop_entity(ctx: Context, transaction: Transaction, entity: str) -> None:
    """Make a write take an entity out of the graph, with the topic that names it; the sweep groups the rest anew."""
    now = ctx.clock()
    topics.take_out(transaction, entity, topics.near(ctx.ns, [entity], _EVERY)[0])
    transaction.settle(CHANGED, entity)
    inside = topics.containing(ctx.ns, [entity])[entity]
    topic = ctx.ns.get(TopicRecord, inside) if inside else None
    if topic is not None:
        topics.drop(transaction, topic)
        for member in topic.members:
            if member != entity:
                transaction.schedule(CHANGED, member, now)
