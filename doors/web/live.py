"""What happens while a page is open: a stream that says when something changed, or was erased."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from hashlib import blake2b

import anyio
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from reverie import Memory
from reverie.config.errors import StoreError
from reverie.config.task_names import TOPIC_TASKS
from reverie.store import facts, stats
from reverie.web.pages import memory_of

_EVERY = 1.0
"""Seconds between two looks: a look takes a few milliseconds, and nobody reads faster."""


def _live(request: Request) -> Response:
    memory = memory_of(request)
    return StreamingResponse(changes(request, memory), media_type="text/event-stream")


async def changes(request: Request, memory: Memory) -> AsyncIterator[str]:
    """An event "changed" when the figures are others than a second ago, and "erased" when the namespace is gone."""
    before = await run_sync(_figures, memory)
    yield "retry: 3000\n\n"
    was_there = before is not None
    while not await request.is_disconnected():
        await anyio.sleep(_EVERY)
        now = await run_sync(_figures, memory)
        if was_there and now is None:
            yield "event: erased\ndata: erased\n\n"
            return
        was_there = was_there or now is not None
        yield "event: changed\ndata: changed\n\n" if now != before else ": nothing new\n\n"
        before = now


def _figures(memory: Memory) -> str | None:
    """A digest of what waits and what was learned last; None when the namespace holds nothing, "" when Redis is out."""
    ns = memory.ctx.ns
    try:
        if not ns.is_registered():
            return None
        lags = stats.lag(ns, list(TOPIC_TASKS), datetime.now(UTC))
        newest = ns.sources("OF", "fact", facts.EVERY, newest=1)
        told = [(topic, lag.waiting, lag.due) for topic, lag in lags.items()]
    except StoreError:
        return ""
    return blake2b(repr((told, newest)).encode(), digest_size=16).hexdigest()


routes = [Route("/live", _live)]
