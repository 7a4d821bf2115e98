"""The JSON documents of tasks that runtimes of any language call: a call's parameters, and where they belong."""

from datetime import datetime

from pydantic import Field

from reverie.config import task_names
from reverie.config.errors import ValidationFailed
from reverie.pipelines.erasure import Named
from reverie.tools.fields import Id, JsonObject, Moment, Params, validated
from reverie.tools.observe import ObserveParams
from reverie.tools.registry import registry


class ObserveDocument(ObserveParams):
    """The one argument of `reverie.messages.observe`: a message, and whose memory it belongs to."""

    namespace: Id = Field(description="the tenant")
    agent: Id = Field(description="the agent whose memory it is")
    session: Id = Field(description="the conversation")

    @property
    def named(self) -> list[Named]:
        """What it would write to. Those it is addressed to are left out: what is said is the sender's."""
        message = [("message", self.message_id)] if self.message_id is not None else []
        return [*message, ("session", self.session), ("participant", self.sender)]


class CallDocument(Params):
    """The one argument of `reverie.tools.call`: a tool with its arguments, and whose memory it works on.

    With a `graph_user` the tools of the knowledge graph work on the graph of (`graph_app`, `graph_user`).
    """

    namespace: Id = Field(description="the tenant")
    agent: Id = Field(description="the agent whose memory it is")
    tool: str = Field(description="name of the tool")
    arguments: JsonObject = Field(default_factory=dict, description="as the tool's own schema says")
    call_id: Id | None = Field(None, description="names the call, so that it has one effect; default the task's id")
    sent_at: Moment | None = Field(None, description="when it was sent: one that an erasure overtook is dropped")
    graph_app: Id | None = Field(None, description="default the agent")
    graph_user: Id | None = Field(None, description="default the agent")

    def named(self, token: str | None) -> list[Named]:
        """What it would write or write to; `token` is the id of what it creates where the arguments give none."""
        tool, given = registry().get(self.tool), self.arguments
        who = given.get("sender") if self.tool == "observe" else self.agent
        created = None if tool is None or tool.identity is None else tool.identity
        named = [
            ("participant", who),
            ("user", self.graph_user),
            ("session", given.get("session_id")),
            ("message", given.get("message_id")),
        ]
        if created is not None:
            named.append((created.removesuffix("_id"), given.get(created) or token))
        return [(kind, id) for kind, id in named if isinstance(id, str)]

    @property
    def time(self) -> datetime | None:
        """When it was sent, or what it tells of was done; None when it says neither."""
        if self.sent_at is not None:
            return self.sent_at
        for name in ("at", "ended_at", "started_at"):
            if self.arguments.get(name) is not None:
                try:
                    return validated(_Time, at=self.arguments[name]).at
                except ValidationFailed:
                    return None  # the tool will refuse it
        return None


class _Time(Params):
    at: Moment


DOCUMENTS: dict[str, type[Params]] = {
    task_names.OBSERVE_MESSAGE: ObserveDocument,
    task_names.CALL_TOOL: CallDocument,
}
"""Task name to the document that is its one argument."""
