"""Going through all that a namespace holds, page by page."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from reverie.pipelines.context import Context
from reverie.pipelines.entities import MentionedEntity
from reverie.pipelines.facts import FactView
from reverie.tools import browse
from reverie.tools.browse import MessageView, NamespaceView, Page, ParticipantView, SessionView
from reverie.tools.episodes import EpisodeView
from reverie.tools.fields import validated
from reverie.tools.observe import Role


class Browse:
    """`memory.browse.messages(...)` gives a page; hand its `cursor` to the same call for the next one.

    Pages hold at most `limit` items (from 1 to 1,000), the oldest first or the newest, of what was from `since` on and
    before `until` (aware datetimes). A walk over all pages meets once everything that is there from its beginning to
    its end, whatever is written or forgotten meanwhile. `count` has `total` told even where every record must be read
    for it. Every call raises ValidationFailed and StoreUnavailable.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def __repr__(self) -> str:
        return f"Browse(namespace={self.ctx.namespace!r})"

    def messages(
        self,
        *,
        session: str | None = None,
        participant: str | None = None,
        agent: str | None = None,
        role: Role | None = None,
        content_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[MessageView]:
        """Messages by when they were said.

        session: those of one conversation.
        participant: those that one participant said.
        agent: those of one agent's conversations.
        role: "user", "assistant", "system" or "tool".
        content_type: of this kind of content.
        metadata: those whose metadata hold these values under these keys.
        """
        params = validated(
            browse.ListMessagesParams,
            session=session,
            participant=participant,
            agent=agent,
            role=role,
            content_type=content_type,
            metadata={} if metadata is None else metadata,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_messages(self.ctx, params)

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        participant: str | None = None,
        message: str | None = None,
        source: Literal["user", "tool", "model"] | None = None,
        current: bool = True,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[FactView]:
        """Facts by when they were first recorded, each in the version that holds now, else in its last one.

        subject, predicate, object: those of this triple, in any case.
        participant: those that this participant said.
        message: those that rest on this message.
        source: the strongest that stands behind them: a "user", a "tool" or a "model".
        current: with False those too that hold no more.
        """
        params = validated(
            browse.ListFactsParams,
            subject=subject,
            predicate=predicate,
            object=object,
            participant=participant,
            message=message,
            source=source,
            current=current,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_facts(self.ctx, params)

    def entities(
        self,
        *,
        type: str | None = None,
        name: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[MentionedEntity]:
        """The people, places and things that messages mention, by when they were first met.

        type: of one type, such as "person".
        name: of this name, in any case.
        """
        params = validated(
            browse.ListEntitiesParams,
            type=type,
            name=name,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_entities(self.ctx, params)

    def episodes(
        self,
        *,
        agent: str | None = None,
        session: str | None = None,
        goal_id: str | None = None,
        action_type: str | None = None,
        outcome: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[EpisodeView]:
        """Episodes by when they were, archived ones too.

        agent: those of one agent.
        session, goal_id: those of one conversation, and those that served one goal.
        action_type, outcome: what was done, and how it ended.
        """
        params = validated(
            browse.ListEpisodesParams,
            agent=agent,
            session=session,
            goal_id=goal_id,
            action_type=action_type,
            outcome=outcome,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_episodes(self.ctx, params)

    def sessions(
        self,
        *,
        agent: str | None = None,
        open: bool | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[SessionView]:
        """Conversations by when their first message was stored.

        agent: those of one agent.
        open: with True those that are open, with False those that were closed.
        """
        params = validated(
            browse.ListSessionsParams,
            agent=agent,
            open=open,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_sessions(self.ctx, params)

    def participants(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        count: bool = False,
    ) -> Page[ParticipantView]:
        """Humans, agents and services by when they were first met."""
        params = validated(
            browse.ListParticipantsParams,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
            cursor=cursor,
            count=count,
        )
        return browse.list_participants(self.ctx, params)

    def namespaces(
        self, *, prefix: str = "", limit: int = 50, cursor: str | None = None, count: bool = False
    ) -> Page[NamespaceView]:
        """The namespaces of the whole store by name, for who operates it: those whose name begins with `prefix`."""
        params = validated(browse.ListNamespacesParams, prefix=prefix, limit=limit, cursor=cursor, count=count)
        return browse.list_namespaces(self.ctx, params)

    def counts(self) -> dict[str, int]:
        """How many records of each kind the namespace holds; a kind of which there is nothing is left out."""
        return browse.counts(self.ctx)
