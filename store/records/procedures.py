"""Proven sequences of actions."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reverie.store.records.base import Record

Standing = Literal["candidate", "active", "deprecated"]


class Tally(BaseModel):
    """How often a procedure worked and failed, and what that made of it."""

    model_config = ConfigDict(extra="allow")

    successes: int = 0
    failures: int = 0
    standing: Standing = "candidate"


class Use(BaseModel):
    """One use: when, whether it worked, and the id of the episode or call that says so."""

    model_config = ConfigDict(extra="allow")

    at: datetime
    id: str
    worked: bool


class ProcedureRecord(Record, index=True):
    """A sequence of actions of one agent. `now` is `before` and the `recent` uses together."""

    kind = "procedure"
    agent: str
    steps: list[str]
    preconditions: str | None = None
    """What the state held each time before it worked, as JSON text of an object; None until it worked."""
    before: Tally = Field(default_factory=Tally)
    recent: list[Use] = Field(default_factory=list)
    """The latest uses in order of time."""
    now: Tally = Field(default_factory=Tally)
    sources: list[str] = Field(default_factory=list)
    """Ids of messages that set off the episodes it was learned from."""
    at: datetime
    """When it was first seen."""
