"""Draining a topic: claim a batch, work on it, and give back or bury what fails."""

import logging
from collections.abc import Callable, Sequence

from reverie.config.errors import ReverieError
from reverie.pipelines.base import KnowledgeBase
from reverie.store import work

log = logging.getLogger("reverie.workers")

Work = Callable[[KnowledgeBase, Sequence[str]], object]
"""Does the work of some entries of a topic and ends it; what it returns is printed."""


def drain(kb: KnowledgeBase, topic: str, do: Work) -> str:
    """Claim one batch and work on it; another worker is woken for the rest, so that a backlog spreads over all.

    A batch that fails is tried entry by entry, so that one bad entry holds up no other. What fails is given back with
    a growing delay, and becomes a dead letter after `work_attempts`.
    """
    settings = kb.settings
    claims, more = work.claim(kb.space, topic, kb.clock(), settings.work_lease, settings.work_batch)
    if not claims:
        return "nothing to do"
    if more:
        kb.wake(topic, kb.namespace)
    try:
        return str(do(kb, [claim.entry for claim in claims]))
    except Exception as error:  # noqa: BLE001  # whatever a message does to a library, the others go on
        if len(claims) == 1:
            return _failed(kb, topic, claims[0], error)
    failures = []
    for claim in claims:
        try:
            do(kb, [claim.entry])
        except Exception as error:  # noqa: BLE001  # as above
            failures.append(_failed(kb, topic, claim, error))
    return f"{len(claims) - len(failures)} done one by one; {'; '.join(failures)}"


def _failed(kb: KnowledgeBase, topic: str, claim: work.Claim, error: Exception) -> str:
    # The type alone for errors of libraries: their texts may quote what a user wrote.
    reason = str(error) if isinstance(error, ReverieError) else type(error).__name__
    log.warning("%s %s failed (attempt %d): %s", topic, claim.entry, claim.attempt, reason)
    if claim.attempt >= kb.settings.work_attempts:
        work.bury(kb.space, topic, claim.entry, reason, claim.attempt, kb.clock())
        return f"{claim.entry} is a dead letter: {reason}"
    work.retry(kb.space, topic, claim, kb.clock(), kb.settings.work_backoff)
    return f"{claim.entry} will be tried again: {reason}"
