"""People and things: all that is known of, and the page of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import Memory
from reverie.knowledge.versions import believed
from reverie.pipelines import facts
from reverie.pipelines.entities import MentionedEntity, entities
from reverie.pipelines.instructions import instructions
from reverie.store.records.facts import FactRecord
from reverie.web.asked import moment, number
from reverie.web.pages import memory_of, page

_LISTED = 100
"""Names on a page of the list."""
_SORTED = 2000
"""Names that are sorted by how often they are mentioned, which reads them all; more are paged by when they were met."""
_FACTS = 200
"""Facts of one thing that are shown, and bars of its timeline: more would not be read."""


@dataclass(frozen=True)
class Bar:
    """A time in which a fact held, on the timeline: `start` and `width` in per cent of the whole."""

    fact_id: str
    content: str
    start: float
    width: float
    is_open: bool


@dataclass(frozen=True)
class Timeline:
    """When the facts of a thing held, from `first` to `last`, and from when on any was known."""

    first: datetime
    last: datetime
    known: datetime
    bars: Sequence[Bar]


def _things(request: Request) -> Response:
    memory = memory_of(request)
    name, kind = request.query_params.get("name", "").strip(), request.query_params.get("type", "").strip()
    total = memory.browse.counts().get("entity", 0)
    if total > _SORTED:
        newest = memory.browse.entities(
            type=kind or None,
            name=name or None,
            newest_first=True,
            limit=_LISTED,
            cursor=request.query_params.get("after") or None,
        )
        found, after, order = list(newest.items), newest.cursor, "those met last first"
    else:
        found, order = _mentioned(memory, name, kind), "the most mentioned first"
        skip = number(request, "after")
        after = str(skip + _LISTED) if len(found) > skip + _LISTED else None
        found = found[skip : skip + _LISTED]
    return page(request, "things.html", found=found, total=total, order=order, after=after, name=name, type=kind)


def _mentioned(memory: Memory, name: str, kind: str) -> list[MentionedEntity]:
    """The entities whose name, or a nickname of theirs, holds `name`, the most mentioned first."""
    wanted = name.casefold()
    return [
        one
        for one in entities(memory.ctx.ns, type=kind or None)
        if any(wanted in called.casefold() for called in (one.name, *one.aliases))
    ]


def _thing(request: Request) -> Response:
    memory = memory_of(request)
    name = request.query_params.get("name", "")
    valid, known = moment(request, "valid"), moment(request, "known")
    shown = memory.facts(name, valid_as_of=valid, known_as_of=known)
    about = memory.facts(object=name, valid_as_of=valid, known_as_of=known)
    return page(
        request,
        "thing.html",
        name=name,
        facts=shown[-_FACTS:][::-1],
        left_out=max(0, len(shown) - _FACTS),
        about=about[-_FACTS:][::-1],
        timeline=_timeline(facts.records(memory.ctx.ns, subject=name), known or datetime.now(UTC)),
        instructions=instructions(memory.ctx, giver=name) if name else [],
        valid=valid,
        known=known,
    )


def _timeline(records: Sequence[FactRecord], known: datetime) -> Timeline | None:
    """The times in which facts held, by what was known then; None when nothing was known."""
    now = datetime.now(UTC)
    spans = [
        (record, version.valid_from, version.valid_to)
        for record in records
        for version in believed(record.versions, known)
    ]
    if not spans:
        return None
    first = min(start for _, start, _ in spans)
    last = max([now, *(end for _, _, end in spans if end is not None)])
    whole = (last - first).total_seconds() or 1.0
    bars = []
    for record, start, end in sorted(spans, key=lambda one: one[1])[-_FACTS:]:
        length = ((end or last) - start).total_seconds()
        bars.append(
            Bar(
                fact_id=record.id,
                content=record.content,
                start=100 * (start - first).total_seconds() / whole,
                # No bar is so short that it cannot be seen.
                width=max(0.6, 100 * max(0.0, length) / whole),
                is_open=end is None,
            )
        )
    return Timeline(first, last, min(record.recorded_at for record in records), bars)


routes = [Route("/things", _things), Route("/thing", _thing)]
