"""Pages with a cursor: one walk for every kind of record."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from reverie.config.errors import ValidationFailed
from reverie.store import pages
from reverie.store.namespace import Namespace
from reverie.store.pages import Order, Place
from reverie.store.records.base import Record
from reverie.tools.fields import Count, Moment, Params, Text

T = TypeVar("T")
R = TypeVar("R", bound=Record)

MOST_ITEMS: Final = 1000
"""Most items of one page: some megabytes of JSON, and some tens of milliseconds of the server's time."""
_MOST_READ: Final = 10_000
"""Records read for one page at most when few of them are wanted: about half a second."""
_READ_AT_ONCE: Final = 500
_BESIDE = {"cursor", "limit", "count"}
"""Parameters that may change from page to page of one walk."""


class PageParams(Params):
    """Which page: at most `limit` items after `cursor`, which the page before gave."""

    limit: Annotated[Count, Field(le=MOST_ITEMS)] = 50
    cursor: Text | None = None
    count: bool = False


class DatedParams(PageParams):
    """A page of what has its moment."""

    since: Moment | None = None
    until: Moment | None = None
    newest_first: bool = False


class Page(BaseModel, Generic[T]):
    """One page of a listing.

    Hand `cursor` to the same call for the next page; None at the end. A page holds fewer items than were asked for when
    a filter lets few through: go on as long as there is a cursor.
    """

    model_config = ConfigDict(frozen=True)

    items: tuple[T, ...]
    cursor: str | None = None
    total: int | None = None
    """How many items all pages have together; None when only reading every record could tell and `count` was not asked
    for.
    """


@dataclass(frozen=True)
class Walked(Generic[T]):
    """What a walk found for one page, with the cursor and the total of that page."""

    found: list[T]
    cursor: str | None
    total: int | None


Keep = Callable[[Sequence[R]], Sequence[bool]]
"""Which of some records are wanted."""


def dated(key: str, params: DatedParams) -> Order:
    """The order of a sorted set within the bounds of the parameters. Raises ValidationFailed."""
    if params.since is not None and params.until is not None and params.until <= params.since:
        raise ValidationFailed("until", "must be after since")
    return Order(key, params.since, params.until, params.newest_first)


def walk(ns: Namespace, model: type[R], order: Order, params: PageParams, keep: Keep[R] | None = None) -> Walked[R]:
    """The records of the next page in their order, of which `keep` says which are wanted. Raises ValidationFailed."""
    after = _read_cursor(params)
    found: list[R] = []
    read = 0
    while len(found) < params.limit and read < _MOST_READ:
        step = params.limit if keep is None else _READ_AT_ONCE
        places = pages.page(ns, order, step, after)
        read += len(places)
        records = ns.get_many(model, [place.id for place in places])
        wanted = _wanted(records, keep)
        for place, record in zip(places, records, strict=True):
            if len(found) == params.limit:
                break
            after = place
            if record is not None and record.id in wanted:
                found.append(record)
        if len(places) < step and (not places or after == places[-1]):
            after = None
            break
    if after is not None and not pages.page(ns, order, 1, after):
        after = None
    total = pages.count(ns, order) if keep is None else _total(ns, model, order, keep) if params.count else None
    return Walked(found, None if after is None else _cursor(params, [after.at, after.member]), total)


def _wanted(records: Sequence[R | None], keep: Keep[R] | None) -> set[str]:
    there = [record for record in records if record is not None]
    if keep is None:
        return {record.id for record in there}
    return {record.id for record, wanted in zip(there, keep(there), strict=True) if wanted}


def _total(ns: Namespace, model: type[R], order: Order, keep: Keep[R]) -> int:
    """How many records of an order are wanted: every one of them is read."""
    total = 0
    after: Place | None = None
    while places := pages.page(ns, order, _READ_AT_ONCE, after):
        total += len(_wanted(ns.get_many(model, [place.id for place in places]), keep))
        after = places[-1]
    return total


def walk_names(names: Sequence[str], params: PageParams) -> Walked[str]:
    """The next page of sorted names."""
    after = _read_cursor(params)
    left = [name for name in names if after is None or name > after.member]
    found = left[: params.limit]
    return Walked(found, _cursor(params, [0, found[-1]]) if len(left) > len(found) else None, len(names))


def _cursor(params: PageParams, place: Sequence[int | str]) -> str:
    text = json.dumps([*place, _walk_of(params)], ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_cursor(params: PageParams) -> Place | None:
    """The place after which the page begins. Raises ValidationFailed."""
    if params.cursor is None:
        return None
    try:
        padded = params.cursor + "=" * (-len(params.cursor) % 4)
        at, member, walk_of = json.loads(base64.b64decode(padded.encode(), altchars=b"-_", validate=True))
        place = Place(int(at), str(member))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise ValidationFailed("cursor", "is none that a page gave") from None
    if walk_of != _walk_of(params):
        raise ValidationFailed("cursor", "is of a listing with other parameters; begin without a cursor")
    return place


def _walk_of(params: PageParams) -> str:
    """What tells the pages of one listing from those of another."""
    asked = params.model_dump(mode="json", exclude=_BESIDE)
    return blake2b(json.dumps([type(params).__name__, asked], sort_keys=True).encode(), digest_size=6).hexdigest()
