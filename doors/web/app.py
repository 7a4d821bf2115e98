"""The application: its pages, who may see them, and what an error looks like."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from reverie import Memory
from reverie.config.errors import NotFound, ReverieError, StoreError, ValidationFailed
from reverie.web import agents, conversations, cycles, erasing, facts, graph, live, now, recall, things
from reverie.web.access import COOKIE, Access, AccessMiddleware
from reverie.web.pages import HERE, page


def create_app(memory: Memory, access: Access) -> Starlette:
    """The explorer as an ASGI application, to be served by itself or mounted in another.

    memory: a memory of the server whose namespaces are shown; it stays the caller's to close.
    access: the password, the host names that are answered, and the sessions.
    """
    app = Starlette(
        routes=[
            Route("/", _first),
            Route("/login", _login),
            Route("/logout", _log_out, methods=["POST"]),
            *now.routes,
            *things.routes,
            *facts.routes,
            *conversations.routes,
            *agents.routes,
            *graph.routes,
            *recall.routes,
            *cycles.routes,
            *erasing.routes,
            *live.routes,
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(AccessMiddleware, access=access)],
        exception_handlers={ReverieError: _failed, 404: _unknown, 405: _unknown},
    )
    app.state.memory = memory
    app.state.access = access
    return app


def _first(request: Request) -> Response:
    memory: Memory = request.app.state.memory
    prefix = request.query_params.get("prefix", "").strip()
    found = memory.browse.namespaces(prefix=prefix, cursor=request.query_params.get("after") or None)
    return page(request, "namespaces.html", found=found, prefix=prefix)


def _login(request: Request) -> Response:
    given = request.query_params
    failed = "failed" in given
    return page(request, "login.html", status=403 if failed else 200, goal=given.get("next", "/"), failed=failed)


def _log_out(request: Request) -> Response:
    access: Access = request.app.state.access
    access.log_out(request.cookies.get(COOKIE, ""))
    return RedirectResponse(f"{request.scope.get('root_path', '')}/login", 303)


def _failed(request: Request, error: Exception) -> Response:
    status = 500
    if isinstance(error, NotFound):
        status = 404
    elif isinstance(error, ValidationFailed):
        status = 400
    elif isinstance(error, StoreError):
        status = 503
    return page(request, "error.html", status=status, message=str(error))


def _unknown(request: Request, error: Exception) -> Response:  # noqa: ARG001  # Starlette passes it
    return page(request, "error.html", status=404, message="There is no such page.")
