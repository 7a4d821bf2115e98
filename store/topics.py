"""The graph of entities that are spoken of together, and the topics that are made from it."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.store.commit import Transaction
from reverie.store.keys import decode, encode, id_of
from reverie.store.namespace import Namespace
from reverie.store.records.synopses import TopicRecord
from reverie.store.times import from_micros, to_micros


def near(ns: Namespace, entities: Sequence[str], most: int) -> list[dict[str, float]]:
    """For each entity up to `most` others it was spoken of with, the most often first, and how often."""
    pipe = ns.client.pipeline(transaction=False)
    for entity in entities:
        pipe.zrange(ns.keys.near(entity), 0, most - 1, desc=True, withscores=True)
    found = pipe.execute()
    return [{decode(member): float(score) for member, score in group if score > 0} for group in found]


def containing(ns: Namespace, entities: Sequence[str]) -> dict[str, str | None]:
    """Entity to the id of the topic it is in."""
    if not entities:
        return {}
    found = ns.client.hmget(ns.keys.topic_members, list(entities))
    return {entity: None if id is None else id.decode() for entity, id in zip(entities, found, strict=True)}


def latest(ns: Namespace, newest: int) -> list[str]:
    """Ids of the topics last spoken of, newest first."""
    return [decode(member) for member in ns.client.zrange(ns.keys.topics, 0, newest - 1, desc=True)]


def mentions(ns: Namespace, entities: Sequence[str], newest: int) -> dict[str, list[tuple[str, datetime]]]:
    """For each entity the `newest` messages that mention it, with their moments."""
    pipe = ns.client.pipeline(transaction=False)
    for entity in entities:
        key = ns.keys.linked("MENTIONS", "message", "entity", entity)
        pipe.zrange(key, 0, newest - 1, desc=True, withscores=True)
    found = pipe.execute()
    return {
        entity: [(decode(id_of(member)), from_micros(score)) for member, score in group]
        for entity, group in zip(entities, found, strict=True)
    }


def count_together(transaction: Transaction, one: str, other: str) -> None:
    """Make a write count two entities as spoken of together once more."""
    keys = transaction.ns.keys
    for entity, beside in ((one, other), (other, one)):
        transaction.by_key.run("ZINCRBY", keys.near(entity), 1, encode(beside))


def take_out(transaction: Transaction, entity: str, beside: Iterable[str]) -> None:
    """Make a write take an entity out of the graph; `beside` are all those that it was spoken of with."""
    keys = transaction.ns.keys
    for other in beside:
        transaction.by_key.run("ZREM", keys.near(other), encode(entity))
    transaction.by_key.run("DEL", keys.near(entity))


def put(transaction: Transaction, topic: TopicRecord) -> None:
    """Make a write store a topic; its members are placed by `place`, once all that they leave has let go of them."""
    transaction.put(topic)
    transaction.by_key.run("ZADD", transaction.ns.keys.topics, to_micros(topic.at), encode(topic.id))


def place(transaction: Transaction, topic: TopicRecord) -> None:
    """Make a write note that the members of a topic are in it, and in no other."""
    for member in topic.members:
        transaction.by_key.run("HSET", transaction.ns.keys.topic_members, member, topic.id)


def free(transaction: Transaction, entities: Sequence[str]) -> None:
    """Make a write note that these entities are in no topic."""
    if entities:
        transaction.by_key.run("HDEL", transaction.ns.keys.topic_members, *entities)


def drop(transaction: Transaction, topic: TopicRecord) -> None:
    """Make a write remove a topic with its row; its members are in none."""
    transaction.delete(topic.kind, topic.id)
    transaction.drop_row(topic.kind, topic.id)
    transaction.by_key.run("ZREM", transaction.ns.keys.topics, encode(topic.id))
    free(transaction, topic.members)
