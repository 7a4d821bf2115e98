"""The memory as one agent sees it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from reverie.facts import Facts
from reverie.goals import Goals
from reverie.graph import Graph
from reverie.pipelines import consolidate, topics
from reverie.pipelines.consolidate import CycleView
from reverie.pipelines.context import Context
from reverie.pipelines.decay import DecayView
from reverie.pipelines.instructions import InstructionView
from reverie.pipelines.procedures import ProcedureView
from reverie.pipelines.recall import ContextBundle
from reverie.pipelines.topics import TopicView
from reverie.session import Session
from reverie.store.records.procedures import Standing
from reverie.tools import actions, artifacts, episode_upkeep, episodes, facts, observations
from reverie.tools import procedures as learned
from reverie.tools.actions import ActionView, RecordActionParams, RecordActionResult
from reverie.tools.answer import Answer, Generate, QueryRecordOptions, answer, answer_query
from reverie.tools.artifacts import ArtifactView
from reverie.tools.episodes import EpisodeView, RecordEpisodeParams, RecordEpisodeResult
from reverie.tools.facts import AssertFactParams, FactUpsert, InvalidateFactParams
from reverie.tools.fields import Count, Id, Params, Text, validated
from reverie.tools.instructions import InstructionsParams, standing_instructions
from reverie.tools.observations import AddObservationParams, AddObservationResult, ObservationView
from reverie.tools.procedures import RecordProcedureUseParams
from reverie.tools.recall import RecallParams, recall
from reverie.tools.view import ToolView


class _Names(Params):
    agent_id: Id


def _question(**asked: Any) -> RecallParams:
    """The parameters of a recall, without the bounds that were not given."""
    return validated(RecallParams, {name: value for name, value in asked.items() if value is not None})


class _Newest(Params):
    newest: Count


class _Consolidation(Params):
    session: Id | None
    subject: Text | None
    dry_run: bool


class Agent:
    """What one agent writes and recalls. Cheap to make; holds nothing but its name."""

    def __init__(self, ctx: Context, agent_id: str) -> None:
        self.ctx = ctx
        self.id = validated(_Names, agent_id=agent_id).agent_id

    def __repr__(self) -> str:
        return f"Agent({self.id!r}, namespace={self.ctx.namespace!r})"

    @property
    def goals(self) -> Goals:
        """Its goals and tasks."""
        return Goals(self.ctx, self.id)

    @property
    def facts(self) -> Facts:
        """The facts of the namespace, as of any pair of times."""
        return Facts(self.ctx)

    def session(self, session_id: str, *, goal_id: str | None = None) -> Session:
        """One conversation; it exists from its first message on. What is observed in it counts towards `goal_id`."""
        return Session(self.ctx, self.id, session_id, goal_id)

    def tools(self, names: Sequence[str] | None = None, *, graph: Graph | None = None) -> ToolView:
        """Its calls as tools of a model: schemas, and a dispatch that runs no other than these.

        names: the tools, in the order a model sees them; all when not given.
        graph: the knowledge graph on which the graph's tools work; the agent's own when not given.

        Raises ValidationFailed for a name that is no tool's.
        """
        return ToolView(self, names, graph=graph)

    def recall(
        self,
        query: str,
        limit: int | None = None,
        *,
        token_budget: int | None = None,
        sessions: Sequence[str] | None = None,
        participants: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
        kinds: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
        channels: Sequence[str] | None = None,
        at: datetime | None = None,
    ) -> ContextBundle:
        """What the memory holds on a question, best first, each item with its sources.

        query: the question, in plain words.
        limit: most items, from 1 to 200; `recall_limit` of the settings (15) when not given.
        token_budget: most tokens of all items together; `recall_token_budget` of the settings (8192) when not given.
        sessions: only what belongs to one of these sessions, and facts that rest on what was said there.
        participants: only what one of these participants said or was part of, and facts that rest on what they said.
        since, until: only what was said from `since` on and before `until`, aware datetimes.
        valid_as_of: the facts that held then; now when not given.
        known_as_of: by what the memory knew then; now when not given.
        kinds: only items of these kinds, such as "message", "fact" or "episode".
        exclude: ids of messages and items that are no answer; what rests on such messages alone goes with them.
        channels: search by these alone, of "vector", "text", "time" and "graph"; for measuring.
        at: when it is asked, an aware datetime; "yesterday" in the query is a day of its zone. Now when not given.

        An empty list lets nothing through. Left out is the message that asks: the newest that a user said in its
        session, when it is a question and the query itself.

        Raises ValidationFailed, StoreUnavailable.
        """
        return recall(
            self.ctx,
            self.id,
            _question(
                query=query,
                limit=limit,
                token_budget=token_budget,
                sessions=sessions,
                participants=participants,
                since=since,
                until=until,
                valid_as_of=valid_as_of,
                known_as_of=known_as_of,
                kinds=kinds,
                exclude=exclude,
                channels=channels,
                at=at,
            ),
        )

    def record_action(
        self,
        action_type: str,
        *,
        action_id: str | None = None,
        input: Any = None,
        output: Any = None,
        status: str | None = None,
        started_at: datetime | None = None,
        ended_at: datetime | None = None,
        error: str | None = None,
        triggered_by_message_id: str | None = None,
        session_id: str | None = None,
        goal_id: str | None = None,
        task_id: str | None = None,
        previous_action_id: str | None = None,
    ) -> RecordActionResult:
        """Record a tool call that was made.

        action_type: the kind of tool, such as "shell" or "http".
        action_id: makes the call idempotent; a fresh ULID when not given.
        input, output: what went in and came out, any JSON; an output of more than `artifact_threshold` tokens is kept
        whole as an artifact, and the action keeps a stub.
        status: such as "success" or "failure".
        started_at, ended_at: when it began (now when not given) and was over, aware datetimes.
        error: what went wrong.
        triggered_by_message_id: the message that set it off.
        session_id, goal_id, task_id: the conversation in which it was made, and what it served.
        previous_action_id: the action before it.

        Links to what does not exist are skipped and named in `skipped_links`. Raises ValidationFailed, Conflict (the id
        is taken by another action), StoreUnavailable.
        """
        params = validated(
            RecordActionParams,
            action_type=action_type,
            action_id=action_id,
            input=input,
            output=output,
            status=status,
            started_at=started_at,
            ended_at=ended_at,
            error=error,
            triggered_by_message_id=triggered_by_message_id,
            session_id=session_id,
            goal_id=goal_id,
            task_id=task_id,
            previous_action_id=previous_action_id,
        )
        return actions.record_action(self.ctx, self.id, params)

    def action(self, action_id: str) -> ActionView | None:
        """One action; None for an id that is none of the agent's."""
        return actions.get_action(self.ctx, self.id, action_id)

    def actions(self, *, session_id: str | None = None, newest: int | None = None) -> list[ActionView]:
        """The agent's actions, oldest first: all, those of a session, or the `newest` ones."""
        return actions.actions(self.ctx, self.id, session_id=session_id, newest=newest)

    def artifact(self, artifact_id: str) -> ArtifactView | None:
        """An output that was too large for its action, whole; None for an id that is none of the agent's."""
        return artifacts.get_artifact(self.ctx, self.id, artifact_id)

    def record_episode(
        self,
        action_type: str,
        *,
        episode_id: str | None = None,
        outcome: str | None = None,
        state: Any = None,
        delta: Any = None,
        importance: float = 0.5,
        at: datetime | None = None,
        session_id: str | None = None,
        goal_id: str | None = None,
        triggered_by_message_id: str | None = None,
        involved_action_ids: Sequence[str] = (),
    ) -> RecordEpisodeResult:
        """Record what the agent experienced.

        action_type: what was done, such as "build" or "query".
        episode_id: makes the call idempotent; a fresh ULID when not given.
        outcome: how it ended, such as "success" or "failure".
        state: what was the case, any JSON; its topic, question, description, summary or input is the text by which the
        episode is found.
        delta: what changed by it, any JSON.
        importance: from 0 to 1; the higher, the longer it is remembered.
        at: when it was, an aware datetime; now when not given.
        session_id, goal_id: the conversation in which it was, and the goal that it served.
        triggered_by_message_id: the message that set it off.
        involved_action_ids: the actions that it consists of.

        Links to what does not exist are skipped and named in `skipped_links`. Raises ValidationFailed, Conflict (the id
        is taken by another episode), StoreUnavailable.
        """
        params = validated(
            RecordEpisodeParams,
            action_type=action_type,
            episode_id=episode_id,
            outcome=outcome,
            state=state,
            delta=delta,
            importance=importance,
            at=at,
            session_id=session_id,
            goal_id=goal_id,
            triggered_by_message_id=triggered_by_message_id,
            involved_action_ids=involved_action_ids,
        )
        return episodes.record_episode(self.ctx, self.id, params)

    def episode(self, episode_id: str) -> EpisodeView | None:
        """One episode; None for an id that is none of the agent's."""
        return episodes.get_episode(self.ctx, self.id, episode_id)

    def episodes(self, *, newest: int | None = None) -> list[EpisodeView]:
        """The agent's episodes in order of time, all or the `newest` ones, each with the one it follows."""
        return episodes.episodes(self.ctx, self.id, newest=newest)

    def explain_decay(self, episode_id: str) -> DecayView | None:
        """Why and when an episode leaves recall and the store: importance x 2^(-age / half-life), its age counted from
        its last use. None for an id that is none of the agent's episodes; facts never decay."""
        return episode_upkeep.explain_decay(self.ctx, self.id, episode_id)

    def pin(self, episode_id: str) -> bool:
        """Keep an episode for ever; an archived one comes back. False for an id that is none of its episodes."""
        return episode_upkeep.pin(self.ctx, self.id, episode_id)

    def unpin(self, episode_id: str) -> bool:
        """Let a pinned episode fade again, its age counted from now. False for an id that is none of its episodes."""
        return episode_upkeep.unpin(self.ctx, self.id, episode_id)

    def restore(self, episode_id: str) -> bool:
        """Bring an archived episode back into recall, its age counted from now. False for an unknown or deleted one."""
        return episode_upkeep.restore(self.ctx, self.id, episode_id)

    def procedures(
        self, state: Mapping[str, Any] | None = None, *, standing: Standing | None = "active"
    ) -> list[ProcedureView]:
        """Sequences of its actions that worked again and again, whose preconditions hold in `state`, best first.

        `standing` is "active", "candidate" or "deprecated"; None for all.
        """
        return learned.procedures(self.ctx, self.id, state, standing=standing)

    def record_procedure_use(
        self, procedure_id: str, *, success: bool, use_id: str | None = None, at: datetime | None = None
    ) -> bool:
        """Count that a procedure was used and whether it worked; the same `use_id` counts once.

        False for an id that is none of its procedures. Raises ValidationFailed, StoreUnavailable.
        """
        params = validated(RecordProcedureUseParams, procedure_id=procedure_id, success=success, use_id=use_id, at=at)
        return learned.record_procedure_use(self.ctx, self.id, params)

    def instructions(self, giver: str | None = None) -> list[InstructionView]:
        """What users told it to do from then on, and did not take back, oldest first; of one `giver` when given.

        Raises ValidationFailed, StoreUnavailable.
        """
        return standing_instructions(self.ctx, self.id, validated(InstructionsParams, giver=giver))

    def topics(self, *, newest: int = 100) -> list[TopicView]:
        """What is spoken of together in the namespace, last spoken of first. Raises ValidationFailed."""
        return topics.topics(self.ctx.ns, newest=validated(_Newest, newest=newest).newest)

    def add_observation(
        self,
        message_id: str,
        content: str,
        *,
        observation_id: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        temporal_phrase: str | None = None,
        temporal_anchor: datetime | None = None,
        observed_at: datetime | None = None,
        confidence: float = 1.0,
    ) -> AddObservationResult:
        """Add a claim to the message that it was drawn from.

        message_id: the message.
        content: one claim, as a sentence that stands alone.
        observation_id: makes the call idempotent; when not given, the same claim on the same message is one
        observation.
        subject, predicate, object: the claim in three parts, such as "Caroline", "plays", "clarinet".
        temporal_phrase: when, in the words of the message, such as "last week".
        temporal_anchor: from when such words count, an aware datetime; the message's time when not given.
        observed_at: when it was observed; the message's time when not given.
        confidence: from 0 to 1.

        Raises ValidationFailed, NotFound (no such message), Conflict, StoreUnavailable.
        """
        params = validated(
            AddObservationParams,
            message_id=message_id,
            content=content,
            observation_id=observation_id,
            subject=subject,
            predicate=predicate,
            object=object,
            temporal_phrase=temporal_phrase,
            temporal_anchor=temporal_anchor,
            observed_at=observed_at,
            confidence=confidence,
        )
        return observations.add_observation(self.ctx, self.id, params)

    def observation(self, observation_id: str) -> ObservationView | None:
        """One observation; None for an unknown id."""
        return observations.get_observation(self.ctx, observation_id)

    def assert_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,
        *,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        source: Literal["user", "tool", "model"] | None = None,
        supporting_observation_ids: Sequence[str] = (),
        fact_id: str | None = None,
    ) -> FactUpsert:
        """Assert that something holds. The same triple again reinforces the fact that there is.

        subject, predicate, object: the triple, such as "Ana", "lives in", "Lyon".
        valid_from, valid_to: since when it holds (now when not given), and until when it held; aware datetimes.
        source: who stands behind it: a "user" said it, a "tool" returned it or a "model" inferred it. When not given,
        who stands behind the observations, and without any the model.
        supporting_observation_ids: the observations that it rests on.
        fact_id: an id of your own for the fact, also where it is known already; when not given, one is made.

        Raises ValidationFailed, Conflict (the id is another fact's), StoreUnavailable.
        """
        params = validated(
            AssertFactParams,
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            source=source,
            supporting_observation_ids=supporting_observation_ids,
            fact_id=fact_id,
        )
        return facts.assert_fact(self.ctx, params, agent=self.id)

    def invalidate_fact(
        self,
        fact_id: str,
        *,
        replacement_fact_id: str | None = None,
        reason: str | None = None,
        at: datetime | None = None,
    ) -> bool:
        """Say that a fact holds no more; its past stays.

        fact_id: the fact.
        replacement_fact_id: the fact that holds instead.
        reason: why; kept with or without a replacement.
        at: since when, an aware datetime; now when not given.

        False when it had ended already, which then keeps its first end. Raises ValidationFailed, NotFound (no such fact
        or replacement), StoreUnavailable.
        """
        params = validated(
            InvalidateFactParams, fact_id=fact_id, replacement_fact_id=replacement_fact_id, reason=reason, at=at
        )
        return facts.invalidate_fact(self.ctx, params)

    def answer(
        self,
        question: str,
        limit: int | None = None,
        *,
        token_budget: int | None = None,
        sessions: Sequence[str] | None = None,
        participants: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
        kinds: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
        channels: Sequence[str] | None = None,
        at: datetime | None = None,
    ) -> Answer:
        """Answer from the memory by the configured language model; the bounds are those of `recall`.

        Says that it does not know when the memory does not cover the question. Raises LanguageModelMissing when no
        model is configured, ModelFailed, ValidationFailed, StoreUnavailable.
        """
        asked = _question(
            query=question,
            limit=limit,
            token_budget=token_budget,
            sessions=sessions,
            participants=participants,
            since=since,
            until=until,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
            kinds=kinds,
            exclude=exclude,
            channels=channels,
            at=at,
        )
        return answer(self.ctx, self.id, asked)

    def answer_query(
        self,
        question: str,
        generate: Generate,
        *,
        record: QueryRecordOptions | None = None,
        limit: int | None = None,
        token_budget: int | None = None,
        sessions: Sequence[str] | None = None,
        participants: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        valid_as_of: datetime | None = None,
        known_as_of: datetime | None = None,
        kinds: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
        channels: Sequence[str] | None = None,
        at: datetime | None = None,
    ) -> Answer:
        """Answer by a generator of your own; the bounds are those of `recall`.

        generate: called with the bundle and the question; returns a text or a `GeneratedAnswer`, and cites items as
        [1], [2] in the bundle's order. It is not called when the memory does not cover the question.
        record: how to record the question as an Episode; not recorded when not given. A recording that fails is noted
        in the answer and breaks nothing.

        Raises ValidationFailed (also for a generator that gives no text), StoreUnavailable, and what `generate` raises.
        """
        asked = _question(
            query=question,
            limit=limit,
            token_budget=token_budget,
            sessions=sessions,
            participants=participants,
            since=since,
            until=until,
            valid_as_of=valid_as_of,
            known_as_of=known_as_of,
            kinds=kinds,
            exclude=exclude,
            channels=channels,
            at=at,
        )
        return answer_query(self.ctx, self.id, asked, generate=generate, record=record)

    def consolidate(
        self, *, session: str | None = None, subject: str | None = None, dry_run: bool = False
    ) -> list[CycleView]:
        """Make facts of the observations that wait, now and here; what each cycle did, [] when nothing waits.

        session: only of what was observed in this conversation.
        subject: only of what was observed of this subject, in any case.
        dry_run: show the plan of the next cycle, and write nothing.

        The workers do the same by themselves, at 20 new observations or after 15 minutes. Raises ValidationFailed,
        ModelFailed, StoreUnavailable; what is not done waits on.
        """
        asked = validated(_Consolidation, session=session, subject=subject, dry_run=dry_run)
        part = consolidate.Part(asked.session, asked.subject)
        if asked.dry_run:
            return consolidate.preview(self.ctx, self.id, part)
        return consolidate.consolidate(self.ctx, self.id, part=part)
