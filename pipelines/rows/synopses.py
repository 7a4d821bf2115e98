"""Rows of what is worked out over many records."""

from collections.abc import Sequence

from reverie.pipelines.rows.draft import Draft
from reverie.store.namespace import Namespace
from reverie.store.records.synopses import SummaryRecord, TopicRecord
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


def summary_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    return [summary_draft(record) for record in ns.get_many(SummaryRecord, ids) if record is not None]


def topic_draft(topic: TopicRecord) -> Draft:
    row = Row(kind="topic", id=topic.id, text=topic.text, label=topic.name, at=topic.at, sources=tuple(topic.sources))
    return Draft(row, topic.text, topic.revision)


def topic_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    return [topic_draft(record) for record in ns.get_many(TopicRecord, ids) if record is not None]
