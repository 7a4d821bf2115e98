"""What a consolidation run did: its audit record, from which it can be undone."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reverie.store.records.base import Record

Action = Literal["create", "reinforce", "revise", "close"]
State = Literal["planned", "applying", "done", "interrupted", "undone"]
"""Planned is what a dry run shows; it is never stored."""


class Span(BaseModel):
    """An interval of validity; an `end` of None is open."""

    model_config = ConfigDict(frozen=True, extra="allow")

    start: datetime
    end: datetime | None = None


class Change(BaseModel):
    """What happened to one fact: the observations that came to support it, and its intervals before and after.

    Ids alone: what is erased must not live on in an audit.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    action: Action
    fact_id: str
    observations: tuple[str, ...] = ()
    before: tuple[Span, ...] = ()
    after: tuple[Span, ...] = ()
    replaced_by: str | None = None
    reason: str | None = None


class Bearing(BaseModel):
    """That an observation speaks for a claim, whether or not the claim is believed."""

    model_config = ConfigDict(frozen=True, extra="allow")

    observation: str
    claim: str
    slot: str
    single: bool
    """Whether the slot's predicate holds one value."""
    triple: str
    """Id of the fact that the claim affirms, denies or says is over."""


class CycleRecord(Record, index=True):
    """One consolidation run of one agent. Written before the first change and after the last."""

    kind = "cycle"
    agent: str
    state: State = "applying"
    finished_at: datetime | None = None
    undone_at: datetime | None = None
    observations: int = 0
    """How many observations the run used."""
    unused: int = 0
    """How many of them became no fact: opinions, passing states, what is outvoted or waits to be said again."""
    put_off: int = 0
    """How many were left to the next run, because others changed the same facts meanwhile."""
    changes: list[Change] = Field(default_factory=list)
    bearings: list[Bearing] = Field(default_factory=list)
    refusals: list[str] = Field(default_factory=list)
    """Closings that were planned and not let through, with the reason."""
    unstable: list[str] = Field(default_factory=list)
    """Subjects with more than four closings in thirty days."""
    merges: int = 0
    """Wordings that the language model said to mean the same."""
    refused: int = 0
    """Replies of the language model that could not be used; the result without it stood."""
