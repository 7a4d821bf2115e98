"""An agent's tools, call by call: its own surface and the free functions under it."""

import pytest

from reverie import Conflict, Memory, NotFound
from reverie.agent import Agent
from reverie.pipelines.context import Context
from reverie.tools import (
    AddObservationParams,
    AssertFactParams,
    CreateGoalParams,
    InvalidateFactParams,
    RecordActionParams,
    RecordEpisodeParams,
    add_observation,
    assert_fact,
    create_goal,
    invalidate_fact,
    record_action,
    record_episode,
)
from reverie.tools.phases import GoalPhase, TaskPhase


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def test_goals_are_created_and_completed(agent: Agent) -> None:
    goal = agent.goals().create(
        "Migrate billing to the new ledger", goal_id="g-billing", metrics={"max_downtime_minutes": 5}
    )
    assert (goal.goal_id, goal.status) == ("g-billing", "active")

    assert agent.goals().start("g-billing") is True
    assert agent.goals().complete("g-billing", {"downtime_minutes": 2}) is True
    assert agent.goals().start("g-unknown") is False

    one = agent.goals().get("g-billing")
    assert one is not None
    assert one.metrics == {"max_downtime_minutes": 5, "downtime_minutes": 2}
    assert one.phase is GoalPhase.COMPLETED
    assert one.completed_at is not None
    assert agent.goals().active() == []
    assert agent.goals().planned() == []
    assert [done.goal_id for done in agent.goals().completed()] == ["g-billing"]


def test_tasks_stand_under_a_goal(agent: Agent, fake_ctx: Context) -> None:
    create_goal(fake_ctx, "assistant", CreateGoalParams(goal_id="g-billing", title="Migrate billing"))
    agent.goals().create_task(
        "Backfill the ledger from the legacy table", task_id="t-1", priority=0.8, goal_id="g-billing"
    )

    assert [task.task_id for task in agent.goals().tasks_of("g-billing")] == ["t-1"]
    assert agent.goals().complete_task("t-1") is True
    assert agent.goals().tasks_of("g-billing")[0].phase is TaskPhase.COMPLETED


def test_a_goal_has_a_working_context(agent: Agent) -> None:
    agent.goals().create("Migrate billing", goal_id="g-billing")
    agent.goals().create_task("Backfill", goal_id="g-billing")
    agent.session("s-1", goal_id="g-billing").observe(sender="ana", content="The new ledger is called Atlas.")

    context = agent.goals().context("g-billing")
    assert context is not None
    assert context.goal.goal_id == "g-billing"
    assert [task.title for task in context.tasks] == ["Backfill"]
    assert context.sessions == ("s-1",)
    assert context.recent_messages == ("The new ledger is called Atlas.",)
    assert agent.goals().context("g-unknown") is None


def test_an_action_is_recorded(agent: Agent, fake_ctx: Context) -> None:
    result = record_action(
        fake_ctx,
        "assistant",
        RecordActionParams(
            action_type="shell",
            input={"cmd": "cargo test --workspace"},
            output={"stdout": "…", "exit": 0},
            status="success",
        ),
    )

    assert result.overflow_artifact is None
    action = agent.action(result.action_id)
    assert action is not None
    assert action.output == {"stdout": "…", "exit": 0}


def test_an_episode_is_recorded(agent: Agent, fake_ctx: Context) -> None:
    result = record_episode(
        fake_ctx,
        "assistant",
        RecordEpisodeParams(
            action_type="build",
            outcome="failure",
            state={"topic": "ledger backfill build", "error": "missing column"},
            importance=0.7,
        ),
    )

    episode = agent.episode(result.episode_id)
    assert episode is not None
    assert (episode.text, episode.importance) == ("ledger backfill build", 0.7)


