"""What cycles did, and which facts a message led to."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.context import Context
from reverie.pipelines.facts import FactView, views
from reverie.store import evidence, pending
from reverie.store.namespace import Namespace
from reverie.store.records.cycles import Action, Change, CycleRecord, State
from reverie.store.records.facts import FactRecord

CYCLE_OF = "CYCLE_OF"
"""Edge from a cycle to its agent, and to the term under which all cycles of the namespace are found."""
EVERY = ("every", "cycle")


class ChangeView(Change):
    """A change with the fact's sentence as it stands now; None when the fact was erased since, or is only planned."""

    content: str | None


class CycleView(BaseModel):
    """One consolidation run: what it used, what it changed, what it left.

    `unused` observations became no fact: opinions, passing states, what is outvoted or waits to be said again.
    `put_off` ones were left to the next cycle. `unstable` are subjects with more than four closings in thirty days.
    `merges` counts the wordings that the language model said to mean the same, `unusable_replies` what it said that
    could not be used: then the result without it stood.
    """

    model_config = ConfigDict(frozen=True)

    cycle_id: str
    agent: str
    state: State
    started_at: datetime
    finished_at: datetime | None
    undone_at: datetime | None
    observations: int
    unused: int
    put_off: int
    created: int
    reinforced: int
    revised: int
    closed: int
    changes: tuple[ChangeView, ...]
    refusals: tuple[str, ...]
    unstable: tuple[str, ...]
    merges: int
    unusable_replies: int


def cycle_view(ns: Namespace, record: CycleRecord, planned: Mapping[str, str] | None = None) -> CycleView:
    """What a cycle did, or is planned to do; `planned` are the sentences of facts that do not exist yet."""
    ids = list(dict.fromkeys(change.fact_id for change in record.changes))
    facts = zip(ids, ns.get_many(FactRecord, ids), strict=True)
    contents = {**(planned or {}), **{id: fact.content for id, fact in facts if fact is not None}}
    changes = tuple(ChangeView(content=contents.get(change.fact_id), **dict(change)) for change in record.changes)
    return CycleView(
        cycle_id=record.id,
        agent=record.agent,
        state=record.state,
        started_at=record.recorded_at,
        finished_at=record.finished_at,
        undone_at=record.undone_at,
        observations=record.observations,
        unused=record.unused,
        put_off=record.put_off,
        created=_count(record.changes, "create"),
        reinforced=_count(record.changes, "reinforce"),
        revised=_count(record.changes, "revise"),
        closed=_count(record.changes, "close"),
        changes=changes,
        refusals=tuple(record.refusals),
        unstable=tuple(record.unstable),
        merges=record.merges,
        unusable_replies=record.refused,
    )


def _count(changes: Iterable[Change], action: Action) -> int:
    return sum(change.action == action for change in changes)


def cycle(ns: Namespace, cycle_id: str) -> CycleView | None:
    """One cycle; None for an unknown id."""
    record = ns.get(CycleRecord, cycle_id)
    return None if record is None else cycle_view(ns, record)


def cycles(ns: Namespace, *, agent: str | None = None, newest: int = 20) -> list[CycleView]:
    """The newest cycles of an agent, or of all, newest first."""
    if newest <= 0:
        return []
    term = EVERY if agent is None else ("participant", agent)
    ids = ns.sources(CYCLE_OF, "cycle", term, newest=newest)
    return [cycle_view(ns, record) for record in reversed(ns.get_many(CycleRecord, ids)) if record is not None]


def facts_from(ctx: Context, message_id: str) -> list[FactView]:
    """The facts that hold now and that a message speaks for; [] before it was consolidated, or when none came of it."""
    claims = dict.fromkeys(
        claim for found in evidence.claims_of(ctx.ns, _observations(ctx.ns, message_id)) for claim in found
    )
    return views(ctx, list(claims))


def is_waiting(ns: Namespace, message_id: str, agent: str) -> bool:
    """Whether anything that an agent's message says waits for consolidation."""
    return pending.any_of(ns, agent, _observations(ns, message_id))


def _observations(ns: Namespace, message_id: str) -> list[str]:
    return ns.sources("OBSERVED_IN", "observation", ("message", message_id))
