"""What is worked out over many records: summaries of sessions."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from reverie.store.records.base import Record

Method = Literal["extractive", "abstractive"]


class SummaryRecord(Record, index=True):
    """The synopsis of one session; its id is made from the session's. `digest` is that of what it was made from."""

    kind = "summary"
    session: str
    agent: str
    text: str
    method: Method
    started_at: datetime
    ended_at: datetime
    """When the last message it covers was sent."""
    participants: list[str] = Field(default_factory=list)
    sources: list[str] = Field(default_factory=list)
    """Ids of the messages it was made from."""


class TopicRecord(Record, index=True):
    """Entities that travel together. The id stays while members come and go."""

    kind = "topic"
    name: str
    text: str
    """The names of its members, the most connected first."""
    members: list[str]
    """Ids of its entities, the most connected first."""
    at: datetime
    """When any of them was last spoken of together with another."""
    sources: list[str] = Field(default_factory=list)
