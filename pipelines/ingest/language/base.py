"""What goes into reading a language, what comes out of it, and what a reader of a language is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from reverie.knowledge.claims import Claim

__all__ = ["WINDOW", "Claim", "EntityMention", "Extraction", "Reader", "Utterance"]

WINDOW = 3
"""Turns before a turn that its pronouns may point into. A turn's extraction depends on nothing else."""


@dataclass(frozen=True)
class Utterance:
    """One message: who said what, to whom, when (`at` is aware; its offset is the speaker's own)."""

    text: str
    speaker: str
    addressed_to: tuple[str, ...]
    at: datetime

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("a turn needs an aware time, with its offset")


@dataclass(frozen=True)
class EntityMention:
    """A named thing as it was written; type is person, organization, place, product, work, event, group, file,
    url, email, code or topic."""

    name: str
    type: str


@dataclass(frozen=True)
class Extraction:
    """The entities and claims that were read from one utterance."""

    entities: tuple[EntityMention, ...] = field(default=())
    observations: tuple[Claim, ...] = field(default=())


class Reader(Protocol):
    """The rules of one language."""

    def extract(self, utterances: Sequence[Utterance], history: Sequence[Utterance] = ()) -> list[Extraction]:
        """One `Extraction` a turn, in order. `history` was said before in the session: pronouns may point to it.

        Deterministic, without I/O. A turn gives the same in any batch, as long as the `WINDOW` turns before it are in
        the batch or the history.
        """
        ...
