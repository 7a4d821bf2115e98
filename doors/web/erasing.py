"""Erasing for good: what would go is said first, and the proof afterwards."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import Memory
from reverie.config.errors import ValidationFailed
from reverie.web.asked import field
from reverie.web.pages import memory_of, page

_KINDS = ("message", "episode", "action", "fact", "session", "participant", "user", "namespace")


def _ask(request: Request) -> Response:
    memory = memory_of(request)
    what = _what(memory, request.query_params.get("kind", ""), request.query_params.get("id", ""))
    return page(request, "erase.html", what=what, would=memory.would_forget(**what), kinds=_KINDS)


def _erase(request: Request) -> Response:
    memory = memory_of(request)
    what = _what(memory, field(request, "kind"), field(request, "id"))
    [(kind, id)] = what.items()
    if field(request, "sure") != id:
        raise ValidationFailed("sure", f"type {id!r} to say that it is meant; nothing was erased")
    report = memory.forget(**what, verify=True, wait=True, progress=None)
    return page(request, "erased.html", kind=kind, id=id, report=report)


def _what(memory: Memory, kind: str, id: str) -> dict[str, str]:
    if kind not in _KINDS:
        raise ValidationFailed("kind", f"is none of {', '.join(_KINDS)}")
    return {kind: memory.namespace if kind == "namespace" else id}


routes = [Route("/erase", _ask), Route("/erase", _erase, methods=["POST"])]
