"""Entities as they are stored: finding them all, what is told of each, and removing one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import EntityRecord
from reverie.store.times import from_micros

_PAGE: Final = 500
"""Ids given at once, so that their records are read in one round trip of moderate size."""


@dataclass(frozen=True)
class Told:
    """How many messages mention an entity and observations are about it; `since` is when the first message was said,
    None when no message mentions it.
    """

    mentions: int
    observations: int
    since: datetime | None


def pages(ns: Namespace) -> Iterator[list[str]]:
    """Ids of all entities of the namespace, page by page, in no order."""
    prefix = ns.keys.record(EntityRecord.kind, "x").removesuffix("x")
    page: list[str] = []
    for key in ns.client.scan_iter(f"{_literal(prefix)}*", count=_PAGE):
        page.append(decode(key.decode().removeprefix(prefix)))
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page


def told(ns: Namespace, ids: Sequence[str]) -> list[Told]:
    """What is told of each of these entities; one round trip for all."""
    if not ids:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in ids:
        pipe.zcard(_mentions(ns.keys, id))
        pipe.zcard(_about(ns.keys, id))
        pipe.zrange(_mentions(ns.keys, id), 0, 0, withscores=True)
    replies = pipe.execute()
    return [
        Told(mentions, about, from_micros(first[0][1]) if first else None)
        for mentions, about, first in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
    ]


def require_unmentioned(transaction: Transaction, id: str) -> None:
    """Refuse a write when a message mentions the entity."""
    transaction.by_key.require_unset(_mentions(transaction.ns.keys, id))


def _mentions(keys: Keys, id: str) -> str:
    return keys.linked("MENTIONS", "message", "entity", id)


def _about(keys: Keys, id: str) -> str:
    return keys.linked("ABOUT", "observation", "entity", id)


def _literal(text: str) -> str:
    return "".join(f"\\{char}" if char in "*?[]\\^" else char for char in text)
