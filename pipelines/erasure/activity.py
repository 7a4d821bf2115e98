"""Erasing what an agent did in a session, or ever: actions with their artifacts, episodes, goals, tasks, procedures."""

from collections.abc import Sequence

from reverie.pipelines.consolidate.audit import CYCLE_OF
from reverie.pipelines.erasure.removing import remove
from reverie.pipelines.erasure.report import Tally
from reverie.store.decay import stop
from reverie.store.records.activity import ActionRecord, ArtifactRecord, EpisodeRecord
from reverie.store.records.cycles import CycleRecord
from reverie.store.records.goals import GoalRecord, TaskRecord
from reverie.store.records.procedures import ProcedureRecord


def erase_actions(tally: Tally, ids: Sequence[str]) -> None:
    """Remove actions and what they produced."""
    for id in ids:
        for kind, artifact in tally.ctx.ns.targets(("action", id), "PRODUCED"):
            produced = remove(tally.ctx, ArtifactRecord, artifact) if kind == "artifact" else None
            if produced is not None:
                tally.gone(produced, produced.content)
        gone = remove(tally.ctx, ActionRecord, id)
        if gone is not None:
            tally.gone(gone, gone.input, gone.output, gone.error)


def erase_episodes(tally: Tally, ids: Sequence[str]) -> None:
    """Remove episodes, and the procedures that were learned from nothing else."""
    agents: set[str] = set()
    for id in ids:
        gone = remove(tally.ctx, EpisodeRecord, id, lambda transaction, episode: stop(transaction, episode.id))
        if gone is not None:
            tally.gone(gone, gone.text, gone.state, gone.delta)
            agents.add(gone.agent)
    for agent in agents:
        _erase_unfounded(tally, agent, set(ids))


def _erase_unfounded(tally: Tally, agent: str, episodes: set[str]) -> None:
    ctx = tally.ctx
    ids = ctx.ns.sources("LEARNED_BY", "procedure", ("participant", agent))
    for procedure in ctx.ns.get_many(ProcedureRecord, ids):
        if procedure is None or procedure.before.successes + procedure.before.failures:
            continue
        if {use.id for use in procedure.recent} <= episodes:
            erase_procedure(tally, procedure.id)


def erase_procedure(tally: Tally, id: str) -> None:
    gone = remove(tally.ctx, ProcedureRecord, id)
    if gone is not None:
        tally.gone(gone, gone.preconditions if gone.preconditions != "{}" else None)


def erase_plans(tally: Tally, agent: str) -> None:
    """Remove an agent's goals, tasks, procedures, and the audit of what was consolidated for it."""
    ctx, node = tally.ctx, ("participant", agent)
    for id in ctx.ns.sources("OWNED_BY", "goal", node):
        goal = remove(ctx, GoalRecord, id)
        if goal is not None:
            tally.gone(goal, goal.title, goal.description)
    for id in ctx.ns.sources("ASSIGNED_TO", "task", node):
        task = remove(ctx, TaskRecord, id)
        if task is not None:
            tally.gone(task, task.title, task.description)
    for id in ctx.ns.sources("LEARNED_BY", "procedure", node):
        erase_procedure(tally, id)
    for id in ctx.ns.sources(CYCLE_OF, "cycle", node):
        cycle = remove(ctx, CycleRecord, id)
        if cycle is not None:
            tally.gone(cycle)
