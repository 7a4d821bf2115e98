"""Entities page by page."""

from collections.abc import Sequence

from reverie.pipelines import entities
from reverie.pipelines.context import Context
from reverie.pipelines.entities import MentionedEntity
from reverie.store import pages
from reverie.store.records.knowledge import EntityRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk
from reverie.tools.fields import Text


class ListEntitiesParams(DatedParams):
    """Entities by when they were first met; `type` is such as person, `name` is compared without regard to case."""

    type: Text | None = None
    name: Text | None = None


def list_entities(ctx: Context, params: ListEntitiesParams) -> Page[MentionedEntity]:
    """A page of entities. Raises ValidationFailed, StoreUnavailable."""
    name = None if params.name is None else params.name.casefold()

    def keep(records: Sequence[EntityRecord]) -> list[bool]:
        return [params.type in (None, one.type) and name in (None, one.name.casefold()) for one in records]

    order = dated(pages.every(ctx.ns, "entity"), params)
    is_whole = params.type is None and name is None
    walked = walk(ctx.ns, EntityRecord, order, params, None if is_whole else keep)
    return Page(items=tuple(entities.views(ctx.ns, walked.found)), cursor=walked.cursor, total=walked.total)
