"""From records to search rows: one drafter a kind, used by the write, by the late vector and by a reindex alike."""

from reverie.pipelines.rows import graph
from reverie.pipelines.rows.agency import (
    action_draft,
    artifact_draft,
    drafter,
    episode_draft,
    episode_drafts,
    goal_draft,
    task_draft,
)
from reverie.pipelines.rows.claims import fact_draft, fact_drafts, observation_draft, observation_drafts
from reverie.pipelines.rows.conversation import (
    CONTEXT_MESSAGES,
    chunk_draft,
    chunk_drafts,
    message_draft,
    message_drafts,
)
from reverie.pipelines.rows.draft import Draft, Drafter
from reverie.pipelines.rows.procedures import procedure_draft, procedure_drafts
from reverie.pipelines.rows.synopses import summary_draft, summary_drafts, topic_draft, topic_drafts
from reverie.store.records.activity import ActionRecord, ArtifactRecord
from reverie.store.records.goals import GoalRecord, TaskRecord

__all__ = [
    "CONTEXT_MESSAGES",
    "DRAFTERS",
    "Draft",
    "Drafter",
    "action_draft",
    "artifact_draft",
    "chunk_draft",
    "episode_draft",
    "fact_draft",
    "goal_draft",
    "message_draft",
    "observation_draft",
    "procedure_draft",
    "summary_draft",
    "task_draft",
    "topic_draft",
]

DRAFTERS: dict[str, Drafter] = {
    "message": message_drafts,
    "observation": observation_drafts,
    "chunk": chunk_drafts,
    "fact": fact_drafts,
    "graph_entity": graph.entity_drafts,
    "graph_observation": graph.observation_drafts,
    "graph_relation": graph.relation_drafts,
    "graph_turn": graph.turn_drafts,
    "summary": summary_drafts,
    "goal": drafter(GoalRecord, goal_draft),
    "task": drafter(TaskRecord, task_draft),
    "action": drafter(ActionRecord, action_draft),
    "artifact": drafter(ArtifactRecord, artifact_draft),
    "episode": episode_drafts,
    "topic": topic_drafts,
    "procedure": procedure_drafts,
}
