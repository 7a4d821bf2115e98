"""Search rows: what is found of a record. Derived from records, and made again by a reindex."""

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from reverie.store.analysis import keywords
from reverie.store.keys import encode
from reverie.store.times import to_micros, until_micros

SHARED = "_shared"
"""Owner tag of what every agent of the namespace may recall; no encoded id has letters beyond f after an underscore."""


@dataclass(frozen=True)
class Row:
    """One row of one record.

    `text` is shown and searched; `context` is searched at a lower weight (what was said just before, the date in
    words). `vector` has the index's dimension, or is None: found by text alone until a worker fills it in. `valid_*`
    is when a claim held in the world, `recorded_at`/`retired_at` when it was believed. `sources` are the ids of the
    messages it rests on. `owner` is set on what only one agent may recall.
    """

    kind: str
    id: str
    text: str
    at: datetime
    vector: npt.NDArray[np.float32] | None = None
    label: str = ""
    """Words that find the row beside its text, such as the sender's name."""
    context: str = ""
    owner: str | None = None
    agent: str | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()
    graph: str | None = None
    """Tag of the knowledge graph it belongs to, or of that graph's log: then only a search of it sees the row."""
    about: tuple[str, ...] = ()
    """Names of the graph's entities it is about."""
    importance: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime | None = None
    retired_at: datetime | None = None
    sources: tuple[str, ...] = ()
    part: int = 0
    """Number of the row where a record has several, such as the versions of a fact; 0 where it has one."""
    previous: str | None = None
    """Id of the message before this one in its session, when the row was made."""
    answers: bool = False
    """Whether the message before this one asks something."""

    def words(self, namespace: str) -> list[str | bytes | int | float]:
        """Flat field-value list of the row's hash. `namespace` is the encoded one."""
        flat: list[str | bytes | int | float] = [
            "n", namespace,
            "k", self.kind,
            "o", self._owner_tag,
            "at", to_micros(self.at),
            "id", self.id,
            "text", self.text,
            "t", " ".join(keywords(f"{self.label} {self.text}")),
            "im", self.importance,
        ]  # fmt: skip
        if self.context:
            flat += ["c", " ".join(keywords(self.context))]
        if self.agent:
            flat += ["a", encode(self.agent)]
        if self.session:
            flat += ["s", encode(self.session)]
        if self.participants:
            flat += ["p", ",".join(encode(participant) for participant in self.participants)]
        if self.valid_from or self.valid_to or self.recorded_at or self.retired_at:
            flat += [
                "vf",
                to_micros(self.valid_from) if self.valid_from else 0,
                "vt",
                until_micros(self.valid_to),
            ]
            flat += [
                "rf",
                to_micros(self.recorded_at) if self.recorded_at else 0,
                "rt",
                until_micros(self.retired_at),
            ]
        if self.about:
            flat += ["ab", json.dumps(self.about)]
        if self.sources:
            flat += ["src", json.dumps(self.sources)]
        if self.previous:
            flat += ["pv", encode(self.previous)]
        if self.answers:
            flat += ["aq", 1]
        if self.vector is not None:
            flat += ["v", vector_bytes(self.vector)]
        return [*flat, "rv", _revision(flat)]

    @property
    def _owner_tag(self) -> str:
        """The one tag that decides who sees the row: a knowledge graph, an agent, or every agent of the namespace."""
        if self.graph is not None:
            return graph_tag(self.graph)
        return encode(self.owner) if self.owner else SHARED


def graph_tag(graph: str) -> str:
    """What the rows of a knowledge graph, or of its log, have in place of an owner."""
    return f"_g{graph}"


NO_REVISION = ""
"""In place of the revision of a row of which a part was changed: it is read anew each time."""


def _revision(words: list[str | bytes | int | float]) -> bytes:
    """What tells the content of a row from any other that the row had: a digest of its fields and values."""
    parts = (word if isinstance(word, bytes) else str(word).encode() for word in words)
    return blake2b(b"\0".join(parts), digest_size=8).digest()


def vector_bytes(vector: npt.NDArray[np.float32]) -> bytes:
    """A vector as the index keeps it: half precision, which changes no ranking that was measured."""
    return np.ascontiguousarray(vector, dtype=np.float16).tobytes()


def floats(packed: bytes, rows: int = 1) -> npt.NDArray[np.float32]:
    """The vectors that `vector_bytes` packed, one after the other, as a matrix of so many rows."""
    return np.frombuffer(packed, dtype=np.float16).reshape(rows, -1).astype(np.float32)
