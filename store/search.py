"""Searching rows: which rows a search may see, what it looks for, and several searches in one round trip.

redisvl builds the queries. A search replies the keys of rows; `reverie.store.hits` reads the rows themselves, so that
searches that overlap read each row once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reverie.store.keys import INDEX_ALIAS, encode
from reverie.store.namespace import Namespace
from reverie.store.rows import SHARED, graph_tag, vector_bytes
from reverie.store.times import to_micros

if TYPE_CHECKING:
    from redisvl.query.filter import FilterExpression

# redisvl is imported where it is used: it takes a quarter of a second, which a process that only writes does without.


@dataclass(frozen=True)
class Filter:
    """Which rows a search may see. Every field narrows; None leaves its field open, and empty lets nothing through.

    `owner` is the agent that asks: it sees what is shared and what is its own, and no knowledge graph. `graph` is the
    tag of a graph, or of its log: the search sees the rows of that one alone. With neither, rows of the whole namespace
    are counted, and none is found. `current` claims alone: those that held at `valid_as_of` by what was believed at
    `known_as_of`; rows without validity always pass.
    """

    owner: str | None
    kinds: tuple[str, ...] | None = None
    sessions: tuple[str, ...] | None = None
    participants: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_as_of: datetime | None = None
    known_as_of: datetime | None = None
    graph: str | None = None

    def expression(self, ns: Namespace) -> "FilterExpression":
        """The filter in the query language; the namespace is always part of it. Raises ValueError for an empty id."""
        from redisvl.query.filter import FilterExpression, Num, Tag

        where = Tag("n") == ns.keys.tag
        if self.graph is not None:
            where &= Tag("o") == graph_tag(self.graph)
        elif self.owner is not None:
            where &= Tag("o") == [SHARED, encode(self.owner)]
        for field, ids in (("s", self.sessions), ("p", self.participants), ("a", self.agents)):
            if ids is not None:
                where &= Tag(field) == ([encode(id) for id in ids] or _NO_VALUE)
        if self.kinds is not None:
            where &= Tag("k") == (list(self.kinds) or _NO_VALUE)
        if self.since is not None and self.until is not None:
            where &= Num("at").between(to_micros(self.since), to_micros(self.until), inclusive="left")
        elif self.since is not None:
            where &= Num("at") >= to_micros(self.since)
        elif self.until is not None:
            where &= Num("at") < to_micros(self.until)
        for begin, end, at in (("vf", "vt", self.valid_as_of), ("rf", "rt", self.known_as_of)):
            if at is not None:
                # Not "began by then": what has no validity has no such field, and passes.
                moment = to_micros(at)
                where &= FilterExpression(f"-{Num(begin) > moment} -{Num(end) <= moment}")
        return where


_NO_VALUE = ["_none"]
"""What no row has: no encoded id holds an underscore before an n. An empty list of tags would let all through."""


@dataclass(frozen=True)
class Search:
    """One query: by `vector` (its `limit` nearest), by `keywords` (BM25 over any of them), or by the filter alone.

    With a `limit` of 0 rows are counted only.
    """

    filter: Filter
    limit: int
    vector: npt.NDArray[np.float32] | None = None
    keywords: tuple[str, ...] = ()
    context_weight: float = 0.3
    """What a keyword counts when it stands in a row's context, beside 1 in its own text; 0 does not look there."""

    def command(self, ns: Namespace) -> list[Any]:
        """The command whose reply is the count and the keys of the rows, best first.

        Raises ValueError for a search that would find rows without saying who asks.
        """
        from redisvl.query import CountQuery, FilterQuery, VectorQuery

        if self.limit and self.filter.owner is None and self.filter.graph is None:
            raise ValueError("a search for rows needs an owner or a graph")
        where = self.filter.expression(ns)
        if not self.limit:
            count = CountQuery(self._holding_any(where) if self.keywords else where)
            return ["FT.SEARCH", INDEX_ALIAS, *count.get_args()]
        if self.vector is not None:
            nearest = VectorQuery(
                vector_bytes(self.vector),
                "v",
                filter_expression=where,
                dtype="float16",
                num_results=self.limit,
                return_score=False,
            ).no_content()
            params = [part for pair in nearest.params.items() for part in pair]
            return ["FT.SEARCH", INDEX_ALIAS, *nearest.get_args(), "PARAMS", len(params), *params]
        found = FilterQuery(filter_expression=self._scored(where) if self.keywords else where, num_results=self.limit)
        return ["FT.SEARCH", INDEX_ALIAS, *found.scorer("BM25STD").no_content().get_args()]

    @cached_property
    def _fields(self) -> dict[str, float]:
        """The text fields that keywords are looked for in, and what one counts there."""
        return {"t": 1.0, "c": self.context_weight} if self.context_weight else {"t": 1.0}

    def _holding_any(self, where: "FilterExpression") -> "FilterExpression":
        from redisvl.query.filter import Text

        return where & (Text("|".join(self._fields)) % "|".join(self.keywords))

    def _scored(self, where: "FilterExpression") -> "FilterExpression":
        """Rows within the filter that hold any of the keywords in any of the fields, each at its weight.

        Each keyword is bound to the filter by itself: RediSearch reads a union that stands beside a filter only up to
        its first match, so that a row's other keywords would not count. The filter weighs nothing: its tags would be
        scored as words are, and one that nearly all rows hold gets an absurd weight while rows that were rewritten
        wait for the index's garbage collection. redisvl knows no weights, so that this is written out.
        """
        from redisvl.query.filter import FilterExpression

        within = f"(({where}) => {{$weight: 0}})"
        return FilterExpression(
            " | ".join(
                f"((@{field}:{keyword} => {{$weight: {weight}}}) {within})"
                for field, weight in self._fields.items()
                for keyword in self.keywords
            )
        )


@dataclass(frozen=True)
class Found:
    """What a search found: row keys, best first, and how many rows match in all."""

    keys: list[bytes]
    count: int


def find(ns: Namespace, searches: Sequence[Search]) -> list[Found]:
    """Run the searches in one round trip."""
    if not searches:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for one in searches:
        pipe.execute_command(*one.command(ns))
    replies = pipe.execute()
    return [Found(list(keys), int(count)) for count, *keys in replies]
