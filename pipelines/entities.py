"""The entities of a namespace, for people to read."""

from collections.abc import Iterator
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.nicknames import nicknames
from reverie.store.keys import decode
from reverie.store.records.knowledge import EntityRecord
from reverie.store.space import Space, reachable
from reverie.store.times import from_micros

_PAGE = 500


class EntityView(BaseModel):
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


def entities(kb: KnowledgeBase, *, type: str | None = None, limit: int | None = None) -> list[EntityView]:
    """The namespace's entities, the most mentioned first, then those seen first; of one type when given."""
    records = [record for page in _pages(kb.space) for record in kb.space.get_many(EntityRecord, page) if record]
    wanted = [record for record in records if type is None or record.type == type]
    pipe = kb.space.client.pipeline(transaction=False)
    for record in wanted:
        pipe.zcard(kb.space.keys.linked("MENTIONS", "message", "entity", record.id))
        pipe.zcard(kb.space.keys.linked("ABOUT", "observation", "entity", record.id))
        pipe.zrange(kb.space.keys.linked("MENTIONS", "message", "entity", record.id), 0, 0, withscores=True)
    with reachable():
        counts = pipe.execute() if wanted else []
    called: dict[str, list[str]] = {}
    for given in nicknames(kb).values():
        called.setdefault(given.name.casefold(), []).append(given.nickname)
    views = [
        EntityView(
            id=record.id,
            name=record.name,
            type=record.type,
            aliases=tuple(sorted(called.get(record.name.casefold(), ()))),
            first_seen=from_micros(first[0][1]) if first else record.recorded_at,
            mentions=mentions,
            observations=about,
        )
        for record, mentions, about, first in zip(wanted, counts[::3], counts[1::3], counts[2::3], strict=True)
    ]
    return sorted(views, key=lambda view: (-view.mentions, view.first_seen, view.name))[:limit]


def _pages(space: Space) -> Iterator[list[str]]:
    """Ids of all entities, page by page."""
    prefix = space.keys.record(EntityRecord.kind, "x").removesuffix("x")
    page: list[str] = []
    with reachable():
        for key in space.client.scan_iter(f"{_literal(prefix)}*", count=_PAGE):
            page.append(decode(key.decode().removeprefix(prefix)))
            if len(page) == _PAGE:
                yield page
                page = []
    if page:
        yield page


def _literal(text: str) -> str:
    return "".join(f"\\{char}" if char in "*?[]\\^" else char for char in text)
