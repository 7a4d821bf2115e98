"""The JSON documents of tasks that runtimes of any language call: a call's parameters, and where they belong."""

from pydantic import Field

from reverie.tools.fields import Id
from reverie.tools.observe import ObserveParams


class ObserveDocument(ObserveParams):
    """The one argument of `reverie.messages.observe`: a message, and whose memory it belongs to."""

    namespace: Id = Field(description="the tenant")
    agent: Id = Field(description="the agent whose memory it is")
    session: Id = Field(description="the conversation")
