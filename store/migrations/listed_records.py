"""Step 2: stores from before the records of a kind were kept in one order."""

from collections import defaultdict
from typing import TYPE_CHECKING

from reverie.store import pages
from reverie.store.keys import decode
from reverie.store.namespace import Namespace
from reverie.store.records.listed import MODELS

if TYPE_CHECKING:
    import redis

_PAGE = 1000
"""Keys asked for at a time; a page of this size takes the server about a millisecond."""
_BATCH = 200


def keep_records_in_order(client: "redis.Redis") -> None:
    """Put every record of a listed kind into the order of its kind. What cannot be read is left out of it."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key in client.scan_iter(match="rv:{*", count=_PAGE):
        tag, _, rest = key.decode().removeprefix("rv:{").partition("}:")
        kind, _, id = rest.partition(":")
        if kind in MODELS:
            group = found[tag, kind]
            group.append(decode(id))
            if len(group) == _BATCH:
                pages.list_records(Namespace(client, decode(tag)), MODELS[kind], found.pop((tag, kind)))
    for (tag, kind), ids in found.items():
        pages.list_records(Namespace(client, decode(tag)), MODELS[kind], ids)
