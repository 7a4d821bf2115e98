"""Draining a topic: claim a batch, work on it, and give back or bury what fails."""

import logging
from collections.abc import Callable, Sequence

from celery.exceptions import SoftTimeLimitExceeded

from reverie.config.errors import EmbedderMismatch, ReverieError, StoreBusy, StoreUnavailable
from reverie.pipelines.base import KnowledgeBase
from reverie.store import work
from reverie.workers import runtime

log = logging.getLogger("reverie.workers")

Work = Callable[[KnowledgeBase, Sequence[str]], object]
"""Does the work of some entries of a topic and ends it; what it returns is printed."""

_DEATHS = 3
"""A piece of work claimed so many times `work_attempts` never lived to fail: it takes its worker down with it."""


def drain(namespace: str, topic: str, do: Work, *, batch: int | None = None) -> str:
    """Claim one batch (of `work_batch` entries) and work on it.

    Another worker is woken for the rest, so that a backlog spreads over all.
    A batch that fails is tried entry by entry, so that one bad entry holds up no other; so is what was claimed before.
    What fails is given back with a growing delay, and becomes a dead letter after `work_attempts`. Raises
    StoreUnavailable, StoreBusy, EmbedderMismatch and SoftTimeLimitExceeded: what was claimed comes back then, after its
    lease.
    """
    kb = runtime.knowledge_base(namespace)
    settings = kb.settings
    claims, more = work.claim(kb.space, topic, kb.clock(), settings.work_lease, batch or settings.work_batch)
    if not claims:
        return "nothing to do"
    if more:
        kb.wake(topic, kb.namespace)
    try:
        return _drain(kb, topic, claims, do)
    except EmbedderMismatch:
        # The index was rebuilt under this process: the next task opens it anew.
        runtime.close()
        raise


def _drain(kb: KnowledgeBase, topic: str, claims: list[work.Claim], do: Work) -> str:
    fresh = [claim for claim in claims if claim.attempt == 1]
    single = [claim for claim in claims if claim.attempt > 1]
    told = []
    if fresh:
        result = _tried(do, kb, fresh)
        if isinstance(result, Exception):
            single = fresh + single
        else:
            told.append(str(result))
    failures = []
    for claim in single:
        if claim.attempt > _DEATHS * kb.settings.work_attempts:
            work.bury(kb.space, topic, claim.entry, "every worker died on it", claim.attempt, kb.clock())
            failures.append(f"{claim.entry} is a dead letter: every worker died on it")
            continue
        result = _tried(do, kb, [claim])
        if isinstance(result, Exception):
            failures.append(_failed(kb, topic, claim, result))
    if single:
        told.append(f"{len(single) - len(failures)} done one by one")
    return "; ".join(told + failures)


def _tried(do: Work, kb: KnowledgeBase, claims: Sequence[work.Claim]) -> object:
    """What `do` returns, or the error that is the entries' own; what is the machinery's is raised."""
    try:
        return do(kb, [claim.entry for claim in claims])
    except (StoreUnavailable, StoreBusy, EmbedderMismatch, SoftTimeLimitExceeded):
        raise
    except Exception as error:  # noqa: BLE001  # whatever a message does to a library, the others go on
        return error


def _failed(kb: KnowledgeBase, topic: str, claim: work.Claim, error: Exception) -> str:
    # The type alone for errors of libraries: their texts may quote what a user wrote.
    reason = str(error) if isinstance(error, ReverieError) else type(error).__name__
    log.warning("%s %s failed (attempt %d): %s", topic, claim.entry, claim.attempt, reason)
    if claim.attempt >= kb.settings.work_attempts:
        work.bury(kb.space, topic, claim.entry, reason, claim.attempt, kb.clock())
        return f"{claim.entry} is a dead letter: {reason}"
    work.retry(kb.space, topic, claim, kb.clock(), kb.settings.work_backoff)
    return f"{claim.entry} will be tried again: {reason}"
