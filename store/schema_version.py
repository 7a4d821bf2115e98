"""The schema version of a store: newer ones are refused, older ones are brought up to date when they are opened."""

import logging

import redis

from reverie.config.errors import StoreUnfit
from reverie.store import scripts
from reverie.store.keys import SCHEMA
from reverie.store.migrations import STEPS

log = logging.getLogger("reverie.store")

VERSION = len(STEPS)
"""What this version of Reverie reads and writes."""


def version(client: "redis.Redis") -> int:
    """The store's schema version; 0 for an empty store and for one from before they were numbered."""
    number, refusal = look(client)
    if refusal is not None:
        raise refusal
    return number


def look(client: "redis.Redis") -> tuple[int, StoreUnfit | None]:
    """The store's schema version, and why this version of Reverie cannot work with it; None when it can."""
    found: bytes | None = client.get(SCHEMA)
    try:
        number = int(found or 0)
    except ValueError:
        return -1, StoreUnfit(f"the store's schema version ({SCHEMA}) is no number; it was not written by Reverie")
    if number <= VERSION:
        return number, None
    return number, StoreUnfit(
        f"this store was written by a newer Reverie (schema {number}; this one knows {VERSION}); upgrade Reverie, "
        "or name another Redis in REVERIE_REDIS_URL"
    )


def ensure(client: "redis.Redis") -> None:
    """Bring the store to this version's schema, step by step.

    A step that was interrupted is done again at the next opening, and two processes may do it at once. Raises
    StoreUnfit for a store that a newer Reverie wrote; nothing of it is changed.
    """
    found = version(client)
    for number, step in enumerate(STEPS[found:], start=found + 1):
        log.info("bringing the store to schema %d", number)
        step(client)
        client.eval(scripts.text("raise_schema"), 1, SCHEMA, number - 1, number)