def test_an_observation_is_added(agent: Agent, fake_ctx: Context) -> None:
    agent.session("s-1").observe(sender="Caroline", content="I play the clarinet.", message_id="m-12")
    result = add_observation(
        fake_ctx,
        "assistant",
        AddObservationParams(
            message_id="m-12",
            content="Caroline plays clarinet",
            subject="Caroline",
            predicate="plays",
            object="clarinet",
        ),
    )

    observation = agent.observation(result.observation_id)
    assert observation is not None
    assert (observation.object, observation.confidence) == ("clarinet", 1.0)


def test_a_fact_is_asserted_and_retracted(agent: Agent, fake_ctx: Context) -> None:
    dark = assert_fact(fake_ctx, AssertFactParams(subject="user", predicate="prefers", object="dark mode"))
    light = assert_fact(fake_ctx, AssertFactParams(subject="user", predicate="prefers", object="light mode"))
    assert (dark.created, dark.observation_count) == (True, 1)
    assert (
        assert_fact(
            fake_ctx, AssertFactParams(subject="user", predicate="prefers", object="dark mode")
        ).observation_count
        == 2
    )

    invalidate_fact(
        fake_ctx,
        InvalidateFactParams(
            fact_id=dark.fact_id, replacement_fact_id=light.fact_id, reason="user switched to light mode"
        ),
    )
    assert [fact.object for fact in agent.facts(subject="user")] == ["light mode"]
    gone = agent.facts.get(dark.fact_id)
    assert gone is not None
    assert gone.reason == "user switched to light mode"


def test_every_public_name_is_there() -> None:
    import reverie.tools

    assert all(callable(getattr(reverie.tools, name)) for name in reverie.tools.__all__)
    with pytest.raises(AttributeError, match="nope"):
        reverie.tools.nope  # noqa: B018  # that it raises is the point


def test_a_fact_is_known_by_the_id_that_its_caller_gave_it(fake_ctx: Context) -> None:
    agent = Agent(fake_ctx, "assistant")
    dark = agent.assert_fact("user", "prefers", "dark mode", fact_id="f-dark")
    light = agent.assert_fact("user", "prefers", "light mode", fact_id="f-light")
    again = agent.assert_fact("User", "prefers", "Dark  mode", fact_id="f-dark")

    assert (dark.fact_id, dark.created) == ("f-dark", True)
    assert (again.fact_id, again.created, again.observation_count) == ("f-dark", False, 2)
    assert {fact.fact_id for fact in agent.facts(subject="user")} == {"f-dark", "f-light"}
    assert agent.invalidate_fact("f-dark", replacement_fact_id=light.fact_id, reason="changed") is True
    ended = agent.facts.get("f-dark")
    assert ended is not None
    assert ended.valid_to is not None
    assert [version.fact_id for version in agent.facts.history("f-dark")] == ["f-dark"] * 2
    with pytest.raises(Conflict, match="f-light"):
        agent.assert_fact("user", "prefers", "no mode", fact_id="f-light")
    assert agent.facts(object="no mode") == []


def test_a_fact_that_was_there_gets_the_id_that_a_caller_gives_it(fake_ctx: Context) -> None:
    agent = Agent(fake_ctx, "assistant")
    own = agent.assert_fact("user", "prefers", "dark mode").fact_id
    named = agent.assert_fact("user", "prefers", "dark mode", fact_id=f"{own}?")

    assert (named.fact_id, named.created) == (f"{own}?", False)
    assert agent.facts.get(own) == agent.facts.get(f"{own}?")
    with pytest.raises(Conflict):
        agent.assert_fact("user", "prefers", "light mode", fact_id=own)
    with pytest.raises(NotFound):
        agent.invalidate_fact("f-unknown")
    assert agent.facts.retract(f"{own}?") is True


def test_no_trace_of_a_given_id_stays_when_its_fact_is_forgotten(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.assert_fact("user", "prefers", "dark mode", fact_id="f-dark")
    report = quick_memory.forget(fact="f-dark", verify=True)

    assert report.verified is True
    assert agent.facts.get("f-dark") is None
    assert agent.assert_fact("user", "prefers", "light mode", fact_id="f-dark").created is True
