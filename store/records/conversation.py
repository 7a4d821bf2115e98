"""Who said what to whom, when: participants, sessions, messages and the chunks of long ones."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from reverie.store.records.base import Record

FellBack = Literal["unavailable", "unusable", "late"]
"""Why rules read a message that a language model was to read: the model failed, its reply could not be used, or the
time was up before the message's turn.
"""


class ParticipantRecord(Record, index=True):
    """A human, agent or service; created on first use."""

    kind = "participant"


class SessionRecord(Record, index=True):
    """One bounded conversation of one agent. How long it has been idle lives in a due set, not here."""

    kind = "session"
    agent: str
    closed_at: datetime | None = None
    """When it was last closed; a later message opened it again if it stands in the due set of idle sessions."""


class MessageRecord(Record, index=True):
    """What one participant said to others at one moment of a session."""

    kind = "message"
    session: str
    agent: str
    sender: str
    content: str
    at: datetime
    utc_offset: int = 0
    """Minutes by which the sender's clock is ahead of UTC: "yesterday" is a day of that clock."""
    role: str = "user"
    addressed_to: list[str] = Field(default_factory=list)
    content_type: str = "text"
    metadata: dict[str, Any] = Field(default_factory=dict)
    goal_id: str | None = None
    fell_back: FellBack | None = None
    """Why no language model read it, where one is configured; such messages can be read anew."""

    @property
    def moment(self) -> datetime:
        """When it was said."""
        return self.at


class ChunkRecord(Record, index=True):
    """A part of a long message, found on its own. `start` and `end` are character offsets into its content."""

    kind = "chunk"
    message: str
    text: str
    start: int
    end: int
