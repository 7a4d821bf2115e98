"""Records that this version cannot read: set aside from lists, named in the log and in `status`, never in the way.

Where something is to be erased they are not set aside, for they may hold its words: what can be read of them is taken
for the record, so that it is found and removed like any other.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
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


_salvaging: ContextVar[bool] = ContextVar("reverie_salvaging", default=False)


@contextmanager
def salvaging() -> Iterator[None]:
    """In this block a record that cannot be read is what can be read of it; see `Record.salvaged`."""
    token = _salvaging.set(True)
    try:
        yield
    finally:
        _salvaging.reset(token)


def is_salvaging() -> bool:
    """Whether this is such a block."""
    return _salvaging.get()


def mark(kind: str, id: str) -> str:
    """The member by which a record that was set aside stands in the set of them."""
    return json.dumps([kind, id])


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
    ns: Home,
    kind: str,
    documents: Iterable[bytes | None],
    read: Callable[[bytes], T],
    ids: Iterable[str] = (),
    salvage: Callable[[str, bytes], T] | None = None,
) -> list[T | None]:
    """The same with None for each document that is not there or was set aside; `ids` names those that do not.

    While salvaging, what `salvage` makes of an id and a document stands for one that cannot be read.
    """
    found: list[T | None] = []
    names = iter(ids)
    for document in documents:
        name = next(names, None)
        try:
            found.append(None if document is None else read_one(kind, document, read))
        except RecordUnreadable as error:
            if name is not None and document is not None and salvage is not None and is_salvaging():
                found.append(salvage(name, document))
                continue
            _set_aside(ns, error if name is None else RecordUnreadable(kind, name, error.reason))
            found.append(None)
    return found


def _set_aside(ns: Home, error: RecordUnreadable) -> None:
    log.warning("set aside in namespace %s: %s", ns.namespace, error)
    with suppress(StoreError):  # a server that takes no writes is read nevertheless
        ns.client.sadd(ns.keys.unreadable, mark(error.kind, error.id))
