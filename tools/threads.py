"""Running a blocking call in a thread, so that an event loop goes on beside it."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

THREADS = 8
"""Calls that run at the same time in the threads of one event loop. They wait for Redis most of their time, and embed
the rest: on two cores more than eight only queue inside the embedder."""

T = TypeVar("T")
_limiters: RunVar[CapacityLimiter] = RunVar("reverie.tools.threads")


async def in_thread(call: Callable[[], T]) -> T:
    """What the call returns, from one of the loop's at most 8 threads.

    A call that is cancelled before its thread began is not made. One that runs is waited for, so that whoever cancelled
    never goes on while a write is still on its way.
    """
    limiter = _limiters.get(None)
    if limiter is None:
        limiter = CapacityLimiter(THREADS)
        _limiters.set(limiter)
    return await to_thread.run_sync(call, limiter=limiter)
