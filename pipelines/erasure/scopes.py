"""What belongs to what is to be forgotten."""

import time
from collections.abc import Callable
from typing import Literal

from reverie.pipelines import summaries
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.activity import erase_actions, erase_episodes, erase_plans
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.claims import erase_fact, erase_observations, erase_orphans
from reverie.pipelines.erasure.cycles import scrub_cycles
from reverie.pipelines.erasure.deliveries import erase_results, left, withdraw_tasks
from reverie.pipelines.erasure.graphs import erase_graphs
from reverie.pipelines.erasure.letters import drop_letters
from reverie.pipelines.erasure.messages import PATIENCE, TOPIC, erase_messages, finish
from reverie.pipelines.erasure.namespaces import erase_namespace
from reverie.pipelines.erasure.naming import let_go
from reverie.pipelines.erasure.proof import prove
from reverie.pipelines.erasure.removing import remove
from reverie.pipelines.erasure.report import Elsewhere, ErasureReport, Progress, Tally
from reverie.store import messages, nicknames, recalled, work
from reverie.store.client import freeing
from reverie.store.commit import Transaction
from reverie.store.evidence import BEARS_ON
from reverie.store.facts import SUPPORTED_BY
from reverie.store.keys import encode
from reverie.store.records.conversation import MessageRecord, ParticipantRecord, SessionRecord
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.retry import attempts
from reverie.store.tombstones import bar, count_erasure
from reverie.store.unreadable import salvaging

_AT_ONCE = 100

Scope = Literal["message", "episode", "action", "fact", "session", "participant", "user", "namespace"]


@freeing()
@salvaging()
def forget(
    ctx: Context,
    scope: Scope,
    id: str,
    *,
    verify: bool = False,
    wait: bool = False,
    progress: Progress | None = None,
) -> ErasureReport:
    """Forget a message, an episode, an action, a fact, a session, a participant, a user (the participant and their
    knowledge graphs), or everything.

    What was drawn from it goes with it: observations, facts and entities that rest on nothing else, chunks, summaries,
    queued work and dead letters. Forgetting what is not there does nothing. A call that was interrupted is completed by
    calling again. What takes longer than a few seconds goes on in the workers, unless the caller wants to `wait`, or to
    `verify`, which scans the namespace afterwards. `progress` is told how far it is.

    Raises StoreBusy, StoreUnavailable.
    """
    if scope == "namespace":
        return erase_namespace(ctx, verify=verify)
    # First of all, and whether or not anything of it is stored: it may be on its way.
    _keep_out(ctx, scope, id)
    tasks = withdraw_tasks(ctx, scope, id)
    ends = None if wait or verify else time.monotonic() + PATIENCE
    tally = Tally(ctx, ends=ends, progress=progress)
    if wait or verify:
        _finish_earlier(tally)
    _SCOPES[scope](tally, id)
    scrub_cycles(tally, {one for kind, one in tally.ids if kind == "observation"})
    drop_letters(tally, scope, id)
    results = erase_results(ctx, tally.texts)
    proof = prove(tally) if verify else None
    found = [*proof.traces, *left(ctx, scope, id)] if proof is not None else []
    return ErasureReport(
        scope=scope,
        id=id,
        erased=dict(tally.erased),
        rewritten=dict(tally.rewritten),
        dead_letters=tally.dead_letters,
        tasks=tasks,
        results=results,
        left=tally.expected - tally.done,
        verified=not found if verify else None,
        traces=tuple(found),
        elsewhere=tuple(
            {(one.kind, one.id): one for one in (*(proof.elsewhere if proof else ()), *tally.kept)}.values()
        ),
    )


def _finish_earlier(tally: Tally) -> None:
    """Finish what other erasures of the namespace left to the workers."""
    left = work.entries(tally.ctx.ns, TOPIC)
    for start in range(0, len(left), _AT_ONCE):
        finish(tally.ctx, left[start : start + _AT_ONCE])


