"""What was drawn from messages: observations and the entities they speak of."""

from datetime import datetime
from typing import Literal

from reverie.store.records.base import Record

Origin = Literal["user", "tool", "model"]
"""Who stands behind a claim: a person said it, a tool returned it, a model inferred it."""


class ObservationRecord(Record, index=True):
    """An atomic claim tied to the message it was drawn from."""

    kind = "observation"
    message: str
    session: str
    agent: str
    content: str
    subject: str | None = None
    subject_as: str | None = None
    """The nickname under which the subject was spoken of, where it was."""
    predicate: str | None = None
    object: str | None = None
    negated: bool = False
    temporal_phrase: str | None = None
    when_start: datetime | None = None
    """Start of the time the claim is about; `when_end` is its end, exclusive."""
    when_end: datetime | None = None
    observed_at: datetime
    confidence: float = 1.0
    origin: Origin = "user"
    said_by: str
    """Who stands behind the words: the sender of the message, or whoever is quoted in it."""
    utc_offset: int = 0
    """Minutes by which the clock of who said it is ahead of UTC."""
    mood: str | None = None
    """How a reader of the message heard it (`reverie.knowledge.claims`); None where it was written down by a call."""
    state: str | None = None
    """The lasting state that the predicate tells of, where that is another."""
    kind_of_thing: str | None = None
    began: bool = False
    adds: bool = False
    since: datetime | None = None
    until: datetime | None = None
    """From when to when, exclusive, the claim holds; `since_told` and `until_told` as precise as it was told."""
    since_told: str | None = None
    until_told: str | None = None
    quantity: float | None = None
    counted: str | None = None
    told: str = "own"


class EntityRecord(Record, index=True):
    """A named, typed thing of the namespace, under its canonical name."""

    kind = "entity"
    name: str
    type: str = "thing"
