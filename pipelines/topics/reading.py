"""Reading the topics."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import EntityRecord
from reverie.store.records.synopses import TopicRecord
from reverie.store.topics import latest


class TopicView(BaseModel):
    """Entities that are spoken of together. The id stays as members come and go; the name is that of the foremost."""

    model_config = ConfigDict(frozen=True)

    topic_id: str
    name: str
    members: tuple[str, ...]
    """Names of all its entities, the most connected first."""
    at: datetime
    """When its members were last spoken of together."""
    sources: tuple[str, ...]
    """Ids of messages that speak of them."""


def topics(ns: Namespace, *, newest: int = 100) -> list[TopicView]:
    """The topics last spoken of, newest first."""
    found = ns.get_many(TopicRecord, latest(ns, newest))
    records = [record for record in found if record is not None]
    ids = list(dict.fromkeys(member for record in records for member in record.members))
    entities = ns.get_many(EntityRecord, ids)
    names = {entity.id: entity.name for entity in entities if entity is not None}
    return [
        TopicView(
            topic_id=record.id,
            name=record.name,
            members=tuple(names[member] for member in record.members if member in names),
            at=record.at,
            sources=tuple(record.sources),
        )
        for record in records
    ]
