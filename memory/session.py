"""One bounded conversation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from reverie.pipelines import sessions, summaries
from reverie.pipelines.context import Context
from reverie.store import timeline
from reverie.tools.browse import MessageView, message_view
from reverie.tools.fields import Count, Id, Params, validated
from reverie.tools.observe import ObserveParams, OnError, Receipt, Receipts, Role, observe, observe_many, with_goal


class _Names(Params):
    session_id: Id
    goal_id: Id | None


class _Newest(Params):
    newest: Count | None


class Session:
    """One conversation of an agent, in order of time."""

    def __init__(self, ctx: Context, agent_id: str, session_id: str, goal_id: str | None = None) -> None:
        names = validated(_Names, session_id=session_id, goal_id=goal_id)
        self.ctx = ctx
        self.agent_id = agent_id
        self.id = names.session_id
        self.goal_id = names.goal_id

    def __repr__(self) -> str:
        return f"Session({self.id!r}, agent={self.agent_id!r}, namespace={self.ctx.namespace!r})"

    def observe(
        self,
        sender: str,
        content: str | Sequence[str | Mapping[str, Any]] | None,
        message_id: str | None = None,
        *,
        at: datetime | None = None,
        role: Role = "user",
        addressed_to: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        content_type: str = "text",
        goal_id: str | None = None,
        tool_calls: Sequence[Mapping[str, Any]] | None = None,
        tool_call_id: str | None = None,
    ) -> Receipt:
        """Store a message. It is found at once; the workers do the rest.

        sender: the participant who said it.
        content: what was said: a text, a list of parts as model APIs have them, or None beside tool calls.
        message_id: makes the call idempotent; a fresh ULID when not given.
        at: when it was said, an aware datetime whose zone tells the sender's day; now when not given.
        role: "user", "assistant", "system" or "tool".
        addressed_to: the participants it was said to.
        metadata: anything else worth keeping, a JSON object.
        content_type: what kind of content it is.
        goal_id: an existing goal that the session serves; the session's own when not given.
        tool_calls: the calls that the message makes, kept in the metadata.
        tool_call_id: the call that it answers, kept in the metadata.

        Raises ValidationFailed, Conflict (the id is taken by another message), StoreUnavailable.
        """
        params = validated(
            ObserveParams,
            sender=sender,
            content=content,
            message_id=message_id,
            at=at,
            role=role,
            addressed_to=addressed_to,
            metadata={} if metadata is None else metadata,
            content_type=content_type,
            goal_id=goal_id,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
        )
        return observe(self.ctx, self.agent_id, self.id, with_goal(params, self.goal_id))

    def observe_many(
        self,
        messages: Sequence[ObserveParams | Mapping[str, Any]],
        *,
        embed: bool = True,
        on_error: OnError = "refuse",
    ) -> Receipts:
        """Store several messages, embedded as a batch: many times faster than one by one.

        messages: one mapping a message, with the parameters of `observe` as keys.
        embed: with False the workers embed them, for large imports: found by text at once, by meaning after that.
        on_error: "refuse" stores nothing when a message is wrong or its id is taken, and raises for the first one;
            "skip" stores the others and lists these in `refused` of the result. Either names place and id.

        Raises ValidationFailed, Conflict, StoreUnavailable.
        """
        return observe_many(
            self.ctx, self.agent_id, self.id, messages, goal_id=self.goal_id, embed=embed, on_error=on_error
        )

    def messages(self, *, newest: int | None = None) -> list[MessageView]:
        """The messages, oldest first: all, or the `newest` ones; [] for a session nobody wrote to.

        Raises ValidationFailed, StoreUnavailable.
        """
        most = validated(_Newest, newest=newest).newest
        found = timeline.messages(self.ctx.ns, self.id, newest=None if most is None else most + 1)
        before = [None, *(record.at for record in found)]
        views = [message_view(record, at) for record, at in zip(found, before, strict=False)]
        return views if most is None else views[-most:]

    def summarize(self) -> str | None:
        """Write or refresh the summary of this session, found by recall; its id, which is always the same.

        None when there is nothing to summarise. Nothing is done when the session did not change. Extractive and
        deterministic; in a language model's words, checked against what was said, when one is configured.
        Raises ModelFailed when the embedder fails, StoreUnavailable.
        """
        return summaries.summarize(self.ctx, self.id)

    def close(self) -> bool:
        """Close the session now instead of when it has been idle for `session_idle`; the workers summarise it.

        False when it is closed already or nobody wrote to it. A message that comes later opens it again.
        """
        return sessions.close(self.ctx, self.id)

    @property
    def closed_at(self) -> datetime | None:
        """When the session was closed; None while it is open and when nobody wrote to it."""
        return sessions.closed_at(self.ctx.ns, self.id)
