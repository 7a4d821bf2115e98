"""Sessions page by page."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.context import Context
from reverie.pipelines.sessions import IDLE
from reverie.store import due, pages, timeline
from reverie.store.records.conversation import SessionRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk
from reverie.tools.fields import Id


class SessionView(BaseModel):
    """One conversation of an agent, with how many messages it has and when the first and the last were said."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    agent: str
    recorded_at: datetime
    """When its first message was stored."""
    messages: int
    first_at: datetime | None
    last_at: datetime | None
    closed_at: datetime | None
    """When it was closed; None while it is open."""


class ListSessionsParams(DatedParams):
    """Sessions by when their first message was stored; `agent` is whose, `open` whether they are."""

    agent: Id | None = None
    open: bool | None = None


def list_sessions(ctx: Context, params: ListSessionsParams) -> Page[SessionView]:
    """A page of sessions. Raises ValidationFailed, StoreUnavailable."""

    def keep(records: Sequence[SessionRecord]) -> list[bool]:
        is_open = due.waiting(ctx.ns, IDLE, [one.id for one in records])
        return [
            params.agent in (None, one.agent) and params.open in (None, still)
            for one, still in zip(records, is_open, strict=True)
        ]

    order = dated(pages.every(ctx.ns, "session"), params)
    is_whole = params.agent is None and params.open is None
    walked = walk(ctx.ns, SessionRecord, order, params, None if is_whole else keep)
    ids = [one.id for one in walked.found]
    told = zip(
        walked.found,
        pages.ends(ctx.ns, [timeline.order_key(ctx.ns, id) for id in ids]),
        due.waiting(ctx.ns, IDLE, ids),
        strict=True,
    )
    views = [
        SessionView(
            session_id=one.id,
            agent=one.agent,
            recorded_at=one.recorded_at,
            messages=messages,
            first_at=first,
            last_at=last,
            closed_at=None if is_open else one.closed_at,
        )
        for one, (messages, first, last), is_open in told
    ]
    return Page(items=tuple(views), cursor=walked.cursor, total=walked.total)
