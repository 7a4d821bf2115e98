"""The entities of a namespace, for people to read."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.nicknames import nicknames
from reverie.store import entities as stored
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import EntityRecord


class MentionedEntity(BaseModel):
    """An entity, and how many messages mention it and observations are about it."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    first_seen: datetime
    """When the first message that mentions it was said."""
    mentions: int
    observations: int


def entities(ns: Namespace, *, type: str | None = None, limit: int | None = None) -> list[MentionedEntity]:
    """The namespace's entities, the most mentioned first, then those seen first; of one type when given."""
    records = [record for page in stored.pages(ns) for record in ns.get_many(EntityRecord, page) if record]
    made = views(ns, [record for record in records if type is None or record.type == type])
    return sorted(made, key=lambda view: (-view.mentions, view.first_seen, view.name))[:limit]


def views(ns: Namespace, records: Sequence[EntityRecord]) -> list[MentionedEntity]:
    """The entities of these records, in the order given."""
    called: dict[str, list[str]] = {}
    for given in nicknames(ns).values():
        called.setdefault(given.name.casefold(), []).append(given.nickname)
    return [
        MentionedEntity(
            id=record.id,
            name=record.name,
            type=record.type,
            aliases=tuple(sorted(called.get(record.name.casefold(), ()))),
            first_seen=told.since or record.recorded_at,
            mentions=told.mentions,
            observations=told.observations,
        )
        for record, told in zip(records, stored.told(ns, [record.id for record in records]), strict=True)
    ]
