"""Recording that a procedure was used on purpose."""

from datetime import datetime

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.procedures.learning import store
from reverie.pipelines.procedures.tally import with_use
from reverie.store.records.procedures import ProcedureRecord, Use
from reverie.store.retry import attempts


def record_use(kb: KnowledgeBase, agent: str, procedure_id: str, use: str, at: datetime, *, worked: bool) -> bool:
    """Count a use of a procedure of the agent, once a `use` id; False for an id that is none of its procedures."""
    for _ in attempts("a procedure"):
        known = kb.space.get(ProcedureRecord, procedure_id)
        if known is None or known.agent != agent:
            return False
        new = with_use(kb.settings, known, Use(at=at, id=use, worked=worked))
        if new is known:
            return True
        transaction = kb.space.transaction()
        store(kb, transaction, known, new)
        if transaction.commit().committed:
            return True
    raise AssertionError("attempts end by raising")
