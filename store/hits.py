"""Rows that searches found, read by their keys: what a ranking needs of them, in one round trip for all.

A row that was read before is not sent again: it bears the revision of its content, and rows that this process read of
late are kept with theirs, up to a bound. Nothing is taken from there that the store does not confirm in the same step.
"""

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from sys import intern
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.store import scripts
from reverie.store.keys import decode
from reverie.store.namespace import Namespace
from reverie.store.rows import SHARED, floats
from reverie.store.search import Filter
from reverie.store.times import FOREVER, from_micros

log = logging.getLogger("reverie.store")

_FIELDS = ("rv", "k", "text", "t", "c", "id", "at", "a", "s", "p", "im", "vf", "vt", "src", "ab", "pv", "aq", "o", "v")
_MOST_BYTES = 6000
"""A text is read up to here, and its keywords too; of those further on the ones that are asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Hit:
    """A row as it was read. `terms` and `before` are the keywords of its own text and of what preceded it, in order."""

    key: bytes
    kind: str
    id: str
    text: str
    terms: tuple[str, ...]
    before: tuple[str, ...]
    words: frozenset[str]
    """Each of the terms once."""
    words_before: frozenset[str]
    at: datetime
    agent: str | None
    session: str | None
    participants: tuple[str, ...]
    importance: float
    valid_from: datetime | None
    valid_to: datetime | None
    sources: tuple[str, ...]
    about: tuple[str, ...]
    """Names of the entities of a knowledge graph that it is about."""
    previous: str | None
    """Id of the message before this one, for messages."""
    answers: bool
    """Whether the message before this one was a question."""
    owner: str | None
    """The one agent that may recall it; None for what all may."""
    vector: bytes | None
    """The vector as half-precision bytes; None while it waits for the embedder."""
    cut: bool
    """Whether the text is longer than what was read."""

    @property
    def part(self) -> int:
        """Number of the row where a record has several, such as the versions of a fact; 0 where it has one."""
        return int(self.key.rpartition(b".")[2]) if b"." in self.key else 0


def row_keys(ns: Namespace, kind: str, ids: Iterable[str]) -> list[bytes]:
    """What names the rows of records of a kind in searches and hits, whether they are there or not."""
    return [ns.keys.row(kind, id).encode() for id in ids]


def read(ns: Namespace, keys: Sequence[bytes], asked: Sequence[str] = ()) -> list[Hit]:
    """The rows of these keys in their order, without those that are gone; one round trip.

    Of a long text the keywords of its beginning are read, and those of `asked` that stand anywhere in it.
    """
    if not keys:
        return []
    known = _KEPT.known(keys)
    revisions = [known[key][0] if key in known else b"" for key in keys]
    rows = scripts.run(ns.client, "read_rows", keys, [_MOST_BYTES, len(_FIELDS), *_FIELDS, *revisions, *asked])
    hits = []
    fresh: list[tuple[bytes, Hit]] = []
    gone: list[bytes] = []
    for key, row in zip(keys, rows, strict=True):
        if row == 1:
            hits.append(known[key][1])
        elif row[1] is None:
            gone.append(key)
        elif (hit := _readable(key, row)) is not None:
            hits.append(hit)
            # Of what was cut, other words are read for another question.
            if row[0] and not hit.cut and len(row[3]) < _MOST_BYTES and len(row[4] or b"") < _MOST_BYTES:
                fresh.append((row[0], hit))
    _KEPT.keep(fresh, gone)
    return hits


def whole_texts(ns: Namespace, keys: Sequence[bytes]) -> dict[bytes, str]:
    """The texts of these rows as long as they are, by key, without those that are gone; one round trip."""
    if not keys:
        return {}
    pipe = ns.client.pipeline(transaction=False)
    for key in keys:
        pipe.hget(key, "text")
    texts = pipe.execute()
    return {key: text.decode() for key, text in zip(keys, texts, strict=True) if text is not None}


def admits(where: Filter, hit: Hit) -> bool:
    """Whether a row that no search found is one that the filter lets through; validity, which claims have, apart."""
    return (
        hit.owner in (None, where.owner)
        and (where.kinds is None or hit.kind in where.kinds)
        and (where.sessions is None or hit.session in where.sessions)
        and (where.participants is None or bool(set(where.participants).intersection(hit.participants)))
        and (where.agents is None or hit.agent in where.agents)
        and (where.since is None or hit.at >= where.since)
        and (where.until is None or hit.at < where.until)
    )


def similarities(hits: Sequence[Hit], query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Dot product of each hit's vector with the query's, shape (len(hits),); NaN where it has none."""
    found = np.full(len(hits), np.nan, dtype=np.float32)
    having = [index for index, hit in enumerate(hits) if hit.vector]
    if having:
        found[having] = floats(b"".join(hits[index].vector or b"" for index in having), len(having)) @ query
    return found


