"""Ids of records that are made from others: the same parts always give the same id."""

from hashlib import blake2b


def derived_id(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


def entity_id(name: str) -> str:
    """The id of the entity of this canonical name; case makes no other entity."""
    return derived_id("entity", name.casefold())
