"""Reading the procedures that fit."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from reverie.store.namespace import Namespace
from reverie.store.records.procedures import ProcedureRecord, Standing


class ProcedureView(BaseModel):
    """A sequence of actions and how it fares. `success_rate` is in [0, 1]."""

    model_config = ConfigDict(frozen=True)

    procedure_id: str
    steps: tuple[str, ...]
    standing: Standing
    successes: int
    failures: int
    success_rate: float
    preconditions: dict[str, Any]
    """What the state held each time before it worked."""
    first_seen: datetime
    last_used: datetime | None
    sources: tuple[str, ...]


def procedures(
    ns: Namespace, agent: str, state: Mapping[str, Any] | None, standing: Standing | None
) -> list[ProcedureView]:
    """The agent's procedures of a standing (of any when None) whose preconditions hold in `state`, the most fitting
    first: by how many preconditions hold, then by success rate, then by successes. Without a state all fit."""
    ids = ns.sources("LEARNED_BY", "procedure", ("participant", agent))
    found = [record for record in ns.get_many(ProcedureRecord, ids) if record is not None]
    views = [_view(record) for record in found if standing is None or record.now.standing == standing]
    if state is not None:
        views = [view for view in views if all(state.get(k, ...) == v for k, v in view.preconditions.items())]
    fit = 0 if state is None else 1
    return sorted(
        views,
        key=lambda view: (-fit * len(view.preconditions), -view.success_rate, -view.successes, view.procedure_id),
    )


def _view(record: ProcedureRecord) -> ProcedureView:
    tally = record.now
    uses = tally.successes + tally.failures
    return ProcedureView(
        procedure_id=record.id,
        steps=tuple(record.steps),
        standing=tally.standing,
        successes=tally.successes,
        failures=tally.failures,
        success_rate=tally.successes / uses if uses else 0.0,
        preconditions=json.loads(record.preconditions) if record.preconditions else {},
        first_seen=record.at,
        last_used=record.recent[-1].at if record.recent else None,
        sources=tuple(record.sources),
    )
