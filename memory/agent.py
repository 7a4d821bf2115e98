"""The memory as one agent sees it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from reverie.facts import Facts
from reverie.goals import Goals
from reverie.pipelines import consolidate, topics
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.consolidate import CycleView
from reverie.pipelines.decay import DecayView
from reverie.pipelines.procedures import ProcedureView
from reverie.pipelines.recall import ContextBundle
from reverie.pipelines.topics import TopicView
from reverie.session import Session
from reverie.store.records.procedures import Standing
from reverie.tools import actions, artifacts, episodes, facts, keeping, observations
from reverie.tools import procedures as learned
from reverie.tools.actions import ActionView, RecordActionParams, RecordActionResult
from reverie.tools.answer import Answer, Generate, RecordParams, answer, answer_query
from reverie.tools.artifacts import ArtifactView
from reverie.tools.episodes import EpisodeView, RecordEpisodeParams, RecordEpisodeResult
from reverie.tools.facts import AssertFactParams, FactUpsert, InvalidateFactParams
from reverie.tools.fields import Id, Params, validated
from reverie.tools.observations import AddObservationParams, AddObservationResult, ObservationView
from reverie.tools.recall import recall


class _Names(Params):
    agent_id: Id


class Agent:
    """What one agent writes and recalls. Cheap to make; holds nothing but its name."""

    def __init__(self, kb: KnowledgeBase, agent_id: str) -> None:
        self.kb = kb
        self.id = validated(_Names, agent_id=agent_id).agent_id

    @property
    def goals(self) -> Goals:
        """Its goals and tasks."""
        return Goals(self.kb, self.id)

    @property
    def facts(self) -> Facts:
        """The facts of the namespace, as of any pair of times."""
        return Facts(self.kb)

    def session(self, session_id: str, *, goal_id: str | None = None) -> Session:
        """One conversation; it exists from its first message on. What is observed in it counts towards `goal_id`."""
        return Session(self.kb, self.id, session_id, goal_id)

    def recall(self, query: str, **bounds: Any) -> ContextBundle:
        """What the memory holds on a question, best first, each item with its sources.

        `bounds`: limit (15), token_budget (8192), sessions, participants, since, until, kinds, valid_as_of and
        known_as_of (current facts when not given), at (when it is asked; now). Raises ValidationFailed,
        StoreUnavailable.
        """
        return recall(self.kb, self.id, query=query, **bounds)

    def record_action(
        self, params: RecordActionParams | Mapping[str, Any] | None = None, /, **given: Any
    ) -> RecordActionResult:
        """Record a tool call that was made: `action_type`, and of `action_id`, `input`, `output`, `status`,
        `started_at` (now), `ended_at`, `error`, `triggered_by_message_id`, `session_id`, `goal_id`, `task_id`,
        `previous_action_id` what is known. A large output is kept as an artifact.

        Raises ValidationFailed, Conflict, StoreUnavailable.
        """
        return actions.record_action(self.kb, self.id, params, **given)

    def action(self, action_id: str) -> ActionView | None:
        """One action; None for an id that is none of the agent's."""
        return actions.get_action(self.kb, self.id, action_id)

    def actions(self, *, session_id: str | None = None, newest: int | None = None) -> list[ActionView]:
        """The agent's actions, oldest first: all, those of a session, or the `newest` ones."""
        return actions.actions(self.kb, self.id, session_id=session_id, newest=newest)

    def artifact(self, artifact_id: str) -> ArtifactView | None:
        """An output that was too large for its action, whole; None for an id that is none of the agent's."""
        return artifacts.get_artifact(self.kb, self.id, artifact_id)

    def record_episode(
        self, params: RecordEpisodeParams | Mapping[str, Any] | None = None, /, **given: Any
    ) -> RecordEpisodeResult:
        """Record what was experienced: `action_type`, and of `episode_id`, `outcome`, `state`, `delta`, `importance`
        (0.5), `at` (now), `session_id`, `goal_id`, `triggered_by_message_id`, `involved_action_ids` what is known.

        Raises ValidationFailed, Conflict, StoreUnavailable.
        """
        return episodes.record_episode(self.kb, self.id, params, **given)

    def episode(self, episode_id: str) -> EpisodeView | None:
        """One episode; None for an id that is none of the agent's."""
        return episodes.get_episode(self.kb, self.id, episode_id)

    def episodes(self, *, newest: int | None = None) -> list[EpisodeView]:
        """The agent's episodes in order of time, all or the `newest` ones, each with the one it follows."""
        return episodes.episodes(self.kb, self.id, newest=newest)

    def explain_decay(self, episode_id: str) -> DecayView | None:
        """Why and when an episode leaves recall and the store: importance x 2^(-age / half-life), its age counted from
        its last use. None for an id that is none of the agent's episodes; facts never decay."""
        return keeping.explain_decay(self.kb, self.id, episode_id)

    def pin(self, episode_id: str) -> bool:
        """Keep an episode for ever; an archived one comes back. False for an id that is none of its episodes."""
        return keeping.pin(self.kb, self.id, episode_id)

    def unpin(self, episode_id: str) -> bool:
        """Let a pinned episode fade again, its age counted from now. False for an id that is none of its episodes."""
        return keeping.unpin(self.kb, self.id, episode_id)

    def restore(self, episode_id: str) -> bool:
        """Bring an archived episode back into recall, its age counted from now. False for an unknown or deleted one."""
        return keeping.restore(self.kb, self.id, episode_id)

    def procedures(
        self, state: Mapping[str, Any] | None = None, *, standing: Standing | None = "active"
    ) -> list[ProcedureView]:
        """Sequences of its actions that worked again and again, whose preconditions hold in `state`, best first.

        `standing` is "active", "candidate" or "deprecated"; None for all.
        """
        return learned.procedures(self.kb, self.id, state, standing=standing)

    def record_procedure_use(
        self, procedure_id: str, *, success: bool, use_id: str | None = None, at: datetime | None = None
    ) -> bool:
        """Count that a procedure was used and whether it worked; the same `use_id` counts once.

        False for an id that is none of its procedures. Raises ValidationFailed, StoreUnavailable.
        """
        return learned.record_procedure_use(
            self.kb, self.id, procedure_id=procedure_id, success=success, use_id=use_id, at=at
        )

    def topics(self, *, newest: int = 100) -> list[TopicView]:
        """What is spoken of together in the namespace, last spoken of first."""
        return topics.topics(self.kb, newest=newest)

    def add_observation(
        self, params: AddObservationParams | Mapping[str, Any] | None = None, /, **given: Any
    ) -> AddObservationResult:
        """Add a claim to a message: `message_id` and `content`, and of `subject`, `predicate`, `object`,
        `temporal_phrase`, `temporal_anchor`, `observed_at`, `confidence` (1.0), `observation_id` what is known.

        Raises ValidationFailed, NotFound (no such message), Conflict, StoreUnavailable.
        """
        return observations.add_observation(self.kb, self.id, params, **given)

    def observation(self, observation_id: str) -> ObservationView | None:
        """One observation; None for an unknown id."""
        return observations.get_observation(self.kb, observation_id)

    def assert_fact(self, params: AssertFactParams | Mapping[str, Any] | None = None, /, **given: Any) -> FactUpsert:
        """Assert that something holds: `subject` and `predicate`, and of `object`, `valid_from` (now), `valid_to`,
        `source` ("user", "tool" or "model"), `supporting_observation_ids` what is known. The same again reinforces it.

        Raises ValidationFailed, StoreUnavailable.
        """
        return facts.assert_fact(self.kb, params, agent=self.id, **given)

    def invalidate_fact(self, params: InvalidateFactParams | Mapping[str, Any] | None = None, /, **given: Any) -> bool:
        """Retract a fact: `fact_id`, and of `replacement_fact_id`, `reason`, `at` (now) what is known.

        False when it had ended already. Raises ValidationFailed, NotFound (no such fact or replacement),
        StoreUnavailable.
        """
        return facts.invalidate_fact(self.kb, params, **given)

    def answer(self, question: str, **bounds: Any) -> Answer:
        """Answer from the memory by the configured language model; `bounds` as in `recall`.

        Says that it does not know when the memory does not cover the question. Raises LanguageModelMissing when no
        model is configured, ModelFailed, ValidationFailed, StoreUnavailable.
        """
        return answer(self.kb, self.id, question, **bounds)

    def answer_query(
        self,
        question: str,
        *,
        generate: Generate,
        record: RecordParams | Mapping[str, Any] | None = None,
        **bounds: Any,
    ) -> Answer:
        """Answer by a generator of your own: `generate(bundle, question)` returns a text or a `GeneratedAnswer`.

        `record` ({} will do; action_type, outcome, session_id, goal_id, importance, state) records the question as an
        Episode; a recording that fails is noted in the answer and breaks nothing.
        """
        return answer_query(self.kb, self.id, question, generate=generate, record=record, **bounds)

    def consolidate(self, *, dry_run: bool = False) -> list[CycleView]:
        """Make facts of the observations that wait, now and here; what each cycle did, [] when nothing waits.

        The workers do the same by themselves, at 20 new observations or after 15 minutes. With `dry_run` the plan of
        the next cycle is shown and nothing is written. Raises ModelFailed, StoreUnavailable; what is not done waits on.
        """
        return consolidate.preview(self.kb, self.id) if dry_run else consolidate.consolidate(self.kb, self.id)
