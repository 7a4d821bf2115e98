"""Keeping an episode from fading, letting it fade again, bringing it back."""

from reverie.pipelines import decay, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.decay import DecayView
from reverie.pipelines.rows import episode_draft
from reverie.store.commit import Transaction
from reverie.store.records.activity import EpisodeRecord
from reverie.tools.fields import Id, Params, validated
from reverie.tools.writing import change


class _Name(Params):
    episode_id: Id


def explain_decay(ctx: Context, agent: str, episode_id: str) -> DecayView | None:
    """Why and when an episode of the agent fades; None for an id that is none of its episodes."""
    return decay.explain(ctx, agent, validated(_Name, episode_id=episode_id).episode_id)


def pin(ctx: Context, agent: str, episode_id: str) -> bool:
    """Keep an episode for ever, one that was archived too. False for an id that is none of the agent's episodes."""

    def pinned(record: EpisodeRecord, transaction: Transaction) -> EpisodeRecord | None:
        if record.agent != agent:
            return None
        decay.stop(transaction, record.id)
        return _back(ctx, transaction, record.model_copy(update={"pinned": True}))

    return change(ctx.ns, EpisodeRecord, validated(_Name, episode_id=episode_id).episode_id, pinned) is not None


def unpin(ctx: Context, agent: str, episode_id: str) -> bool:
    """Let a pinned episode fade again, as if just used. False for an id that is none of the agent's episodes."""

    def unpinned(record: EpisodeRecord, transaction: Transaction) -> EpisodeRecord | None:
        if record.agent != agent:
            return None
        decay.start_anew(transaction, ctx.settings, record.id, record.importance, ctx.clock())
        free: EpisodeRecord = record.model_copy(update={"pinned": False})
        return free

    return change(ctx.ns, EpisodeRecord, validated(_Name, episode_id=episode_id).episode_id, unpinned) is not None


def restore(ctx: Context, agent: str, episode_id: str) -> bool:
    """Bring an archived episode back, as if just used. False for an id that is none of the agent's episodes."""

    def restored(record: EpisodeRecord, transaction: Transaction) -> EpisodeRecord | None:
        if record.agent != agent:
            return None
        if record.archived_at is None:
            return record
        decay.stop(transaction, record.id)
        decay.start_anew(transaction, ctx.settings, record.id, record.importance, ctx.clock())
        return _back(ctx, transaction, record)

    return change(ctx.ns, EpisodeRecord, validated(_Name, episode_id=episode_id).episode_id, restored) is not None


def _back(ctx: Context, transaction: Transaction, record: EpisodeRecord) -> EpisodeRecord:
    """The record out of the archive; its row is there again with the write."""
    if record.archived_at is None:
        return record
    vectors.embed_row(ctx, transaction, episode_draft(record))
    back: EpisodeRecord = record.model_copy(update={"archived_at": None})
    return back
