"""Recording that a procedure was used on purpose."""

from datetime import datetime

from reverie.pipelines.context import Context
from reverie.pipelines.procedures.learning import store
from reverie.pipelines.procedures.tally import with_use
from reverie.store.records.procedures import ProcedureRecord, Use
from reverie.store.retry import attempts


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
