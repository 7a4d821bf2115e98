"""Searching rows: safe filters, and several searches in one round trip."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from reverie.store.keys import INDEX_ALIAS, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.rows import SHARED, vector_bytes
from reverie.store.times import FOREVER, from_micros, to_micros

_RETURNED = ("k", "id", "text", "at", "a", "s", "p", "im", "vf", "vt", "rf", "rt", "src")


@dataclass(frozen=True)
class Filter:
    """Which rows a search may see. Every field narrows; None leaves its field open, and empty lets nothing through.

    `owner` is the agent that asks: it sees what is shared and what is its own, and no knowledge graph. `current` keeps
    claims that held at `valid_as_of` by what was believed at `known_as_of`; rows without validity always pass.
    """

    owner: str
    kinds: tuple[str, ...] | None = None
    sessions: tuple[str, ...] | None = None
    participants: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_as_of: datetime | None = None
    known_as_of: datetime | None = None

    def expression(self, ns: Namespace) -> str:
        """The filter in the query language; the namespace is always part of it."""
        parts = [f"@n:{{{ns.keys.tag}}}", f"@o:{{{SHARED}|{encode(self.owner)}}}"]
        for field, values in (("s", self.sessions), ("p", self.participants), ("a", self.agents)):
            if values is not None:
                parts.append(_tags(field, [encode(value) for value in values]))
        if self.kinds is not None:
            parts.append(_tags("k", self.kinds))
        if self.since is not None or self.until is not None:
            low = "-inf" if self.since is None else str(to_micros(self.since))
            high = "+inf" if self.until is None else f"({to_micros(self.until)}"
            parts.append(f"@at:[{low} {high}]")
        for low_field, high_field, at in (("vf", "vt", self.valid_as_of), ("rf", "rt", self.known_as_of)):
            if at is not None:
                moment = to_micros(at)
                parts.append(f"-@{low_field}:[({moment} +inf] -@{high_field}:[-inf {moment}]")
        return " ".join(parts)


def _tags(field: str, values: Sequence[str]) -> str:
    # No encoded id holds an underscore before an n: of no values none is found.
    return f"@{field}:{{{'|'.join(values) or '_none'}}}"


@dataclass(frozen=True)
class Hit:
    """A row that was found. `score` is the channel's own: similarity in [-1, 1] by vector, BM25 by text."""

    kind: str
    id: str
    text: str
    at: datetime
    score: float
    agent: str | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()
    importance: float = 0.5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Search:
    """One query: by `vector` (its `limit` nearest), by `keywords` (BM25 over any of them), or by the filter alone."""

    filter: Filter
    limit: int
    vector: npt.NDArray[np.float32] | None = None
    keywords: tuple[str, ...] = ()
    context_weight: float = 0.3
    """What a keyword counts when it stands in a row's context, beside 1 in its own text."""

    def command(self, ns: Namespace) -> list[Any]:
        """The command whose reply `hits` reads."""
        words, params = self._query(ns)
        if self.vector is not None:
            returned: tuple[str, ...] = ("d", *_RETURNED)
        else:
            returned = _RETURNED
            words.append("WITHSCORES")
        return [*words, "LIMIT", 0, self.limit, "RETURN", len(returned), *returned, *params, "DIALECT", 2]

    def key_command(self, ns: Namespace) -> list[Any]:
        """The command whose reply is the count and the keys of the rows, best first."""
        words, params = self._query(ns)
        return [*words, "NOCONTENT", "LIMIT", 0, self.limit, *params, "DIALECT", 2]

    def _query(self, ns: Namespace) -> tuple[list[Any], list[Any]]:
        where = self.filter.expression(ns)
        if self.vector is not None:
            query = f"({where})=>[KNN {self.limit} @v $v AS d]"
            return ["FT.SEARCH", INDEX_ALIAS, query, "SORTBY", "d", "ASC"], [
                "PARAMS",
                2,
                "v",
                vector_bytes(self.vector),
            ]
        if self.keywords:
            where = any_of(self.keywords, where, {"t": 1.0, "c": self.context_weight})
        return ["FT.SEARCH", INDEX_ALIAS, where, "SCORER", "BM25STD"], []

    def hits(self, reply: Sequence[Any]) -> list[Hit]:
        if self.vector is not None:
            rows = [_pairs(fields) for fields in reply[2::2]]
            return [_hit(row, 1.0 - float(row[b"d"])) for row in rows if row]
        return [
            _hit(_pairs(fields), float(score)) for score, fields in zip(reply[2::3], reply[3::3], strict=True) if fields
        ]


def any_of(keywords: Sequence[str], where: str, fields: Mapping[str, float]) -> str:
    """The query for rows within the filter `where` that hold any of the keywords in any of the fields, each at its
    weight.

    Each keyword is bound to the filter by itself: RediSearch reads a union that stands beside a filter only up to its
    first match, so that a row's other keywords would not count. The filter weighs nothing: its tags would be scored as
    words are, and one that nearly all rows hold gets an absurd weight while rows that were rewritten wait for the
    index's garbage collection.
    """
    return " | ".join(
        f"((@{field}:{keyword} => {{$weight: {weight}}}) (({where}) => {{$weight: 0}}))"
        for field, weight in fields.items()
        for keyword in keywords
    )


def search(ns: Namespace, searches: Sequence[Search]) -> list[list[Hit]]:
    """Run the searches in one round trip; a list of hits for each, best first."""
    pipe = ns.client.pipeline(transaction=False)
    for one in searches:
        pipe.execute_command(*one.command(ns))
    replies = pipe.execute()
    return [one.hits(reply) for one, reply in zip(searches, replies, strict=True)]


def _pairs(fields: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(fields[::2], fields[1::2], strict=True)) if fields else {}


def _hit(row: dict[bytes, bytes], score: float) -> Hit:
    return Hit(
        kind=row[b"k"].decode(),
        id=row[b"id"].decode(),
        text=row[b"text"].decode(),
        at=from_micros(float(row[b"at"])),
        score=score,
        agent=_id(row.get(b"a")),
        session=_id(row.get(b"s")),
        participants=tuple(decode(part) for part in row[b"p"].split(b",")) if b"p" in row else (),
        importance=float(row[b"im"]),
        valid_from=_moment(row.get(b"vf")),
        valid_to=_moment(row.get(b"vt")),
        sources=tuple(json.loads(row[b"src"])) if b"src" in row else (),
    )


def _id(value: bytes | None) -> str | None:
    return None if value is None else decode(value)


def _moment(value: bytes | None) -> datetime | None:
    micros = float(value) if value else 0
    return None if not 0 < micros < FOREVER else from_micros(micros)
