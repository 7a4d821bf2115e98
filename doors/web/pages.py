"""Pages made from templates, with what every page shows around its own part."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reverie import Memory
from reverie.config.errors import ValidationFailed
from reverie.web import text

HERE = Path(__file__).parent

_AREAS = (
    ("/now", "Now", "n"),
    ("/things", "People and things", "p"),
    ("/conversations", "Conversations", "c"),
    ("/agents", "Agents", "a"),
    ("/graph", "Graph", "g"),
    ("/recall", "Recall", "r"),
    ("/cycles", "Cycles and schedule", "y"),
)
"""Path, name and key of each part of the explorer."""

_environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {
    "shown": text.shown,
    "moment": text.moment,
    "span": text.span,
    "counted": text.counted,
    "visible": text.named,
}
_environment.globals |= {"told": text.told}


def memory_of(request: Request) -> Memory:
    """The memory of the namespace that a page is about. Raises ValidationFailed."""
    first: Memory = request.app.state.memory
    name = request.query_params.get("namespace")
    if name is None:
        raise ValidationFailed("namespace", "the address names no namespace; choose one on the first page")
    return first.beside(name)


def address(request: Request, path: str, **parameters: object) -> str:
    """The address of another page of the same namespace."""
    root = request.scope.get("root_path", "")
    namespace = {"namespace": request.query_params["namespace"]} if "namespace" in request.query_params else {}
    given = {name: str(value) for name, value in parameters.items() if value is not None and value != ""}
    query = urlencode(namespace | given)
    return f"{root}{path}?{query}" if query else f"{root}{path}"


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """A whole page, or a part of one that a script asked for."""

    def url(path: str, **parameters: object) -> str:
        return address(request, path, **parameters)

    around: Mapping[str, Any] = {
        "url": url,
        "root": request.scope.get("root_path", ""),
        "path": request.url.path.removeprefix(request.scope.get("root_path", "")),
        "areas": _AREAS,
        "namespace": request.query_params.get("namespace"),
        "csrf_token": getattr(request.state, "csrf_token", ""),
    }
    return HTMLResponse(_environment.get_template(template).render({**around, **values}), status)


def back_to(request: Request, path: str, **parameters: object) -> Response:
    """After a change: on to the page that shows it, so that loading that page again changes nothing."""
    return RedirectResponse(address(request, path, **parameters), 303)
