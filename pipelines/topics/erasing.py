"""Taking an entity out of the topics, because it is erased."""

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.topics.counting import CHANGED
from reverie.store import topics
from reverie.store.commit import Transaction
from reverie.store.records.synopses import TopicRecord

_EVERY = 10_000


def drop_entity(kb: KnowledgeBase, transaction: Transaction, entity: str) -> None:
    """Make a write take an entity out of the graph, with the topic that names it; the sweep groups the rest anew."""
    now = kb.clock()
    topics.take_out(transaction, entity, topics.near(kb.space, [entity], _EVERY)[0])
    transaction.settle(CHANGED, entity)
    inside = topics.containing(kb.space, [entity])[entity]
    topic = kb.space.get(TopicRecord, inside) if inside else None
    if topic is not None:
        topics.drop(transaction, topic)
        for member in topic.members:
            if member != entity:
                transaction.schedule(CHANGED, member, now)
