"""What an erasure did."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.context import Context
from reverie.pipelines.erasure.documents import texts_of
from reverie.store.records.base import Record

Progress = Callable[[int, int], None]
"""Called with how many messages are finished, and of how many."""


class Elsewhere(BaseModel):
    """A record that holds the same words and stays, because somebody wrote it there as well."""

    model_config = ConfigDict(frozen=True)

    kind: str
    id: str
    why: str


class ErasureReport(BaseModel):
    """What went: how many records of each kind, dead letters, and tasks with their results.

    `rewritten` counts records that stay and lost what pointed to the erased. With `verify=True` the namespace was
    scanned afterwards: `verified` says whether nothing is left, `traces` names the keys where something is.
    """

    model_config = ConfigDict(frozen=True)

    scope: str
    id: str
    erased: dict[str, int]
    rewritten: dict[str, int]
    dead_letters: int = 0
    tasks: int = 0
    """Tasks that were on their way to the workers."""
    results: int = 0
    """Results of tasks that held its words and hold them no more."""
    left: int = 0
    """Messages that are gone, and whose traces the workers are still removing."""
    keys: int = 0
    """Keys removed with a whole namespace."""
    verified: bool | None = None
    traces: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    """With `verify=True`: where the same was said, or written down by an agent, and stays; a hundred at most. Of a
    forgotten fact the messages that said it.
    """


@dataclass
class Tally:
    """What is being erased, as far as it is known yet."""

    ctx: Context
    erased: Counter[str] = field(default_factory=Counter)
    rewritten: Counter[str] = field(default_factory=Counter)
    dead_letters: int = 0
    ids: set[tuple[str, str]] = field(default_factory=set)
    """(kind, id) of every erased record."""
    texts: set[str] = field(default_factory=set)
    """What people and agents said in erased records."""
    learned: set[str] = field(default_factory=set)
    """What was learned from it: claims, names, titles, summaries."""

    ends: float | None = None
    """When the caller is to be answered, by the monotonic clock; None: not before everything is done."""
    progress: Progress | None = None
    expected: int = 0
    done: int = 0
    """Messages whose removal was begun, and finished."""

    @property
    def is_late(self) -> bool:
        return self.ends is not None and time.monotonic() >= self.ends

    def advance(self, messages: int) -> None:
        """Count finished messages, and tell who wants to know."""
        self.done += messages
        if self.progress is not None:
            self.progress(self.done, self.expected)

    kept: list[Elsewhere] = field(default_factory=list)
    """What else the report names as said elsewhere."""
    moved: set[str] = field(default_factory=set)
    """Ids of observations that stay and were consolidated again."""

    def back(self, record: Record) -> None:
        """Count an erased record as rewritten: it was made again from what is left."""
        self.erased[record.kind] -= 1
        self.erased += Counter()
        self.rewritten[record.kind] += 1
        self.ids.discard((record.kind, record.id))

    def gone(self, record: Record, *texts: str | None) -> None:
        """Count an erased record, and remember what it said and what else it held."""
        self.erased[record.kind] += 1
        self.ids.add((record.kind, record.id))
        self.texts |= {text for text in texts if text and text.strip()}
        self.learned |= set(texts_of(record.model_dump(mode="json")))
