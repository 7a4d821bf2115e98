"""Gathering the candidates of a recall: searches by meaning, by words and within a time, and a walk over the edges.

Each phase adds what its searches find. What may not answer, such as the question itself, is left out as it is read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from reverie.knowledge.ids import entity_id
from reverie.pipelines.recall.question import Intent, Phase, Query, is_question
from reverie.pipelines.recall.windows import EARLIEST, Window
from reverie.store import timeline
from reverie.store.adjacency import Node, neighbours
from reverie.store.hits import Hit, admits, read, row_keys
from reverie.store.namespace import Namespace
from reverie.store.search import Filter, Search, find

if TYPE_CHECKING:
    from reverie.models.embedders import Vector

_DEPTH = 120
"""Messages that each channel may bring; of everything else it is `_OTHERS`."""
_OTHERS = 40
_FACTS_WITHIN = 400
"""Facts that each channel brings to a recall that is bound to sessions or participants."""
_YEARS_BACK = 4
"""How many years of "in May" are searched."""
_TOLD_AROUND = timedelta(days=2)
"""What happened in a time is mostly told within it, or the day after; plans are told of the day before."""
_SINCE_ASKED = 4
"""Newest messages of a session among which the question is looked for: calls and their results may follow it."""

_INCOMING: Mapping[str, Sequence[tuple[str, str]]] = {
    "entity": (("MENTIONS", "message"), ("ABOUT", "observation")),
    "message": (("OBSERVED_IN", "observation"), ("STATED_IN", "fact"), ("TRIGGERED_BY", "action")),
    "observation": (("SUPPORTED_BY", "fact"),),
    "action": (("INVOLVES", "episode"), ("NEXT_ACTION", "action")),
    "goal": (("PART_OF", "task"),),
}
"""Edges that the walk follows backwards, by the kind they point to."""
_HUBS = frozenset({"participant", "session", "phase", "term", "cycle"})
"""Kinds that nearly everything points to; nothing is learned by passing through them."""
_STEPS = 2
_WIDTH = 48
_FRONTIER = 24
_PASSED_ON = 0.85
_SEEDS = 8
_MOST_REACHED = 40
"""Rows that the walk may bring."""


@dataclass(frozen=True)
class Found:
    """The rows that channels found for a phase."""

    channels: Sequence[tuple[str, Sequence[bytes]]]
    """Each channel with the keys it found, best first; a channel may stand here more than once."""
    rows: Mapping[bytes, Hit]
    """Those of them that are there and no candidates yet, by key."""


class Candidates:
    """The rows found so far that may answer, each once, and which channel found it at which rank."""

    def __init__(self, ns: Namespace, query: Query, intent: Intent) -> None:
        self.rows: list[Hit] = []
        self.phases: dict[bytes, Phase] = {}
        """By row key the phase that brought it."""
        self.ranks: dict[bytes, dict[str, int]] = defaultdict(dict)
        """By row key its rank from 1 in each channel that found it."""
        self.near: dict[bytes, float] = {}
        """By row key its share of the walk's activation."""
        self._ns = ns
        self._query = query
        self._intent = intent
        self._excluded = frozenset(query.exclude)
        self._asked = _folded(query.text)
        # What is no question may be a sentence that is looked up.
        self._is_asking = is_question(query.text)

    def search(
        self, phases: Mapping[Phase, tuple[str, ...]], words: tuple[str, ...], vector: "Vector | None"
    ) -> dict[Phase, Found]:
        """What the channels find among the kinds of each of these phases, in two round trips for all. Nothing of it is
        a candidate before it is added.
        """
        named = {
            phase: searches(self._query, self._intent, kinds, phase, words, vector) for phase, kinds in phases.items()
        }
        replies = iter(find(self._ns, [search for group in named.values() for _, search in group]))
        channels = {phase: [(channel, next(replies).keys) for channel, _ in group] for phase, group in named.items()}
        new = {key: None for group in channels.values() for _, keys in group for key in keys if key not in self.phases}
        rows = {row.key: row for row in read(self._ns, list(new), self._intent.keywords)}
        return {phase: Found(group, rows) for phase, group in channels.items()}

    def add(self, phase: Phase, found: Found, admit: Callable[[Hit], bool] | None = None) -> int:
        """Take in the rows that are new and may answer, as what this phase brought; how many came in."""
        new: dict[bytes, None] = {}
        for channel, keys in found.channels:
            for rank, key in enumerate(keys, 1):
                ranks = self.ranks[key]
                ranks[channel] = min(rank, ranks.get(channel, rank))
                if key not in self.phases:
                    new[key] = None
        rows = [found.rows[key] for key in new if key in found.rows]
        rows = self._admitted([row for row in rows if admit is None or admit(row)])
        self.rows += rows
        self.phases.update((row.key, phase) for row in rows)
        return len(rows)

    def walk(self, phase: Phase, kinds: tuple[str, ...]) -> None:
        """Spread activation over the edges from what the channels found, and add the rows of these kinds it reaches.

        With them come the messages that the observations found were drawn from.
        """
        reached = _spread(self._ns, _seeds(self._intent.names, self._foremost(_SEEDS)))
        wanted = {(kind, id): share for (kind, id), share in reached.items() if kind in kinds}
        self.near = {row_keys(self._ns, kind, [id])[0]: share for (kind, id), share in wanted.items()}
        nearest = sorted(self.near, key=lambda key: -self.near[key])
        fresh = [key for key in nearest if key not in self.phases][:_MOST_REACHED]
        where = _bounds(self._query, kinds, phase)
        said = self._said() if "message" in kinds else []
        new = [key for key in dict.fromkeys([*fresh, *said]) if key not in self.phases]
        rows = {row.key: row for row in read(self._ns, new, self._intent.keywords)}
        self.add(phase, Found([("graph", fresh), ("source", said)], rows), lambda row: admits(where, row))
        for rank, key in enumerate(nearest, 1):
            if key in self.phases:
                self.ranks[key].setdefault("graph", rank)

    def _foremost(self, most: int) -> list[Hit]:
        """The rows that stand highest in their channels, by reciprocal rank (1 / (60 + rank), summed)."""
        return sorted(self.rows, key=lambda row: -sum(1 / (60 + rank) for rank in self.ranks[row.key].values()))[:most]

    def _said(self) -> list[bytes]:
        """Keys of the messages that the observations found were drawn from."""
        ids = [source for row in self.rows if row.kind == "observation" for source in row.sources]
        return row_keys(self._ns, "message", dict.fromkeys(ids))

    # What may answer

    def _admitted(self, rows: Sequence[Hit]) -> list[Hit]:
        """The rows that may answer, in their order; one further round trip at most where it needs any.

        Left out are rows without words; those excluded by their id, or drawn from excluded messages alone; the newest
        message that a user said in its session when it is the question itself; and, where the recall is bound to
        sessions or participants, facts that nobody of these said in any of those.
        """
        kept = [row for row in rows if row.text.strip("\0 \n\t") and not self._is_excluded(row)]
        kept = self._without_question(kept)
        return self._said_within(kept) if self._query.is_bounded else kept

    def _is_excluded(self, row: Hit) -> bool:
        return row.id in self._excluded or (bool(row.sources) and self._excluded.issuperset(row.sources))

    def _without_question(self, rows: list[Hit]) -> list[Hit]:
        same = [row for row in rows if row.kind == "message" and self._is_the_question(row)]
        latest = {self._latest(session) for session in {row.session for row in same} if session is not None}
        asking = {row.key for row in same if row.id in latest}
        return [row for row in rows if row.key not in asking]

    def _is_the_question(self, row: Hit) -> bool:
        if not self._is_asking:
            return False
        said = _folded(row.text)
        # Of a long text only the beginning was read.
        return self._asked.startswith(said) if row.cut else self._asked == said

    def _latest(self, session: str) -> str | None:
        """Id of the newest message of a session that a user said, if it is among the last few."""
        newest = timeline.messages(self._ns, session, newest=_SINCE_ASKED)
        return next((message.id for message in reversed(newest) if message.role == "user"), None)

    def _said_within(self, rows: list[Hit]) -> list[Hit]:
        """A fact belongs to no session: it was said where the messages that it rests on were, by their senders."""
        facts = [row for row in rows if row.kind == "fact"]
        ids = list(dict.fromkeys(source for fact in facts for source in fact.sources))
        said = {one.id: one for one in read(self._ns, row_keys(self._ns, "message", ids))}
        within = {id for id, message in said.items() if self._is_within(message)}
        return [row for row in rows if row.kind != "fact" or not within.isdisjoint(row.sources)]

    def _is_within(self, message: Hit) -> bool:
        sessions, participants = self._query.sessions, self._query.participants
        return (sessions is None or message.session in sessions) and (
            participants is None or message.participants[:1] in {(one,) for one in participants}
        )


