"""Now: what waits, what just became a fact, what failed and what to do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import Memory
from reverie.config.task_names import TOPIC_TASKS
from reverie.pipelines import facts
from reverie.store import facts as stored_facts
from reverie.store import fallbacks, stats, work
from reverie.store.records.conversation import MessageRecord
from reverie.web.pages import memory_of, page

_FACTS = 15

_WHAT = {
    "ingest": "messages to read",
    "chunks": "parts of long messages to read",
    "replaced": "messages to read once more",
    "embed": "texts to embed",
    "graph": "messages to put into a graph",
    "erasure": "messages to erase what was drawn from",
    "summaries": "sessions to summarise",
    "topics": "groups of topics to redraw",
    "procedures": "actions to learn from",
    "consolidate": "observations to weigh",
}


@dataclass(frozen=True)
class Waiting:
    """Work of one topic: what it is, how much of it waits, how much is due, and since how many seconds."""

    what: str
    waiting: int
    due: int
    seconds: float | None


def _now(request: Request) -> Response:
    memory = memory_of(request)
    template = "now_body.html" if request.headers.get("hx-request") else "now.html"
    return page(request, template, **_state(memory))


def _state(memory: Memory) -> dict[str, Any]:
    ns = memory.ctx.ns
    now = datetime.now(UTC)
    lags = stats.lag(ns, list(TOPIC_TASKS), now)
    waiting = [
        Waiting(_WHAT[topic], lag.waiting, lag.due, (now - lag.oldest).total_seconds() if lag.oldest else None)
        for topic, lag in lags.items()
        if lag.waiting
    ]
    newest = ns.sources("OF", "fact", stored_facts.EVERY, newest=_FACTS)
    learned = facts.views(memory.ctx, newest)[::-1]
    return {
        "holds": stats.rows_by_kind(ns),
        "waiting": waiting,
        "facts": learned,
        "lag": _lag(memory, [(fact.messages[-1], fact.recorded_at) for fact in learned if fact.messages]),
        "dead": work.dead_letters(ns),
        "unreadable": stats.unreadable_records(ns),
        "read_by_rules": fallbacks.count(ns),
        "spending": memory.spending(),
        "at": now,
    }


def _lag(memory: Memory, learned: Sequence[tuple[str, datetime]]) -> float | None:
    """Median seconds from the writing of a message to the fact that rests on it; None when there is none."""
    records = memory.ctx.ns.get_many(MessageRecord, [message for message, _ in learned])
    seconds = [
        (at - record.recorded_at).total_seconds()
        for record, (_, at) in zip(records, learned, strict=True)
        if record is not None and at >= record.recorded_at
    ]
    return median(seconds) if seconds else None


routes = [Route("/now", _now)]
