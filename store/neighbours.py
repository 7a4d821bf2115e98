"""The graph of entities that are spoken of together, as topics are made from it."""

from collections.abc import Sequence
from datetime import datetime

from reverie.store.commit import id_of
from reverie.store.keys import decode
from reverie.store.space import Space, reachable
from reverie.store.times import from_micros


def near(space: Space, entities: Sequence[str], most: int) -> list[dict[str, float]]:
    """For each entity up to `most` others it was spoken of with, the most often first, and how often."""
    pipe = space.client.pipeline(transaction=False)
    for entity in entities:
        pipe.zrange(space.keys.near(entity), 0, most - 1, desc=True, withscores=True)
    with reachable():
        found = pipe.execute()
    return [{decode(member): float(score) for member, score in group if score > 0} for group in found]


def topics_of(space: Space, entities: Sequence[str]) -> dict[str, str | None]:
    """Entity to the id of the topic it is in."""
    if not entities:
        return {}
    with reachable():
        found = space.client.hmget(space.keys.topic_members, list(entities))
    return {entity: None if id is None else id.decode() for entity, id in zip(entities, found, strict=True)}


def topics(space: Space, newest: int) -> list[str]:
    """Ids of the topics last spoken of, newest first."""
    with reachable():
        return [decode(member) for member in space.client.zrange(space.keys.topics, 0, newest - 1, desc=True)]


def mentions(space: Space, entities: Sequence[str], newest: int) -> dict[str, list[tuple[str, datetime]]]:
    """For each entity the `newest` messages that mention it, with their moments."""
    pipe = space.client.pipeline(transaction=False)
    for entity in entities:
        key = space.keys.linked("MENTIONS", "message", "entity", entity)
        pipe.zrange(key, 0, newest - 1, desc=True, withscores=True)
    with reachable():
        found = pipe.execute()
    return {
        entity: [(decode(id_of(member)), from_micros(score)) for member, score in group]
        for entity, group in zip(entities, found, strict=True)
    }
