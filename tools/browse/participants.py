"""Participants page by page."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.context import Context
from reverie.store import pages
from reverie.store.records.conversation import ParticipantRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk


class ParticipantView(BaseModel):
    """A human, agent or service, with how many messages it sent and when the first and the last were said."""

    model_config = ConfigDict(frozen=True)

    participant_id: str
    recorded_at: datetime
    """When it was first met."""
    messages: int
    first_at: datetime | None
    last_at: datetime | None


class ListParticipantsParams(DatedParams):
    """Participants by when they were first met."""


def list_participants(ctx: Context, params: ListParticipantsParams) -> Page[ParticipantView]:
    """A page of participants. Raises ValidationFailed, StoreUnavailable."""
    walked = walk(ctx.ns, ParticipantRecord, dated(pages.every(ctx.ns, "participant"), params), params)
    sent = [pages.linked(ctx.ns, "SENT_BY", "message", ("participant", one.id)) for one in walked.found]
    views = [
        ParticipantView(
            participant_id=one.id, recorded_at=one.recorded_at, messages=messages, first_at=first, last_at=last
        )
        for one, (messages, first, last) in zip(walked.found, pages.ends(ctx.ns, sent), strict=True)
    ]
    return Page(items=tuple(views), cursor=walked.cursor, total=walked.total)
