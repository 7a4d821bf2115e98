"""The JSON documents of tasks that runtimes of any language call: a call's parameters, and where they belong."""

from pydantic import Field

from reverie.config import task_names
from reverie.tools.fields import Id, JsonObject, Params
from reverie.tools.observe import ObserveParams


class ObserveDocument(ObserveParams):
    """The one argument of `reverie.messages.observe`: a message, and whose memory it belongs to."""

    namespace: Id = Field(description="the tenant")
    agent: Id = Field(description="the agent whose memory it is")
    session: Id = Field(description="the conversation")


class CallDocument(Params):
    """The one argument of `reverie.tools.call`: a tool with its arguments, and whose memory it works on.

    With a `graph_user` the tools of the knowledge graph work on the graph of (`graph_app`, `graph_user`).
    """

    namespace: Id = Field(description="the tenant")
    agent: Id = Field(description="the agent whose memory it is")
    tool: str = Field(description="name of the tool")
    arguments: JsonObject = Field(default_factory=dict, description="as the tool's own schema says")
    call_id: Id | None = Field(None, description="names the call, so that it has one effect; default the task's id")
    graph_app: Id | None = Field(None, description="default the agent")
    graph_user: Id | None = Field(None, description="default the agent")


DOCUMENTS: dict[str, type[Params]] = {
    task_names.OBSERVE_MESSAGE: ObserveDocument,
    task_names.CALL_TOOL: CallDocument,
}
"""Task name to the document that is its one argument."""
