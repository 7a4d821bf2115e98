"""Cycles and schedule: what consolidation did, what runs when, and work that was given up."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.config.errors import NotFound
from reverie.config.task_names import TOPIC_TASKS
from reverie.store import runs, waiting, work
from reverie.web.asked import field, number
from reverie.web.pages import back_to, memory_of, page
from reverie.workers.schedule import SCHEDULE

_CYCLES = 20


def _cycles(request: Request) -> Response:
    memory = memory_of(request)
    ns, now = memory.ctx.ns, datetime.now(UTC)
    agent = request.query_params.get("agent", "").strip()
    newest = number(request, "newest", _CYCLES, 1000)
    last = runs.last(ns)
    schedule = []
    for one in SCHEDULE:
        planned, due = waiting.totals(ns, one.topics, one.due, now)
        schedule.append((one, one.every(memory.settings).total_seconds(), last.get(one.task), planned, due))
    return page(
        request,
        "cycles.html",
        cycles=memory.cycles(agent or None, newest=newest),
        newest=newest,
        schedule=schedule,
        letters=work.dead_letters(ns),
        topics=tuple(TOPIC_TASKS),
        agent=agent,
    )


def _cycle(request: Request) -> Response:
    memory = memory_of(request)
    id = request.query_params.get("id", "")
    cycle = memory.cycles.get(id)
    if cycle is None:
        raise NotFound("cycle", id)
    return page(request, "cycle.html", cycle=cycle)


def _preview(request: Request) -> Response:
    """What the next cycles of an agent would do; nothing is written."""
    memory = memory_of(request)
    agent = request.query_params.get("agent", "").strip()
    return page(request, "preview.html", agent=agent, planned=memory.agent(agent).consolidate(dry_run=True))


def _run(request: Request) -> Response:
    memory = memory_of(request)
    agent = field(request, "agent")
    memory.agent(agent).consolidate()
    return back_to(request, "/cycles", agent=agent)


def _undo(request: Request) -> Response:
    id = field(request, "id")
    memory_of(request).cycles.undo(id)
    return back_to(request, "/cycle", id=id)


def _retry(request: Request) -> Response:
    memory = memory_of(request)
    letter = _letter(request)
    work.revive(memory.ctx.ns, letter, datetime.now(UTC))
    memory.ctx.wake(letter.topic, memory.namespace)
    return back_to(request, "/cycles")


def _drop(request: Request) -> Response:
    work.drop(memory_of(request).ctx.ns, _letter(request).id)
    return back_to(request, "/cycles")


def _letter(request: Request) -> work.DeadLetter:
    id = field(request, "id")
    for letter in work.dead_letters(memory_of(request).ctx.ns):
        if letter.id == id:
            return letter
    raise NotFound("dead letter", id)


routes = [
    Route("/cycles", _cycles),
    Route("/cycle", _cycle),
    Route("/cycles/preview", _preview),
    Route("/cycles/run", _run, methods=["POST"]),
    Route("/cycle/undo", _undo, methods=["POST"]),
    Route("/letter/retry", _retry, methods=["POST"]),
    Route("/letter/drop", _drop, methods=["POST"]),
]
