"""Rows of the knowledge graphs. Each carries the tag of its graph: no search but one of that graph sees it."""

from collections.abc import Sequence

from reverie.pipelines.rows.draft import Draft
from reverie.store.graphs import log_tag
from reverie.store.namespace import Namespace
from reverie.store.records.graph import (
    GraphEntityRecord,
    GraphObservationRecord,
    GraphRelationRecord,
    GraphStatement,
    GraphTurnRecord,
)
from reverie.store.rows import Row


def entity_draft(entity: GraphEntityRecord) -> Draft:
    row = Row(
        kind=entity.kind,
        id=entity.id,
        text=f"{entity.name} ({entity.type})",
        at=entity.recorded_at,
        graph=entity.graph,
        about=(entity.name,),
    )
    return Draft(row, row.text, entity.revision)


def observation_draft(observation: GraphObservationRecord) -> Draft:
    """Its own words alone: whom it is about is found by the entity's row, and a search adds the two up."""
    row = _statement_row(observation, observation.text, (observation.name,))
    return Draft(row, observation.text, observation.revision)


def relation_draft(relation: GraphRelationRecord) -> Draft:
    text = f"{relation.source} {relation.type} {relation.target}"
    about = tuple(dict.fromkeys([relation.source, relation.target]))
    said = f"{relation.source} {relation.type.replace('_', ' ')} {relation.target}"
    return Draft(_statement_row(relation, text, about), said, relation.revision)


def _statement_row(statement: GraphStatement, text: str, about: tuple[str, ...]) -> Row:
    """Its validity is that of the last interval believed in; a search of the past asks the record."""
    last = statement.final
    return Row(
        kind=statement.kind,
        id=statement.id,
        text=text,
        at=last.valid_from,
        graph=statement.graph,
        about=about,
        valid_from=last.valid_from,
        valid_to=last.valid_to,
        sources=tuple(statement.sources),
    )


def turn_draft(turn: GraphTurnRecord) -> Draft:
    said = f"{turn.author}: {turn.content}" if turn.author else turn.content
    row = Row(
        kind=turn.kind,
        id=turn.id,
        text=turn.content,
        label=turn.author or "",
        at=turn.at,
        graph=log_tag(turn.graph),
        session=turn.session,
        participants=(turn.author,) if turn.author else (),
    )
    return Draft(row, said, turn.revision)


def entity_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    return [entity_draft(record) for record in ns.get_many(GraphEntityRecord, ids) if record is not None]


def observation_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    found = ns.get_many(GraphObservationRecord, ids)
    return [observation_draft(record) for record in found if record is not None]


def relation_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    return [relation_draft(record) for record in ns.get_many(GraphRelationRecord, ids) if record is not None]


def turn_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    return [turn_draft(record) for record in ns.get_many(GraphTurnRecord, ids) if record is not None]
