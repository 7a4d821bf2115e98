"""Draining a topic: take the namespace whose turn it is, claim a batch there, work on it, give back what fails."""

import logging
from collections.abc import Callable, Sequence

from celery.exceptions import SoftTimeLimitExceeded

from reverie.config.errors import EmbedderMismatch, ReverieError, StoreBusy, StoreUnavailable
from reverie.pipelines.context import Context
from reverie.store import waiting, work
from reverie.workers import runtime
from reverie.workers.leases import renewed

log = logging.getLogger("reverie.workers")

Work = Callable[[Context, Sequence[str]], object]
"""Does the work of some entries of a topic and ends it; what it returns is printed."""

_DEATHS = 3
"""A piece of work claimed so many times `work_attempts` never lived to fail: it takes its worker down with it."""


def drain(namespace: str | None, topic: str, do: Work, *, batch: int | None = None) -> str:
    """Claim one batch (of `work_batch` entries) where the topic has waited longest, and work on it; in words.

    One batch a task, and then it is another namespace's turn: another wake-up is sent while anything is due, so that a
    backlog spreads over all workers and holds up nobody else's work for longer than a batch. `namespace` is the one
    that the wake-up was sent for; it is looked at when nothing waits anywhere as far as anybody knows.

    A batch that fails is tried entry by entry, so that one bad entry holds up no other; so is what was claimed before.
    What fails is given back with a growing delay, and becomes a dead letter after `work_attempts`. Raises
    StoreUnavailable, StoreBusy, EmbedderMismatch and SoftTimeLimitExceeded: what was claimed comes back after its
    lease.
    """
    try:
        anywhere = runtime.context(runtime.ANYWHERE)
        heeded = waiting.ANYONE if namespace is None else namespace
        turn = waiting.take(anywhere.ns, topic, anywhere.clock(), heeded=heeded)
        home = namespace if turn is None else turn.namespace
        if home is None:
            return "nothing to do"
        done = _batch(runtime.context(home), topic, do, batch, turn)
        return done if home == namespace else f"{home}: {done}"
    except EmbedderMismatch:
        # The index was rebuilt under this process: the next task opens it anew.
        runtime.close()
        raise


def _batch(ctx: Context, topic: str, do: Work, batch: int | None, turn: waiting.Turn | None) -> str:
    settings = ctx.settings
    claims, more = work.claim(ctx.ns, topic, ctx.clock(), settings.work_lease, batch or settings.work_batch)
    if turn is not None:
        more = waiting.give_back(ctx.ns, turn, ctx.clock())
    others = turn is not None and turn.others > 0
    next_turn = ctx.namespace if more else waiting.ANYONE if others else None
    # A broker that is slow to take the wake-up must not cost the claims: their leases are renewed meanwhile.
    with renewed(ctx, topic, claims):
        if next_turn is not None:
            ctx.wake(topic, next_turn)
        told, failed = _work(ctx, claims, do)
    failures = [_failed(ctx, topic, claim, error) for claim, error in failed]
    return "; ".join(told + failures) or "nothing to do"


def _work(
    ctx: Context, claims: list[work.Claim], do: Work
) -> tuple[list[str], list[tuple[work.Claim, Exception | None]]]:
    """What the work says of itself, and the claims that failed with their errors: None for one that kills workers."""
    fresh = [claim for claim in claims if claim.attempt == 1]
    single = [claim for claim in claims if claim.attempt > 1]
    told: list[str] = []
    failed: list[tuple[work.Claim, Exception | None]] = []
    if fresh:
        result = _tried(do, ctx, fresh)
        if isinstance(result, Exception):
            single = fresh + single
        else:
            told.append(str(result))
    for claim in single:
        if claim.attempt > _DEATHS * ctx.settings.work_attempts:
            failed.append((claim, None))
            continue
        result = _tried(do, ctx, [claim])
        if isinstance(result, Exception):
            failed.append((claim, result))
    if single:
        told.append(f"{len(single) - len(failed)} done one by one")
    return told, failed


def _tried(do: Work, ctx: Context, claims: Sequence[work.Claim]) -> object:
    """What `do` returns, or the error that is the entries' own; what is the machinery's is raised."""
    try:
        return do(ctx, [claim.entry for claim in claims])
    except (StoreUnavailable, StoreBusy, EmbedderMismatch, SoftTimeLimitExceeded):
        raise
    except Exception as error:  # noqa: BLE001  # whatever a message does to a library, the others go on
        return error


def _failed(ctx: Context, topic: str, claim: work.Claim, error: Exception | None) -> str:
    if error is None:
        work.bury(ctx.ns, topic, claim.entry, "every worker died on it", claim.attempt, ctx.clock())
        return f"{claim.entry} is a dead letter: every worker died on it"
    # The type alone for errors of libraries: their texts may quote what a user wrote.
    reason = str(error) if isinstance(error, ReverieError) else type(error).__name__
    log.warning("%s %s failed (attempt %d): %s", topic, claim.entry, claim.attempt, reason)
    if claim.attempt >= ctx.settings.work_attempts:
        work.bury(ctx.ns, topic, claim.entry, reason, claim.attempt, ctx.clock())
        return f"{claim.entry} is a dead letter: {reason}"
    work.retry(ctx.ns, topic, claim, ctx.clock(), ctx.settings.work_backoff)
    return f"{claim.entry} will be tried again: {reason}"
