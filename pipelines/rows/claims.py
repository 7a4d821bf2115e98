"""Rows of what is claimed: observations and facts."""

from collections.abc import Sequence

from reverie.pipelines.rows.draft import Draft
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord, Version
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.rows import Row


def observation_draft(observation: ObservationRecord) -> Draft:
    row = Row(
        kind="observation",
        id=observation.id,
        text=observation.content,
        label=observation.subject or "",
        at=observation.observed_at,
        agent=observation.agent,
        session=observation.session,
        participants=(observation.said_by,),
        importance=observation.confidence,
        sources=(observation.message,),
    )
    return Draft(row, observation.content, observation.revision)


def observation_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    found = ns.get_many(ObservationRecord, ids)
    return [observation_draft(record) for record in found if record is not None]


def confidence(support: int) -> float:
    """How far a fact is believed by its support n: (n+1)/(n+2), Laplace's rule of succession."""
    return (support + 1) / (support + 2)


def fact_draft(fact: FactRecord, version: Version) -> Draft:
    """Each version of a fact has a row of its own, so that a search can ask for any pair of times."""
    row = Row(
        kind="fact",
        id=fact.id,
        part=version.number,
        text=fact.content,
        at=version.valid_from,
        importance=confidence(fact.support),
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        recorded_at=version.recorded_at,
        retired_at=version.retired_at,
        sources=tuple(fact.sources),
    )
    return Draft(row, fact.content, fact.revision)


def fact_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    found = ns.get_many(FactRecord, ids)
    return [fact_draft(record, version) for record in found if record is not None for version in record.versions]