def vectors(ns: Namespace, kind: str, ids: Sequence[str], part: int = 0) -> list[npt.NDArray[np.float32] | None]:
    """The vectors of rows of one kind, None for a row that is gone or waits for its vector; one round trip."""
    if not ids:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in ids:
        pipe.hget(ns.keys.row(kind, id, part), "v")
    found = pipe.execute()
    return [floats(packed)[0] if packed else None for packed in found]


class _Kept:
    """The rows that were read of late, by key, each with the revision of its content; safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._rows: OrderedDict[bytes, tuple[bytes, Hit]] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, keys: Sequence[bytes]) -> dict[bytes, tuple[bytes, Hit]]:
        """Those of these rows that are kept."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
            for key in found:
                self._rows.move_to_end(key)
            return found

    def keep(self, fresh: Iterable[tuple[bytes, Hit]], gone: Iterable[bytes]) -> None:
        """Keep the rows that were read with their revisions, drop those that are gone; over the bound the oldest go."""
        with self._lock:
            for key in gone:
                self._drop(self._rows.pop(key, None))
            for revision, hit in fresh:
                self._drop(self._rows.pop(hit.key, None))
                self._rows[hit.key] = (revision, hit)
                self._size += _size(hit)
            while self._size > self._most:
                self._drop(self._rows.popitem(last=False)[1])

    def _drop(self, row: tuple[bytes, Hit] | None) -> None:
        if row is not None:
            self._size -= _size(row[1])


def _size(hit: Hit) -> int:
    """About how many bytes a hit takes: its vector and text, some fifty for a keyword, a thousand for the rest."""
    return 1000 + len(hit.vector or b"") + len(hit.text) + 50 * (len(hit.terms) + len(hit.before))


_KEPT = _Kept(64 * 1024 * 1024)
"""64 MB a process: some 15,000 messages of usual length."""


def _readable(key: bytes, row: Sequence[Any]) -> Hit | None:
    """The row, or None when it lacks what every row has: a reindex makes it again from its record."""
    try:
        return _hit(key, *row)
    except (AttributeError, TypeError, ValueError):
        log.warning("a search row cannot be read and is left out: %s; run `reverie reindex`", key.decode())
        return None


def _hit(
    key: bytes,
    _revision: bytes | None,
    kind: bytes,
    text: bytes,
    terms: bytes,
    before: bytes | None,
    id: bytes,
    at: bytes,
    agent: bytes | None,
    session: bytes | None,
    participants: bytes | None,
    importance: bytes,
    valid_from: bytes | None,
    valid_to: bytes | None,
    sources: bytes | None,
    about: bytes | None,
    previous: bytes | None,
    answers: bytes | None,
    owner: bytes,
    vector: bytes | None,
) -> Hit:
    own, preceding = _split(terms), _split(before or b"")
    return Hit(
        key=key,
        kind=intern(kind.decode()),
        id=id.decode(),
        text=text.decode(errors="ignore"),
        terms=own,
        before=preceding,
        words=frozenset(own),
        words_before=frozenset(preceding),
        at=from_micros(float(at)),
        agent=_id(agent),
        session=_id(session),
        participants=_ids(participants) if participants else (),
        importance=float(importance),
        valid_from=_moment(valid_from),
        valid_to=_moment(valid_to),
        sources=(id.decode(),) if kind == b"message" else tuple(json.loads(sources)) if sources else (),
        about=tuple(json.loads(about)) if about else (),
        previous=decode(previous) if previous else None,
        answers=answers is not None,
        owner=None if owner == _SHARED else _id(owner),
        vector=vector,
        cut=len(text) >= _MOST_BYTES - 3,
    )


_SHARED = SHARED.encode()


def _split(terms: bytes) -> tuple[str, ...]:
    return tuple(map(intern, terms.decode(errors="ignore").split()))


@lru_cache(maxsize=4096)
def _id(encoded: bytes | None) -> str | None:
    return decode(encoded) if encoded else None


@lru_cache(maxsize=4096)
def _ids(encoded: bytes) -> tuple[str, ...]:
    return tuple(decode(part) for part in encoded.split(b","))


def _moment(value: bytes | None) -> datetime | None:
    micros = float(value) if value else 0
    return None if not 0 < micros < FOREVER else from_micros(micros)
