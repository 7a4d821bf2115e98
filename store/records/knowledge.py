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


class EntityRecord(Record, index=True):
    """A named, typed thing of the namespace, under its canonical name."""

    kind = "entity"
    name: str
    type: str = "thing"