def _folded(text: str) -> str:
    return " ".join(text.replace("\0", " ").casefold().split())


# The searches of a phase


def searches(
    query: Query, intent: Intent, kinds: tuple[str, ...], phase: Phase, words: tuple[str, ...], vector: "Vector | None"
) -> list[tuple[str, Search]]:
    """Each channel's searches, named; those that the question gives nothing for are left out.

    Messages are searched apart from what was drawn from them, which would crowd them out. Facts belong to no session
    and to no participant: where a recall is bound to some, more of them are found, and judged when they are read.
    """
    found: list[tuple[str, Search]] = []
    apart = {"message": _DEPTH, "fact": _FACTS_WITHIN} if query.is_bounded else {"message": _DEPTH}
    others = tuple(kind for kind in kinds if kind not in apart)
    groups = [((kind,), depth) for kind, depth in apart.items() if kind in kinds]
    for group, depth in [*groups, (others, _OTHERS)]:
        if group:
            found += _searches(query, intent, _bounds(query, group, phase), max(depth, 2 * query.limit), words, vector)
    return found


def _searches(
    query: Query, intent: Intent, where: Filter, depth: int, words: tuple[str, ...], vector: "Vector | None"
) -> list[tuple[str, Search]]:
    found: list[tuple[str, Search]] = []
    if vector is not None and "vector" in query.channels:
        found.append(("vector", Search(where, depth, vector=vector)))
    if words and "text" in query.channels:
        found.append(("text", Search(where, depth, keywords=words)))
    if intent.window is not None and "time" in query.channels:
        for since, until in _spans(intent.window, query.at):
            within = _narrowed(where, since, until)
            if within is None:
                continue
            if words:
                found.append(("time", Search(within, depth // 2, keywords=words)))
            if vector is not None:
                found.append(("time", Search(within, depth // 2, vector=vector)))
    return found


def _bounds(query: Query, kinds: tuple[str, ...], phase: Phase) -> Filter:
    """What the rows of a phase must be, to be seen."""
    # Only claims have a validity; asking each message for one would cost its search a good deal.
    claims = phase == "compact"
    facts = kinds == ("fact",)
    return Filter(
        owner=query.agent,
        kinds=kinds,
        sessions=None if facts else query.sessions,
        participants=None if facts else query.participants,
        since=query.since,
        until=query.until,
        valid_as_of=query.valid_as_of if claims else None,
        known_as_of=query.known_as_of if claims else None,
    )


def _narrowed(where: Filter, since: datetime, until: datetime | None) -> Filter | None:
    low = since if where.since is None else max(since, where.since)
    highs = [end for end in (until, where.until) if end is not None]
    high = min(highs) if highs else None
    if high is not None and high <= low:
        return None
    return replace(where, since=low, until=high)


def _spans(window: Window, at: datetime) -> list[tuple[datetime, datetime | None]]:
    if window.end is None:
        return [(window.start, None)]
    if not window.yearless:
        return [_around(window.start, window.end)]
    length = window.end - window.start
    starts = window.starts(window.start.year, _YEARS_BACK)
    return [_around(start, start + length) for start in starts if start <= at]


def _around(start: datetime, end: datetime) -> tuple[datetime, datetime]:
    """A stretch with the days around it, in which what happens there is planned and told of."""
    before = _TOLD_AROUND if start - EARLIEST > _TOLD_AROUND else timedelta(0)
    return start - before, end + _TOLD_AROUND


# The walk: personalised PageRank by power iteration from its seeds, bounded in width, each step one round trip. A node
# passes its activation on in equal parts, so that one that everything is linked to passes on next to nothing.


def _seeds(names: Iterable[str], best: Sequence[Hit]) -> dict[Node, float]:
    """Where activation starts: half with the entities of these names, half with the best rows, falling with rank."""
    entities = [("entity", entity_id(name)) for name in names]
    started: dict[Node, float] = {entity: 0.5 / len(entities) for entity in entities}
    shares = [1 / (rank + 1) for rank in range(len(best))]
    for candidate, share in zip(best, shares, strict=True):
        started[candidate.kind, candidate.id] = 0.5 * share / sum(shares)
    return started


def _spread(ns: Namespace, started: Mapping[Node, float]) -> dict[Node, float]:
    """The activation of the nodes reached, seeds included."""
    reached: dict[Node, float] = defaultdict(float, started)
    frontier = dict(started)
    for _ in range(_STEPS):
        nodes = sorted(frontier, key=lambda node: -frontier[node])[:_FRONTIER]
        if not nodes:
            break
        passed: dict[Node, float] = defaultdict(float)
        for node, beside in zip(nodes, neighbours(ns, nodes, _INCOMING, _WIDTH), strict=True):
            share = _PASSED_ON * frontier[node] / max(1, beside.degree)
            for other in beside.nodes:
                if other[0] not in _HUBS:
                    passed[other] += share
        for node, share in passed.items():
            reached[node] += share
        frontier = passed
    return dict(reached)
