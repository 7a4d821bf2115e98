"""What is asked of a recall, after its validation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Phase = Literal["compact", "expand", "broaden"]

PHASES: dict[Phase, tuple[str, ...]] = {
    "compact": ("fact", "procedure", "topic"),
    "expand": ("message", "observation", "episode", "action", "goal", "task"),
    "broaden": ("chunk", "artifact", "summary"),
}
"""The kinds that each phase looks into, cheapest first."""

KINDS: tuple[str, ...] = tuple(kind for kinds in PHASES.values() for kind in kinds)

CHANNELS: tuple[str, ...] = ("vector", "text", "time", "graph")
"""The ways in which a phase looks: by meaning, by words, by the time the question names, over the edges."""


@dataclass(frozen=True)
class Query:
    """A question with the bounds of what may answer it. None leaves a bound open; an empty one lets nothing through."""

    text: str
    agent: str
    at: datetime
    """When it is asked: "last week" in the question is counted from here."""
    valid_as_of: datetime
    known_as_of: datetime
    """Claims must have held at the one by what was believed at the other."""
    limit: int = 15
    token_budget: int = 8192
    sessions: tuple[str, ...] | None = None
    participants: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    """Ids of what is no answer."""
    channels: tuple[str, ...] = CHANNELS

    @property
    def is_bounded(self) -> bool:
        """Whether only what was said in some sessions or by some participants may answer."""
        return self.sessions is not None or self.participants is not None
