"""Rows of procedures: of the active ones alone, for the agent that learned them."""

import json
from collections.abc import Sequence

from reverie.pipelines.rows.draft import Draft
from reverie.store.namespace import Namespace
from reverie.store.records.procedures import ProcedureRecord
from reverie.store.rows import Row


def procedure_draft(procedure: ProcedureRecord) -> Draft:
    conditions = json.loads(procedure.preconditions) if procedure.preconditions else {}
    when = "; ".join(f"{key}: {value}" for key, value in conditions.items())
    text = ", then ".join(procedure.steps) + (f" (when {when})" if when else "")
    row = Row(
        kind="procedure",
        id=procedure.id,
        text=text,
        at=procedure.at,
        owner=procedure.agent,
        agent=procedure.agent,
        sources=tuple(procedure.sources),
    )
    return Draft(row, text, procedure.revision)


def procedure_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    found = ns.get_many(ProcedureRecord, ids)
    return [procedure_draft(one) for one in found if one is not None and one.now.standing == "active"]
