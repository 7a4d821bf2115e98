"""Rows of what is worked out over many records."""

from collections.abc import Sequence

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.rows.draft import Draft
from reverie.store.records.synopses import SummaryRecord
from reverie.store.rows import Row


def summary_draft(summary: SummaryRecord) -> Draft:
    row = Row(
        kind="summary",
        id=summary.id,
        text=summary.text,
        at=summary.ended_at,
        agent=summary.agent,
        session=summary.session,
        participants=tuple(summary.participants),
        sources=tuple(summary.sources),
    )
    return Draft(row, summary.text, summary.revision)


def summary_drafts(kb: KnowledgeBase, ids: Sequence[str]) -> list[Draft]:
    return [summary_draft(record) for record in kb.space.get_many(SummaryRecord, ids) if record is not None]
