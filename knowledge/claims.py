"""What a reader of a message gives: one claim for each thing that was said.

A claim is evidence, not yet belief: consolidation makes facts of claims. It tells whose words it was read from, in
which mood it was said, and over which time it is to hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

Told = Literal["own", "quoted", "reported", "pasted", "typed"]
"""Whose words: the sender's own; somebody's in quotation marks; "Eva says that ..."; copied from elsewhere (a chat log,
a forwarded mail); typed by another person on the sender's account."""

Mood = Literal["asserted", "denied", "ended", "corrected", "planned", "wished", "asked", "instructed"]
"""How it was said.

asserted: it holds, or it happened. denied: it does not hold. ended: it held and holds no more (`object` None: whatever
of that kind holds of the subject). corrected: it was said by mistake and never held. planned: it is intended or
scheduled. wished, asked: nothing is claimed. instructed: a standing instruction to the agent; the subject is its giver.
"""

Kind = Literal[
    "home", "employer", "role", "partner", "name", "age", "birthday", "contact", "count", "possession", "pet", "device",
    "tool", "diet", "allergy", "language", "kin", "due", "version", "place", "membership", "study", "habit",
    "preference", "health", "event", "duty",
]  # fmt: skip
"""What kind of thing the object is to the subject; it decides what a told change may touch."""


IN_PASSING = 0.5
"""The confidence of what a long text tells in passing: no fact comes of it until another message says it too."""


@dataclass(frozen=True)
class Moment:
    """A point in time as precise as it was told: `at` in UTC, `iso` in the speaker's zone ("2021", "2024-04-03")."""

    at: datetime
    iso: str


@dataclass(frozen=True)
class Claim:
    """One atomic claim.

    `predicate` is a verb phrase in its base form as it was told ("move to", "be allergic to", "email") and never says
    "not": `negated` does. `state` is the lasting state that the predicate tells of ("live in" of "move to", "own" of
    "sell"), None where the predicate itself is what holds. `content` is a full sentence in the third person.

    `when` is an ISO date at its own precision ("2021", "2024-04", "2024-03-14") in the offset of the message;
    `when_start` and `when_end` bound it in UTC (None: open). `since` and `until` (exclusive) say from when to when the
    claim holds, where that was told. `quantity` is the number in the object and `counted` what is counted ("guitar").

    `began`: told as a change. `adds`: told as one more beside what holds ("also"). `speaker` is who stands behind the
    words, None for the sender. `confidence` is in (0, 1]: 1.0 said outright of oneself, lower when it was guessed,
    reported or inferred.
    """

    subject: str
    predicate: str
    object: str | None
    content: str
    temporal_phrase: str | None = None
    when: str | None = None
    when_start: datetime | None = None
    when_end: datetime | None = None
    negated: bool = False
    confidence: float = 1.0
    mood: Mood = "asserted"
    state: str | None = None
    kind: Kind | None = None
    began: bool = False
    adds: bool = False
    since: Moment | None = None
    until: Moment | None = None
    quantity: float | None = None
    counted: str | None = None
    told: Told = "own"
    speaker: str | None = None

    def __post_init__(self) -> None:
        if self.negated and self.mood == "asserted":
            object.__setattr__(self, "mood", "denied")


class Proposal(BaseModel):
    """A claim as a model gives it; `quote` are the words of the turn that it says are its ground."""

    subject: str = Field(min_length=1, max_length=200)
    predicate: str = Field(max_length=100)
    object: str | None = Field(None, max_length=500)
    content: str = Field(min_length=1, max_length=1000)
    mood: Mood = "asserted"
    kind: Kind | None = None
    state: str | None = Field(None, max_length=100)
    since: str | None = Field(None, max_length=100)
    until: str | None = Field(None, max_length=100)
    began: bool = False
    adds: bool = False
    speaker: str | None = Field(None, max_length=200)
    quote: str = Field(min_length=1, max_length=1000)
