"""Messages page by page."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from reverie.pipelines.context import Context
from reverie.store import pages, timeline
from reverie.store.records.conversation import FellBack, MessageRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk
from reverie.tools.fields import Id, Metadata
from reverie.tools.observe import Role


class MessageView(BaseModel):
    """One message of a session. `gap` is the time since the one before it, in seconds; None for the first."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    session_id: str
    sender: str
    content: str
    at: datetime
    role: str
    addressed_to: tuple[str, ...]
    content_type: str
    metadata: dict[str, Any]
    gap: float | None
    fell_back: FellBack | None = None
    """Why rules read it where a language model was to; see `Memory.reextract`."""


class ListMessagesParams(DatedParams):
    """Messages by when they were said; `participant` is who said them, `metadata` what theirs holds under some keys."""

    session: Id | None = None
    participant: Id | None = None
    agent: Id | None = None
    role: Role | None = None
    content_type: Id | None = None
    metadata: Metadata = Field(default_factory=dict)


def list_messages(ctx: Context, params: ListMessagesParams) -> Page[MessageView]:
    """A page of messages. Raises ValidationFailed, StoreUnavailable."""
    fields = {"agent": params.agent, "role": params.role, "content_type": params.content_type}
    if params.session is not None:
        key = timeline.order_key(ctx.ns, params.session)
        fields["sender"] = params.participant
    elif params.participant is not None:
        key = pages.linked(ctx.ns, "SENT_BY", "message", ("participant", params.participant))
    else:
        key = pages.every(ctx.ns, "message")
    asked = {name: value for name, value in fields.items() if value is not None}
    metadata = {name: _as_json(value) for name, value in params.metadata.items()}

    def keep(records: Sequence[MessageRecord]) -> list[bool]:
        return [
            all(getattr(record, name) == value for name, value in asked.items())
            and all(
                name in record.metadata and _as_json(record.metadata[name]) == value for name, value in metadata.items()
            )
            for record in records
        ]

    walked = walk(ctx.ns, MessageRecord, dated(key, params), params, keep if asked or metadata else None)
    return Page(items=tuple(message_views(ctx, walked.found)), cursor=walked.cursor, total=walked.total)


def _as_json(value: object) -> str:
    """What tells one JSON value from another: true is not 1."""
    return json.dumps(value, sort_keys=True)


def message_views(ctx: Context, records: Sequence[MessageRecord]) -> list[MessageView]:
    """The messages of these records, each with the gap to the one before it in its session."""
    before = timeline.preceding(ctx.ns, records, 1) if records else []
    return [
        message_view(record, earlier[-1].at if earlier else None)
        for record, earlier in zip(records, before, strict=True)
    ]


def message_view(record: MessageRecord, before: datetime | None) -> MessageView:
    """The message of a record; `before` is when the one before it in its session was said."""
    return MessageView(
        message_id=record.id,
        session_id=record.session,
        sender=record.sender,
        content=record.content,
        at=record.at,
        role=record.role,
        addressed_to=tuple(record.addressed_to),
        content_type=record.content_type,
        metadata=record.metadata,
        gap=None if before is None else (record.at - before).total_seconds(),
        fell_back=record.fell_back,
    )
