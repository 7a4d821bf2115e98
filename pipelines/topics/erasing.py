"""Taking an entity out of the topics, because it is erased."""

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.topics.counting import CHANGED
from reverie.pipelines.topics.regrouping import drop_topic
from reverie.store import neighbours
from reverie.store.commit import Transaction
from reverie.store.keys import encode
from reverie.store.records.synopses import TopicRecord

_EVERY = 10_000


def drop_entity(kb: KnowledgeBase, transaction: Transaction, entity: str) -> None:
    """Make a write take an entity out of the graph, with the topic that names it; the sweep groups the rest anew."""
    keys, now = kb.space.keys, kb.clock()
    for other in neighbours.near(kb.space, [entity], _EVERY)[0]:
        transaction.run("ZREM", keys.near(other), encode(entity))
    transaction.run("DEL", keys.near(entity))
    transaction.settle(CHANGED, entity)
    inside = neighbours.topics_of(kb.space, [entity])[entity]
    topic = kb.space.get(TopicRecord, inside) if inside else None
    if topic is not None:
        drop_topic(transaction, topic)
        for member in topic.members:
            if member != entity:
                transaction.schedule(CHANGED, member, now)
