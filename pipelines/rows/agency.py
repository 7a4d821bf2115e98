"""Rows of what agents are after and do: only the agent itself recalls them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from reverie.pipelines.rows.draft import Draft
from reverie.store.namespace import Namespace
from reverie.store.records.activity import ActionRecord, ArtifactRecord, EpisodeRecord
from reverie.store.records.base import Record
from reverie.store.records.goals import GoalRecord, TaskRecord
from reverie.store.rows import Row

R = TypeVar("R", bound=Record)

_INLINE_CHARS = 2000
"""Of an action's input and output; more is no longer a text that is read as one."""
_ARTIFACT_CHARS = 64_000
"""Of an artifact; of a longer one the beginning and the end are found, where a log says what became of it."""


def goal_draft(goal: GoalRecord) -> Draft:
    text = _joined(goal.title, goal.description)
    row = Row(kind="goal", id=goal.id, text=text, at=goal.recorded_at, owner=goal.agent, agent=goal.agent)
    return Draft(row, text, goal.revision)


def task_draft(task: TaskRecord) -> Draft:
    text = _joined(task.title, task.description)
    row = Row(kind="task", id=task.id, text=text, at=task.recorded_at, owner=task.agent, agent=task.agent)
    return Draft(row, text, task.revision)


def action_draft(action: ActionRecord) -> Draft:
    parts = (action.input, action.error, action.output)
    text = _joined(f"{action.action_type}: {action.status}" if action.status else action.action_type, *parts)
    text = text[:_INLINE_CHARS]
    row = Row(
        kind="action",
        id=action.id,
        text=text,
        at=action.started_at,
        owner=action.agent,
        agent=action.agent,
        session=action.session,
        sources=_sources(action.triggered_by),
    )
    return Draft(row, text, action.revision)


def artifact_draft(artifact: ArtifactRecord) -> Draft:
    content, half = artifact.content, _ARTIFACT_CHARS // 2
    text = content if len(content) <= _ARTIFACT_CHARS else f"{content[:half]}\n…\n{content[-half:]}"
    row = Row(
        kind="artifact",
        id=artifact.id,
        text=text,
        label=artifact.action_type,
        at=artifact.recorded_at,
        owner=artifact.agent,
        agent=artifact.agent,
        session=artifact.session,
    )
    return Draft(row, f"{artifact.action_type}: {text[:_INLINE_CHARS]}", artifact.revision)


def episode_draft(episode: EpisodeRecord) -> Draft:
    outcome = "" if episode.outcome is None else f" ({episode.outcome})"
    row = Row(
        kind="episode",
        id=episode.id,
        text=episode.text,
        label=f"{episode.action_type}{outcome}",
        at=episode.at,
        owner=episode.agent,
        agent=episode.agent,
        session=episode.session,
        importance=episode.importance,
        sources=_sources(episode.triggered_by),
    )
    return Draft(row, episode.text, episode.revision)


def episode_drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
    """The rows of the episodes of these ids; an archived one has none."""
    found = ns.get_many(EpisodeRecord, ids)
    return [episode_draft(record) for record in found if record is not None and record.archived_at is None]


def _joined(*parts: str | None) -> str:
    return "\n".join(part for part in parts if part)


def _sources(message: str | None) -> tuple[str, ...]:
    return () if message is None else (message,)


def drafter(model: type[R], draft: Callable[[R], Draft]) -> Callable[[Namespace, Sequence[str]], list[Draft]]:
    """The drafter of a kind whose rows need nothing but the record."""

    def drafts(ns: Namespace, ids: Sequence[str]) -> list[Draft]:
        return [draft(record) for record in ns.get_many(model, ids) if record is not None]

    return drafts
