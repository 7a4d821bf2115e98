"""Searching the rows of one knowledge graph, or of its log, and no others."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.store.keys import INDEX_ALIAS
from reverie.store.namespace import Namespace
from reverie.store.rows import owner_tag, vector_bytes
from reverie.store.search import any_of
from reverie.store.times import to_micros

_RETURNED = ("k", "id", "t", "ab")


@dataclass(frozen=True)
class GraphHit:
    """A row that was found: its keywords, the names it is about, and how near it is in [-1, 1], when that was asked."""

    kind: str
    id: str
    words: frozenset[str]
    about: tuple[str, ...] = ()
    similarity: float | None = None


@dataclass(frozen=True)
class Lookup:
    """What is looked for in the rows of `tag`: any of the keywords, and what is near the vector.

    `valid_as_of` keeps what held then by the last interval a row knows; None keeps everything.
    """

    tag: str
    keywords: tuple[str, ...] = ()
    vector: npt.NDArray[np.float32] | None = None
    by_word: int = 40
    by_meaning: int = 20
    valid_as_of: datetime | None = None

    def commands(self, ns: Namespace) -> list[list[Any]]:
        """One search for each way of looking."""
        where = f"@n:{{{ns.keys.tag}}} @o:{{{owner_tag(None, self.tag)}}}"
        if self.valid_as_of is not None:
            moment = to_micros(self.valid_as_of)
            where += f" -@vf:[({moment} +inf] -@vt:[-inf {moment}]"
        found: list[list[Any]] = []
        if self.keywords:
            query = any_of(self.keywords, where, {"t": 1.0})
            words = ["FT.SEARCH", INDEX_ALIAS, query, "SCORER", "BM25STD", "LIMIT", 0, self.by_word]
            found.append([*words, "RETURN", len(_RETURNED), *_RETURNED, "DIALECT", 2])
        if self.vector is not None:
            query = f"({where})=>[KNN {self.by_meaning} @v $v AS d]"
            words = ["FT.SEARCH", INDEX_ALIAS, query, "SORTBY", "d", "ASC", "LIMIT", 0, self.by_meaning]
            returned = ("RETURN", len(_RETURNED) + 1, *_RETURNED, "d")
            found.append([*words, *returned, "PARAMS", 2, "v", vector_bytes(self.vector), "DIALECT", 2])
        return found


@dataclass(frozen=True)
class Found:
    """The rows that a lookup found either way, each once, and how many there are by word in all."""

    hits: list[GraphHit]
    by_word: int = 0


def search_graph(ns: Namespace, lookups: Sequence[Lookup]) -> list[Found]:
    """Run the lookups in one round trip."""
    commands = [one.commands(ns) for one in lookups]
    pipe = ns.client.pipeline(transaction=False)
    for group in commands:
        for command in group:
            pipe.execute_command(*command)
    replies = iter(pipe.execute() if any(commands) else [])
    found = []
    for one, group in zip(lookups, commands, strict=True):
        hits: dict[tuple[str, str], GraphHit] = {}
        answers = [next(replies) for _ in group]
        for answer in answers:
            for hit in _hits(answer):
                before = hits.get((hit.kind, hit.id))
                if before is None or before.similarity is None:
                    hits[hit.kind, hit.id] = hit
        found.append(Found(list(hits.values()), answers[0][0] if one.keywords else 0))
    return found


def count_rows(ns: Namespace, tag: str, words: Sequence[Sequence[str]]) -> list[int]:
    """For each word, in any of its forms, how many rows hold it; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for forms in words:
        query = f"@n:{{{ns.keys.tag}}} @o:{{{owner_tag(None, tag)}}} @t:({'|'.join(forms)})"
        pipe.execute_command("FT.SEARCH", INDEX_ALIAS, query, "LIMIT", 0, 0, "DIALECT", 2)
    return [int(reply[0]) for reply in pipe.execute()]


def _hits(reply: Sequence[Any]) -> list[GraphHit]:
    rows = [dict(zip(fields[::2], fields[1::2], strict=True)) for fields in reply[2::2] if fields]
    return [
        GraphHit(
            kind=row[b"k"].decode(),
            id=row[b"id"].decode(),
            words=frozenset(row[b"t"].decode().split()),
            about=tuple(json.loads(row[b"ab"])) if b"ab" in row else (),
            similarity=1.0 - float(row[b"d"]) if b"d" in row else None,
        )
        for row in rows
    ]
