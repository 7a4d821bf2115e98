"""Episodes page by page."""

from collections.abc import Sequence

from reverie.pipelines.context import Context
from reverie.store import pages
from reverie.store.records.activity import EpisodeRecord
from reverie.tools.browse.paging import DatedParams, Page, dated, walk
from reverie.tools.episodes import RECORDED_BY, EpisodeView, episode_views
from reverie.tools.fields import Id, Text


class ListEpisodesParams(DatedParams):
    """Episodes by when they were; `agent` is whose."""

    agent: Id | None = None
    session: Id | None = None
    goal_id: Id | None = None
    action_type: Text | None = None
    outcome: Text | None = None


def list_episodes(ctx: Context, params: ListEpisodesParams) -> Page[EpisodeView]:
    """A page of episodes. Raises ValidationFailed, StoreUnavailable."""
    fields = {name: getattr(params, name) for name in ("agent", "session", "goal_id", "action_type", "outcome")}
    if params.session is not None:
        key = pages.linked(ctx.ns, "IN_SESSION", "episode", ("session", fields.pop("session")))
    elif params.agent is not None:
        key = pages.linked(ctx.ns, RECORDED_BY, "episode", ("participant", fields.pop("agent")))
    else:
        key = pages.every(ctx.ns, "episode")
    asked = {name: value for name, value in fields.items() if value is not None}

    def keep(records: Sequence[EpisodeRecord]) -> list[bool]:
        return [all(getattr(one, name) == value for name, value in asked.items()) for one in records]

    walked = walk(ctx.ns, EpisodeRecord, dated(key, params), params, keep if asked else None)
    return Page(items=tuple(episode_views(ctx, walked.found)), cursor=walked.cursor, total=walked.total)
