"""One fact: its versions, what it rests on, what it closed; and the forms that correct, end and retract it."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.config.errors import NotFound
from reverie.store.records.conversation import MessageRecord
from reverie.web.asked import field
from reverie.web.pages import back_to, memory_of, page

_MESSAGES = 50
"""Messages behind a fact that are shown, the newest."""


def _fact(request: Request) -> Response:
    memory = memory_of(request)
    id = request.query_params.get("id", "")
    fact = memory.facts.get(id)
    if fact is None:
        raise NotFound("fact", id)
    shown = fact.messages[-_MESSAGES:]
    messages = [one for one in memory.ctx.ns.get_many(MessageRecord, shown) if one is not None]
    closed = [memory.facts.get(one) for one in memory.ctx.ns.targets_of_many("fact", [id], "INVALIDATES")[0]]
    return page(
        request,
        "fact.html",
        fact=fact,
        holds=bool(memory.facts(fact.subject, fact.predicate, fact.object)),
        history=memory.facts.history(id),
        messages=messages,
        left_out=max(0, len(fact.messages) - _MESSAGES),
        replaced_by=[one for one in map(memory.facts.get, fact.invalidated_by) if one is not None],
        closed=[one for one in closed if one is not None],
        agent=request.app.state.access.name,
    )


def _correct(request: Request) -> Response:
    memory = memory_of(request)
    id, reason = field(request, "id"), field(request, "reason") or None
    replaced = memory.facts.correct(id, field(request, "object"), reason=reason)
    return back_to(request, "/fact", id=replaced.fact_id)


def _retract(request: Request) -> Response:
    memory = memory_of(request)
    id = field(request, "id")
    memory.facts.retract(id, reason=field(request, "reason") or None)
    return back_to(request, "/fact", id=id)


def _end(request: Request) -> Response:
    memory = memory_of(request)
    id = field(request, "id")
    agent = memory.agent(request.app.state.access.name)
    agent.invalidate_fact(id, reason=field(request, "reason") or None)
    return back_to(request, "/fact", id=id)


def _assert(request: Request) -> Response:
    memory = memory_of(request)
    agent = memory.agent(request.app.state.access.name)
    subject, predicate = field(request, "subject"), field(request, "predicate")
    written = agent.assert_fact(subject, predicate, field(request, "object") or None)
    return back_to(request, "/fact", id=written.fact_id)


routes = [
    Route("/fact", _fact),
    Route("/fact/correct", _correct, methods=["POST"]),
    Route("/fact/retract", _retract, methods=["POST"]),
    Route("/fact/end", _end, methods=["POST"]),
    Route("/fact/assert", _assert, methods=["POST"]),
]
