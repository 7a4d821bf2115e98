"""A round: one sweep over every namespace in which something is to be done, within one budget."""

import logging
import random
from collections.abc import Callable

from celery.exceptions import SoftTimeLimitExceeded

from reverie.config.errors import EmbedderMismatch, StoreUnavailable
from reverie.config.settings import Settings
from reverie.pipelines.context import Context
from reverie.pipelines.sweeps import Budget, Swept
from reverie.store import locks, waiting
from reverie.workers import runtime
from reverie.workers.app import app
from reverie.workers.quiet import IDLE

log = logging.getLogger("reverie.workers")

Where = Callable[[Context], list[str]]
"""The namespaces in which something is to be done; any context of the Redis will do to ask."""


def due_in(name: str) -> Where:
    """Where anything of a due set is due."""
    return lambda anywhere: waiting.where(anywhere.ns, name, anywhere.clock())


def make_round(task: str, where: Where, sweep: Callable[[Context, Budget], Swept], what: str) -> str:
    """Sweep everywhere; what it did, in words. When something is left, `task` is sent again at once.

    One round of a task at a time: two would keep Redis twice as busy as one may, and the workers from all else. Two do
    no harm otherwise, such as when one is slow: whoever comes second finds an id settled. Raises StoreUnavailable,
    EmbedderMismatch.
    """
    anywhere = runtime.connection().context("reverie")
    with locks.singleflight(anywhere.ns, f"round {task}", 2 * anywhere.settings.sweep_time) as turn:
        if turn is None:
            return "another worker is at it"
        names = where(anywhere)
        if not names:
            return IDLE
        swept, failures = _sweep(names, sweep, anywhere.settings)
    if swept.done and swept.left:
        app.send_task(task)
    return "; ".join([f"{swept.done} {what} in {len(names)} namespaces, {swept.left} left", *failures])


def _sweep(names: list[str], sweep: Callable[[Context, Budget], Swept], settings: Settings) -> tuple[Swept, list[str]]:
    # Not always the same first: a namespace that is never done would starve all after it.
    random.shuffle(names)
    swept, failures = Swept(), []
    budget = Budget(settings.sweep_items, settings.sweep_time.total_seconds())
    for namespace in names:
        try:
            swept += sweep(runtime.context(namespace), budget)
        except EmbedderMismatch:
            # The index was rebuilt under this process: the next task opens it anew.
            runtime.close()
            raise
        except (StoreUnavailable, SoftTimeLimitExceeded):
            raise
        except Exception as error:  # noqa: BLE001  # whatever one namespace holds, the others go on
            # The type alone: its text may quote what a user wrote.
            failures.append(f"failed in {namespace!r}: {type(error).__name__}")
            log.warning("a sweep %s", failures[-1])
    return swept, failures
