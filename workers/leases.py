"""Leases that last as long as the work does."""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from reverie.config.errors import StoreUnavailable
from reverie.pipelines.context import Context
from reverie.store import work

log = logging.getLogger("reverie.workers")

_PART = 3
"""A lease is renewed after a third of it, so that two renewals may be late before another worker takes the work."""


@contextmanager
def renewed(ctx: Context, topic: str, claims: Sequence[work.Claim]) -> Iterator[None]:
    """Renew the lease of these claims for as long as the block runs.

    A process that dies renews nothing any more, so that what it had claimed comes back after one lease. So does the
    work of a process that hangs: Celery's time limit ends its task.
    """
    ended = threading.Event()
    lease = ctx.settings.work_lease

    def renew() -> None:
        held = list(claims)
        while not ended.wait(lease.total_seconds() / _PART):
            try:
                held = work.renew(ctx.ns, topic, held, ctx.clock() + lease)
            except StoreUnavailable as error:
                log.warning("a lease was not renewed: %s", error)

    thread = threading.Thread(target=renew, name="reverie-leases", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
