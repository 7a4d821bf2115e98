"""Who may see the pages: a login, forms that only these pages can send, and headers that let nothing else in."""

import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from starlette.datastructures import URL
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp

COOKIE = "reverie_session"
CSRF_FIELD = "csrf_token"
CSRF_HEADER = "x-csrf-token"

_SESSIONS = 1000
"""Logins that are remembered; the one that was used longest ago goes first. A page is used by few people."""
_TRIES_A_MINUTE = 10
"""Wrong passwords in a minute before every further one is refused unread: guessing eight letters would take ages."""
_LONGEST_FORM = 1_000_000
"""Bytes of a form; the longest that somebody types is a question or a corrected value."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass
class Access:
    """The password of the pages, the hosts under which they answer, and who is logged in.

    password: what opens the pages, as a login or once in the address as `?token=`.
    name: under what name changes that are made here are written down.
    hosts: names in the address bar that are answered; others may be a foreign page that points its name here.
    is_secure: the pages are reached by HTTPS, so that the cookie goes nowhere else.
    """

    password: str
    name: str
    hosts: frozenset[str]
    is_secure: bool = False
    _sessions: "OrderedDict[str, str]" = field(default_factory=OrderedDict)
    _failures: "deque[float]" = field(default_factory=deque)

    def log_in(self, given: str) -> str | None:
        """A new session when the password is right, else None."""
        now = time.monotonic()
        while self._failures and now - self._failures[0] > 60:
            self._failures.popleft()
        if len(self._failures) >= _TRIES_A_MINUTE:
            return None
        if not hmac.compare_digest(given.encode(), self.password.encode()):
            self._failures.append(now)
            return None
        session = secrets.token_urlsafe(32)
        self._sessions[session] = secrets.token_urlsafe(32)
        while len(self._sessions) > _SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def log_out(self, session: str) -> None:
        self._sessions.pop(session, None)

    def csrf_token(self, session: str) -> str | None:
        """The token that forms of this session carry; None for a session that is not logged in."""
        token = self._sessions.get(session)
        if token is not None:
            self._sessions.move_to_end(session)
        return token

    def remember(self, response: Response, session: str, path: str) -> None:
        """Give the browser its session; scripts cannot read it, and no foreign page makes the browser send it."""
        response.set_cookie(COOKIE, session, path=path, httponly=True, samesite="strict", secure=self.is_secure)


class AccessMiddleware(BaseHTTPMiddleware):
    """Answers only known hosts, logged-in sessions, and changes that these pages asked for."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        super().__init__(app)
        self._access = access

    async def dispatch(self, request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await self._answer(request, call_next)
        for name, value in HEADERS.items():
            response.headers[name] = value
        if not request.url.path.startswith(f"{request.scope.get('root_path', '')}/static/"):
            response.headers["Cache-Control"] = "no-store"
        return response

    async def _answer(self, request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        root = request.scope.get("root_path", "")
        path = request.url.path.removeprefix(root)
        if _host(request) not in self._access.hosts:
            return PlainTextResponse("This server does not answer under that name.", 421)
        if request.method not in {"GET", "HEAD"} and not _is_small(request):
            return PlainTextResponse("A form of these pages is never that long.", 413)
        if path.startswith("/static/"):
            return await call_next(request)
        token = request.query_params.get("token")
        if token is not None and request.method == "GET":
            return self._enter(request, token, root)
        session = request.cookies.get(COOKIE, "")
        csrf = self._access.csrf_token(session)
        if request.method not in {"GET", "HEAD"} and not _is_same_origin(request):
            return PlainTextResponse("Changes are taken from these pages alone.", 403)
        if path == "/login":
            if request.method == "POST":
                return await self._log_in(request, root)
            return await call_next(request)
        if csrf is None:
            return _ask_to_log_in(request, root)
        request.state.csrf_token = csrf
        if request.method not in {"GET", "HEAD"}:
            # Read here, where it can be waited for, for the pages too: they run in threads.
            await request.body()
            request.state.form = await request.form()
            if not _carries(request, csrf):
                return PlainTextResponse("This form is of an earlier login: load its page again.", 403)
        return await call_next(request)

    async def _log_in(self, request: Request, root: str) -> Response:
        given = (await request.form()).get("password", "")
        session = self._access.log_in(given) if isinstance(given, str) else None
        goal = request.query_params.get("next", "/")
        if session is None:
            return RedirectResponse(f"{root}/login?failed=1&next={quote(goal)}", 303)
        # A path of these pages and nothing else: "//elsewhere" would be another host.
        safe = goal if goal.startswith("/") and not goal.startswith(("//", "/\\")) else "/"
        response = RedirectResponse(root + safe, 303)
        self._access.remember(response, session, root or "/")
        return response

    def _enter(self, request: Request, token: str, root: str) -> Response:
        """The token of the printed address: into the cookie, and out of the address bar."""
        session = self._access.log_in(token)
        if session is None:
            return _ask_to_log_in(request, root)
        clean: URL = request.url.remove_query_params("token")
        response = RedirectResponse(f"{clean.path}{'?' + clean.query if clean.query else ''}", 303)
        self._access.remember(response, session, root or "/")
        return response


def _host(request: Request) -> str:
    """The name under which the server was asked, without its port; "" when it is none."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_small(request: Request) -> bool:
    length = request.headers.get("content-length", "")
    return length.isdecimal() and int(length) <= _LONGEST_FORM


def _is_same_origin(request: Request) -> bool:
    """Browsers name the origin of what changes something; what names none is no browser, and has no cookie to lose."""
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    return urlsplit(origin).netloc == request.headers.get("host", "")


def _carries(request: Request, csrf: str) -> bool:
    given = request.headers.get(CSRF_HEADER, request.state.form.get(CSRF_FIELD))
    return isinstance(given, str) and hmac.compare_digest(given.encode(), csrf.encode())


def _ask_to_log_in(request: Request, root: str) -> Response:
    if request.headers.get("hx-request"):
        return Response(status_code=401, headers={"HX-Redirect": f"{root}/login"})
    path = request.url.path.removeprefix(root)
    return RedirectResponse(f"{root}/login?next={quote(path)}", 303)
