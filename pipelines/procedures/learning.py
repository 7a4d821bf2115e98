"""Learning procedures from episodes as they arrive, each once, and from uses that are told."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.knowledge.ids import derived_id
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.procedures.sequences import Attempt, attempts_ending
from reverie.pipelines.procedures.tally import with_use
from reverie.pipelines.rows import Draft, procedure_draft
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.records.activity import EpisodeRecord
from reverie.store.records.procedures import ProcedureRecord, Use
from reverie.store.retry import attempts
from reverie.store.times import to_micros

TOPIC = "procedures"
"""Topic of durable work: episodes to be learned from."""
_SOURCES = 8
_LOOKED_AT = 32
"""Episodes of the agent among which those before one in its session are looked for; eight sessions at a time have four
each."""


@dataclass(frozen=True)
class Learned:
    """What one run did."""

    episodes: int
    attempts: int
    activated: int
    deprecated: int

    def __str__(self) -> str:
        return (
            f"{self.attempts} attempts counted in {self.episodes} episodes, {self.activated} procedures activated, "
            f"{self.deprecated} deprecated"
        )


def learn(ctx: Context, episode_ids: Sequence[str]) -> Learned:
    """Count the attempts that end with these episodes, each once, and end the work. Raises StoreUnavailable."""
    counted = activated = deprecated = 0
    for id in episode_ids:
        for _ in attempts("a procedure"):
            episode = ctx.ns.get(EpisodeRecord, id)
            transaction = ctx.ns.transaction()
            work.finish(transaction, TOPIC, id)
            changes = [] if episode is None else [_change(ctx, attempt) for attempt in _attempts(ctx, episode)]
            for known, new in changes:
                store(ctx, transaction, known, new)
            outcome = transaction.commit()
            if outcome.committed:
                counted += len(changes)
                turns = [(known.now.standing if known else "candidate", new.now.standing) for known, new in changes]
                activated += sum(was != "active" and now == "active" for was, now in turns)
                deprecated += sum(was == "active" and now == "deprecated" for was, now in turns)
            if outcome.committed or outcome.guard == 0:
                break
    return Learned(len(episode_ids), counted, activated, deprecated)


def _attempts(ctx: Context, episode: EpisodeRecord) -> list[Attempt]:
    """The attempts that an episode ends. Sessions interleave: a sequence is made of the episodes of one of them."""
    steps = ctx.settings.procedure_steps
    ids = ctx.ns.preceding(
        "RECORDED_BY",
        ("episode", episode.id),
        ("participant", episode.agent),
        order=to_micros(episode.recorded_at),
        count=_LOOKED_AT,
    )
    found = ctx.ns.get_many(EpisodeRecord, ids)
    before = [one for one in found if one is not None and one.session == episode.session]
    return attempts_ending(before, episode, steps=steps, continuity=ctx.settings.episode_continuity)


def _change(ctx: Context, attempt: Attempt) -> tuple[ProcedureRecord | None, ProcedureRecord]:
    """The procedure before and after an attempt."""
    last = attempt.episodes[-1]
    id = derived_id("procedure", last.agent, *attempt.steps)
    known = ctx.ns.get(ProcedureRecord, id)
    procedure = known or ProcedureRecord.new(
        ctx.ns, id, agent=last.agent, steps=list(attempt.steps), at=last.at, recorded_at=ctx.clock(), revision=-1
    )
    used = with_use(ctx.settings, procedure, Use(at=last.at, id=last.id, worked=attempt.worked))
    if not attempt.worked:
        return known, used
    triggers = [episode.triggered_by for episode in attempt.episodes if episode.triggered_by is not None]
    learned: ProcedureRecord = used.model_copy(
        update={
            "preconditions": _common(procedure.preconditions, attempt.episodes[0].state),
            "sources": list(dict.fromkeys([*triggers, *procedure.sources]))[:_SOURCES],
            "at": min(procedure.at, last.at),
        }
    )
    return known, learned


def _common(known: str | None, state: str | None) -> str:
    """What the states before every success have in common: the plain values under the same keys."""
    found = json.loads(state) if state is not None else {}
    plain = {k: v for k, v in found.items() if not isinstance(v, dict | list)} if isinstance(found, dict) else {}
    if known is not None:
        kept = json.loads(known)
        plain = {key: value for key, value in kept.items() if key in plain and plain[key] == value}
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def store(ctx: Context, transaction: Transaction, known: ProcedureRecord | None, new: ProcedureRecord) -> None:
    """Make a write change a procedure, if nobody changed it meanwhile; only an active one has a row."""
    if known is None:
        transaction.require_absent(new.kind, new.id)
        transaction.link("LEARNED_BY", ("procedure", new.id), ("participant", new.agent), new.at)
    else:
        transaction.require_unchanged(known.kind, known.id, known.revision)
    transaction.put(new)
    was, now = _row(known), _row(new)
    if now is None:
        transaction.drop_row("procedure", new.id)
    elif was is None or was.row != now.row:
        vectors.embed_row(ctx, transaction, now)


def _row(procedure: ProcedureRecord | None) -> Draft | None:
    return procedure_draft(procedure) if procedure is not None and procedure.now.standing == "active" else None


def record_use(ctx: Context, agent: str, procedure_id: str, use: str, at: datetime, *, worked: bool) -> bool:
    """Count a use of a procedure of the agent, once a `use` id; False for an id that is none of its procedures."""
    for _ in attempts("a procedure"):
        known = ctx.ns.get(ProcedureRecord, procedure_id)
        if known is None or known.agent != agent:
            return False
        new = with_use(ctx.settings, known, Use(at=at, id=use, worked=worked))
        if new is known:
            return True
        transaction = ctx.ns.transaction()
        store(ctx, transaction, known, new)
        if transaction.commit().committed:
            return True
    raise AssertionError("attempts end by raising")
