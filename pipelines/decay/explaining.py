"""Saying why and when an episode fades."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.knowledge.decay import decays_at, grace_ends, strength
from reverie.pipelines.context import Context
from reverie.pipelines.decay.plan import anchor_of
from reverie.store import due
from reverie.store.decay import DELETE, last_used
from reverie.store.records.activity import EpisodeRecord


class DecayView(BaseModel):
    """Why and when an episode leaves recall and the store. `strength` is what it is now, in [0, importance]."""

    model_config = ConfigDict(frozen=True)

    episode_id: str
    importance: float
    at: datetime
    last_used: datetime | None
    """When recall last used it, or when it was restored or unpinned."""
    strength: float
    threshold: float
    pinned: bool
    archived_at: datetime | None
    archives_at: datetime | None
    """When it leaves recall if it is not used before; None for one that is pinned or archived."""
    deletes_at: datetime | None
    """When it is deleted for good; None for one that is not archived."""
    reason: str


def explain(ctx: Context, agent: str, id: str) -> DecayView | None:
    """Why and when an episode of the agent fades; None for an id that is none."""
    record = ctx.ns.get(EpisodeRecord, id)
    if record is None or record.agent != agent:
        return None
    now = ctx.clock()
    used = last_used(ctx.ns, [id])[0]
    anchor = anchor_of(record, used)
    fading = not record.pinned and record.archived_at is None
    # By the settings of now, whatever it was planned by: a sweep puts the plan right before it acts on it.
    archives_at = decays_at(ctx.settings, record.importance, anchor) if fading else None
    deletes_at = due.when(ctx.ns, DELETE, id) if record.archived_at is not None else None
    if record.archived_at is not None and deletes_at is not None:
        deletes_at = max(deletes_at, grace_ends(ctx.settings, record.archived_at))
    left = record.importance if record.pinned else strength(ctx.settings, record.importance, anchor, now)
    return DecayView(
        episode_id=id,
        importance=record.importance,
        at=record.at,
        last_used=used,
        strength=left,
        threshold=ctx.settings.decay_threshold,
        pinned=record.pinned,
        archived_at=record.archived_at,
        archives_at=archives_at,
        deletes_at=deletes_at,
        reason=_reason(ctx, record, used, left, archives_at, deletes_at),
    )


def _reason(
    ctx: Context,
    record: EpisodeRecord,
    used: datetime | None,
    left: float,
    archives_at: datetime | None,
    deletes_at: datetime | None,
) -> str:
    if record.pinned:
        return "pinned: it stays as it is"
    settings = ctx.settings
    since = f"it happened on {record.at:%Y-%m-%d %H:%M}" if used is None else f"last used on {used:%Y-%m-%d %H:%M}"
    days = settings.decay_half_life.total_seconds() / 86400
    now = f"importance {record.importance:g}, {since}, half-life {days:g} days: strength {left:.3f}"
    if record.archived_at is not None:
        end = f"; deleted on {deletes_at:%Y-%m-%d %H:%M}" if deletes_at is not None else ""
        return f"archived on {record.archived_at:%Y-%m-%d %H:%M} at or below {settings.decay_threshold:g} ({now}){end}"
    return f"{now}; archived when it reaches {settings.decay_threshold:g}, on {archives_at:%Y-%m-%d %H:%M}"
