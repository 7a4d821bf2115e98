"""Finding rows by their keys alone, and reading what a ranking needs of them, each in one round trip.

A recall asks several searches that overlap; their replies carry keys only, and every row is then read once.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.store import scripts
from reverie.store.keys import INDEX_ALIAS, decode
from reverie.store.namespace import Namespace
from reverie.store.rows import SHARED
from reverie.store.search import Filter, Search
from reverie.store.times import FOREVER, from_micros

log = logging.getLogger("reverie.store")

_FIELDS = ("k", "id", "text", "t", "c", "at", "a", "s", "p", "im", "vf", "vt", "src", "pv", "aq", "o", "v")
_MOST_BYTES = 6000
"""A text is read up to here, and its keywords too; of those further on the ones that are asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Candidate:
    """A row that may become an item. `terms` and `before` are the keywords of its own text and of what preceded it."""

    key: bytes
    kind: str
    id: str
    text: str
    terms: tuple[str, ...]
    before: tuple[str, ...]
    at: datetime
    agent: str | None
    session: str | None
    participants: tuple[str, ...]
    importance: float
    valid_from: datetime | None
    valid_to: datetime | None
    sources: tuple[str, ...]
    previous: str | None
    """Id of the message before this one, for messages."""
    answers: bool
    """Whether the message before this one was a question."""
    owner: str | None
    """The one agent that may recall it; None for what all may."""
    vector: bytes | None
    """The vector as half-precision bytes; None while it waits for the embedder."""

    @property
    def part(self) -> int:
        """Number of the row where a record has several, such as the versions of a fact; 0 where it has one."""
        return int(self.key.rpartition(b".")[2]) if b"." in self.key else 0

    @property
    def cut(self) -> bool:
        """Whether the text is longer than what was read."""
        return len(self.text.encode()) >= _MOST_BYTES - 3


def find(ns: Namespace, searches: Sequence[Search], counts: Sequence[str] = ()) -> tuple[list[list[bytes]], list[int]]:
    """Row keys of each search, best first, and how many rows match each query of `counts`; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for search in searches:
        pipe.execute_command(*search.key_command(ns))
    for query in counts:
        pipe.execute_command("FT.SEARCH", INDEX_ALIAS, query, "NOCONTENT", "LIMIT", 0, 0, "DIALECT", 2)
    replies = pipe.execute()
    keys = [list(reply[1:]) for reply in replies[: len(searches)]]
    return keys, [int(reply[0]) for reply in replies[len(searches) :]]


def counting(ns: Namespace, keyword: str) -> str:
    """The query whose count is the number of rows that hold a keyword."""
    return f"@n:{{{ns.keys.tag}}} @t|c:({keyword})"


def all_rows(ns: Namespace) -> str:
    """The query whose count is the number of rows of the namespace."""
    return f"@n:{{{ns.keys.tag}}}"


def row_keys(ns: Namespace, kind: str, ids: Iterable[str]) -> list[bytes]:
    """What names the rows of records of a kind in searches and candidates, whether they are there or not."""
    return [ns.keys.row(kind, id).encode() for id in ids]


def read(ns: Namespace, keys: Sequence[bytes], asked: Sequence[str] = ()) -> list[Candidate]:
    """The rows of these keys in their order, without those that are gone; one round trip.

    Of a long text the keywords of its beginning are read, and those of `asked` that stand anywhere in it.
    """
    if not keys:
        return []
    rows = scripts.run(ns.client, "read_rows", keys, [_MOST_BYTES, len(_FIELDS), *_FIELDS, *asked])
    return [
        candidate
        for key, row in zip(keys, rows, strict=True)
        if row[0] is not None and (candidate := _readable(key, row)) is not None
    ]


def whole_texts(ns: Namespace, keys: Sequence[bytes]) -> dict[bytes, str]:
    """The texts of these rows as long as they are, by key, without those that are gone; one round trip."""
    if not keys:
        return {}
    pipe = ns.client.pipeline(transaction=False)
    for key in keys:
        pipe.hget(key, "text")
    texts = pipe.execute()
    return {key: text.decode() for key, text in zip(keys, texts, strict=True) if text is not None}


def admits(where: Filter, candidate: Candidate) -> bool:
    """Whether a row that no search found is one that the filter lets through; validity, which claims have, apart."""
    return (
        candidate.owner in (None, where.owner)
        and (where.kinds is None or candidate.kind in where.kinds)
        and (where.sessions is None or candidate.session in where.sessions)
        and (where.participants is None or bool(set(where.participants).intersection(candidate.participants)))
        and (where.agents is None or candidate.agent in where.agents)
        and (where.since is None or candidate.at >= where.since)
        and (where.until is None or candidate.at < where.until)
    )


def similarities(candidates: Sequence[Candidate], query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Dot product of each candidate's vector with the query's, shape (len(candidates),); NaN where it has none."""
    found = np.full(len(candidates), np.nan, dtype=np.float32)
    having = [place for place, candidate in enumerate(candidates) if candidate.vector]
    if having:
        packed = b"".join(candidates[place].vector or b"" for place in having)
        matrix = np.frombuffer(packed, dtype=np.float16).reshape(len(having), -1).astype(np.float32)
        found[having] = matrix @ query
    return found


def _readable(key: bytes, row: Sequence[Any]) -> Candidate | None:
    """The row, or None when it lacks what every row has: a reindex makes it again from its record."""
    try:
        return _candidate(key, row)
    except (AttributeError, TypeError, ValueError):
        log.warning("a search row cannot be read and is left out: %s; run `reverie reindex`", key.decode())
        return None


def _candidate(key: bytes, row: Sequence[Any]) -> Candidate:
    (
        kind,
        id,
        text,
        terms,
        before,
        at,
        agent,
        session,
        parties,
        importance,
        start,
        end,
        src,
        previous,
        answers,
        owner,
        v,
    ) = row
    return Candidate(
        key=key,
        kind=kind.decode(),
        id=id.decode(),
        text=text.decode(errors="ignore"),
        terms=tuple(terms.decode(errors="ignore").split()),
        before=tuple(before.decode(errors="ignore").split()) if before else (),
        at=from_micros(float(at)),
        agent=decode(agent) if agent else None,
        session=decode(session) if session else None,
        participants=tuple(decode(part) for part in parties.split(b",")) if parties else (),
        importance=float(importance),
        valid_from=_moment(start),
        valid_to=_moment(end),
        sources=(id.decode(),) if kind == b"message" else tuple(json.loads(src)) if src else (),
        previous=decode(previous) if previous else None,
        answers=answers is not None,
        owner=None if owner.decode() == SHARED else decode(owner),
        vector=v,
    )


def _moment(value: bytes | None) -> datetime | None:
    micros = float(value) if value else 0
    return None if not 0 < micros < FOREVER else from_micros(micros)
