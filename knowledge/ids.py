"""Ids of records that are made from others: the same parts always give the same id, other parts another one."""

import json
from hashlib import blake2b


def derived_id(*parts: str | None) -> str:
    """24 hexadecimal digits of the parts as JSON: ids and texts may hold any character, so that none can part them."""
    return blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()


def entity_id(name: str) -> str:
    """The id of the entity of this canonical name; case makes no other entity."""
    return derived_id("entity", name.casefold())