def _keep_out(ctx: Context, scope: Scope, id: str) -> None:
    transaction, now = ctx.ns.transaction(), ctx.clock()
    bar(transaction, scope, id, now)
    if scope == "user":
        bar(transaction, "participant", id, now)
    count_erasure(transaction)
    transaction.commit()


def _message(tally: Tally, id: str) -> None:
    erase_messages(tally, [id])


def _episode(tally: Tally, id: str) -> None:
    erase_episodes(tally, [id])


def _action(tally: Tally, id: str) -> None:
    erase_actions(tally, [id])


def _fact(tally: Tally, id: str) -> None:
    """A fact goes with the observations that speak for it, else the next consolidation would make it again."""
    ns = tally.ctx.ns
    ids = [
        *ns.sources(BEARS_ON, "observation", ("fact", id)),
        *(one for _, one in ns.targets(("fact", id), SUPPORTED_BY)),
    ]
    observations = [one for one in ns.get_many(ObservationRecord, list(dict.fromkeys(ids))) if one is not None]
    believe_anew(tally, observations)
    scrub_cycles(tally, {*ids, *tally.moved})
    erase_orphans(tally, erase_observations(tally, observations))
    erase_fact(tally, id)
    for message in dict.fromkeys(one.message for one in observations):
        tally.kept.append(Elsewhere(kind="message", id=message, why="it was learned from this message"))


def _session(tally: Tally, id: str) -> None:
    ctx, node = tally.ctx, ("session", id)
    erase_messages(tally, ctx.ns.sources("IN_SESSION", "message", node))
    erase_actions(tally, ctx.ns.sources("IN_SESSION", "action", node))
    erase_episodes(tally, ctx.ns.sources("IN_SESSION", "episode", node))

    def leave(transaction: Transaction, session: SessionRecord) -> None:
        transaction.settle("session-idle", session.id)
        summaries.withdraw(transaction, session.id, again_at=None)
        for entry in work.entries(ctx.ns, summaries.TOPIC):
            if entry.startswith(f"{encode(session.id)}@"):
                work.call_off(transaction, summaries.TOPIC, entry)

    gone = remove(ctx, SessionRecord, id, leave)
    if gone is not None:
        tally.gone(gone)


def _participant(tally: Tally, id: str) -> None:
    ctx, node = tally.ctx, ("participant", id)
    erase_messages(tally, ctx.ns.sources("SENT_BY", "message", node))
    erase_orphans(tally, let_go(tally, [one for one in nicknames.given(ctx.ns) if id in (one.name, one.giver)]))
    for message in ctx.ns.sources("ADDRESSED_TO", "message", node):
        _no_longer_addressed(tally, message, id)
    erase_actions(tally, ctx.ns.sources("PERFORMED_BY", "action", node))
    erase_episodes(tally, ctx.ns.sources("RECORDED_BY", "episode", node))
    erase_plans(tally, id)

    def leave(transaction: Transaction, _: ParticipantRecord) -> None:
        recalled.forget(transaction, id)

    gone = remove(ctx, ParticipantRecord, id, leave)
    if gone is not None:
        tally.gone(gone)


def _user(tally: Tally, id: str) -> None:
    _participant(tally, id)
    erase_graphs(tally, id)


def _no_longer_addressed(tally: Tally, message: str, participant: str) -> None:
    ctx = tally.ctx
    for _ in attempts("the message"):
        record = ctx.ns.get(MessageRecord, message)
        if record is None:
            return
        kept = [one for one in record.addressed_to if one != participant]
        transaction = ctx.ns.transaction()
        transaction.require_unchanged(record.kind, record.id, record.revision)
        changed = record.revised({"addressed_to": kept})
        transaction.put(changed)
        messages.change_people(transaction, changed)
        transaction.unlink("ADDRESSED_TO", ("message", message), ("participant", participant))
        if transaction.commit().committed:
            tally.rewritten["message"] += 1
            return


_SCOPES: dict[Scope, Callable[[Tally, str], None]] = {
    "message": _message,
    "episode": _episode,
    "action": _action,
    "fact": _fact,
    "session": _session,
    "participant": _participant,
    "user": _user,
}
