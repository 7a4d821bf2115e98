"""What an agent did and lived through: actions, artifacts, episodes. JSON of the caller's is JSON text."""

from datetime import datetime

from pydantic import Field

from reverie.store.records.base import Record


class ActionRecord(Record, index=True):
    """A tool call that was made. `output` is what it returned, or the stub of it when the whole is an artifact."""

    kind = "action"
    agent: str
    action_type: str
    input: str | None = None
    output: str | None = None
    artifact: str | None = None
    status: str | None = None
    error: str | None = None
    started_at: datetime
    ended_at: datetime | None = None
    session: str | None = None
    goal_id: str | None = None
    task_id: str | None = None
    triggered_by: str | None = None
    previous_action: str | None = None

    @property
    def moment(self) -> datetime:
        """When it began."""
        return self.started_at


class ArtifactRecord(Record, index=True):
    """A payload too large to keep inline: `content` is a text as it is, anything else as JSON (`format` says which)."""

    kind = "artifact"
    agent: str
    action: str
    action_type: str
    content: str
    format: str
    session: str | None = None


class EpisodeRecord(Record, index=True):
    """What an agent experienced. `text` is what it is found by.

    A pinned episode never decays; an archived one is out of recall and will be deleted.
    """

    kind = "episode"
    agent: str
    action_type: str
    outcome: str | None = None
    state: str | None = None
    delta: str | None = None
    importance: float
    at: datetime
    text: str
    session: str | None = None
    goal_id: str | None = None
    triggered_by: str | None = None
    involved: list[str] = Field(default_factory=list)
    pinned: bool = False
    archived_at: datetime | None = None

    @property
    def moment(self) -> datetime:
        """When it was."""
        return self.at
