"""Asking for what has proved itself, and saying how it went this time."""

from collections.abc import Mapping
from typing import Any

from reverie.pipelines import procedures as learned
from reverie.pipelines.context import Context
from reverie.pipelines.procedures import ProcedureView
from reverie.store.records.procedures import Standing
from reverie.tools.fields import Id, JsonObject, Moment, Params, validated
from reverie.tools.identity import fresh_id


class ProceduresParams(Params):
    """Which procedures are wanted: those that fit a state, of one standing or of all."""

    state: JsonObject | None = None
    standing: Standing | None = "active"


class RecordProcedureUseParams(Params):
    """How a procedure went. `at` defaults to now; the same `use_id` counts once."""

    procedure_id: Id
    success: bool
    use_id: Id | None = None
    at: Moment | None = None


def procedures(
    ctx: Context, agent: str, state: Mapping[str, Any] | None = None, *, standing: Standing | None = "active"
) -> list[ProcedureView]:
    """The agent's procedures whose preconditions hold in a state, best first. Raises ValidationFailed."""
    given = dict(state) if isinstance(state, Mapping) else state
    checked = validated(ProceduresParams, state=given, standing=standing)
    return learned.procedures(ctx.ns, agent, checked.state, checked.standing)


def record_procedure_use(ctx: Context, agent: str, params: RecordProcedureUseParams) -> bool:
    """Count a use; False for an id that is none of its procedures. Raises ValidationFailed, StoreUnavailable."""
    now = ctx.clock()
    return learned.record_use(
        ctx, agent, params.procedure_id, params.use_id or fresh_id(now), params.at or now, worked=params.success
    )
