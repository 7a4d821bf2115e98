"""Records that this version cannot read: set aside from lists, named in the log and in `status`, never in the way."""

import json
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol, TypeVar

import redis
from pydantic import ValidationError

from reverie.config.errors import RecordUnreadable, StoreError
from reverie.store.keys import Keys, decode

T = TypeVar("T")

log = logging.getLogger("reverie.store")


class Home(Protocol):
    """Where the records are: the handle of a namespace."""

    client: redis.Redis
    keys: Keys

    @property
    def namespace(self) -> str: ...


def read_one(kind: str, document: bytes, read: Callable[[bytes], T]) -> T:
    """What `read` makes of a stored document. Raises RecordUnreadable, which names it and holds nothing of its text."""
    try:
        return read(document)
    except ValidationError as error:
        wrong = [
            f"{'.'.join(map(str, one['loc'])) or 'the document'}: {one['msg']}"
            for one in error.errors(include_input=False, include_context=False, include_url=False)
        ]
        raise RecordUnreadable(kind, _id(document), "; ".join(wrong[:3])) from None


def _id(document: bytes) -> str:
    """The id in a document, or in the key that it was made for; "?" in one that tells neither."""
    try:
        found = json.loads(document)
        return str(found["id"] if "id" in found else decode(found["pk"].rpartition(":")[2]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return "?"


def readable(ns: Home, kind: str, documents: Iterable[bytes], read: Callable[[bytes], T]) -> list[T]:
    """What `read` makes of the documents that it can read, in their order; the others are set aside."""
    return [one for one in each(ns, kind, documents, read) if one is not None]


def each(
    ns: Home, kind: str, documents: Iterable[bytes | None], read: Callable[[bytes], T], ids: Iterable[str] = ()
) -> list[T | None]:
    """The same with None for each document that is not there or was set aside; `ids` names those that do not."""
    found: list[T | None] = []
    names = iter(ids)
    for document in documents:
        name = next(names, None)
        try:
            found.append(None if document is None else read_one(kind, document, read))
        except RecordUnreadable as error:
            _set_aside(ns, error if name is None else RecordUnreadable(kind, name, error.reason))
            found.append(None)
    return found


def _set_aside(ns: Home, error: RecordUnreadable) -> None:
    log.warning("set aside in namespace %s: %s", ns.namespace, error)
    with suppress(StoreError):  # a server that takes no writes is read nevertheless
        ns.client.sadd(ns.keys.unreadable, json.dumps([error.kind, error.id]))
