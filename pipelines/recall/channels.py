"""The searches of a phase: by meaning, by words and within the time that the question names."""

from datetime import datetime
from typing import TYPE_CHECKING

from reverie.pipelines.recall.intent import Intent
from reverie.pipelines.recall.query import Phase, Query
from reverie.pipelines.recall.windows import Window
from reverie.store.search import Filter, Search

if TYPE_CHECKING:
    from reverie.models.embedders import Vector

_DEPTH = 120
"""Messages that each channel may bring; of everything else it is `_OTHERS`."""
_OTHERS = 40
_FACTS_WITHIN = 400
"""Facts that each channel brings to a recall that is bound to sessions or participants."""
_YEARS_BACK = 4
"""How many years of "in May" are searched."""


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
            found += _searches(query, intent, bounds(query, group, phase), max(depth, 2 * query.limit), words, vector)
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


def bounds(query: Query, kinds: tuple[str, ...], phase: Phase) -> Filter:
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
    return Filter(**{**where.__dict__, "since": low, "until": high})


def _spans(window: Window, at: datetime) -> list[tuple[datetime, datetime | None]]:
    if not window.yearless or window.end is None:
        return [(window.start, window.end)]
    length = window.end - window.start
    starts = window.starts(window.start.year, _YEARS_BACK)
    return [(start, start + length) for start in starts if start <= at]
