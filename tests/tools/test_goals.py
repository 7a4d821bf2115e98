"""Goals: created once, moved through their phases, read by phase."""

from datetime import UTC, datetime

import pytest
from conftest import Clock

from reverie import Conflict, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context
from reverie.store.records.goals import GoalRecord
from reverie.tools.goals import CreateGoalParams
from reverie.tools.phases import GoalPhase


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def test_only_a_title_is_needed(agent: Agent) -> None:
    created = agent.goals.create(title="Migrate billing")

    assert created.created
    assert (created.title, created.status, created.phase) == ("Migrate billing", "active", GoalPhase.ACTIVE)
    assert agent.goals.get(created.goal_id) is not None


def test_the_title_goes_by_position(agent: Agent) -> None:
    one = agent.goals().create("Ship", goal_id="g")
    other = agent.goals.create(goal_id="g", title="Ship")

    assert (one.created, other.created) == (True, False)
    with pytest.raises(ValidationFailed, match="title"):
        agent.goals.create(CreateGoalParams(title="Ship"))  # type: ignore[arg-type]  # what a caller may try


def test_the_same_goal_twice_is_one_and_anothers_is_a_conflict(agent: Agent, fake_ctx: Context) -> None:
    agent.goals.create(goal_id="g", title="Ship")

    assert not agent.goals.create(goal_id="g", title="Ship").created
    with pytest.raises(Conflict, match="other content"):
        agent.goals.create(goal_id="g", title="Sink")
    with pytest.raises(Conflict, match="another agent"):
        Agent(fake_ctx, "other").goals.create(goal_id="g", title="Ship")

    assert [goal.goal_id for goal in agent.goals.all()] == ["g"]
    assert Agent(fake_ctx, "other").goals.all() == []
    assert fake_ctx.ns.targets(("goal", "g"), "OWNED_BY") == [("participant", "assistant")]


def test_a_repeated_create_does_not_undo_what_happened_since(agent: Agent) -> None:
    agent.goals.create(goal_id="g", title="Ship", metrics={"downtime": 5})
    agent.goals.complete("g", {"downtime": 2})

    assert agent.goals.create(goal_id="g", title="Ship", metrics={"downtime": 5}).phase is GoalPhase.COMPLETED


@pytest.mark.parametrize(
    ("metrics", "result", "merged"),
    [
        ({"a": 1, "b": {"c": 2}}, {"b": 3}, {"a": 1, "b": 3}),
        ({"a": 1}, "fine", {"a": 1, "result": "fine"}),
        (None, [1, 2], {"result": [1, 2]}),
        (None, {"a": 10**30}, {"a": 10**30}),
        ([1], {"a": 1}, {"metrics": [1], "a": 1}),
        ({"a": 1}, None, {"a": 1}),
        ({"a": 1}, False, {"a": 1, "result": False}),
    ],
)
def test_a_result_is_merged_into_the_metrics(agent: Agent, metrics: object, result: object, merged: object) -> None:
    agent.goals.create(goal_id="g", title="Ship", metrics=metrics)

    assert agent.goals.complete("g", result)
    goal = agent.goals.get("g")
    assert goal is not None
    assert (goal.metrics, goal.phase) == (merged, GoalPhase.COMPLETED)
    assert goal.completed_at is not None


def test_starting_a_completed_goal_opens_it_again(agent: Agent) -> None:
    agent.goals.create(goal_id="g", title="Ship")
    agent.goals.complete("g")

    assert agent.goals.start("g")
    goal = agent.goals.get("g")
    assert goal is not None
    assert (goal.phase, goal.completed_at) == (GoalPhase.ACTIVE, None)
    assert [one.goal_id for one in agent.goals.active()] == ["g"]
    assert agent.goals.completed() == []


def test_completing_twice_keeps_the_first_moment(agent: Agent, clock: Clock) -> None:
    agent.goals.create(goal_id="g", title="Ship")
    agent.goals.complete("g")
    first = agent.goals.get("g")
    clock.move(days=1)
    agent.goals.complete("g")

    assert first is not None
    assert agent.goals.get("g") == first


@pytest.mark.parametrize(
    ("status", "phase"),
    [
        ("Done", "completed"),
        (" achieved ", "completed"),
        ("Complete", "completed"),
        ("CANCELLED", "abandoned"),
        ("canceled", "abandoned"),
        ("failed", "abandoned"),
        ("todo", "planned"),
        ("Proposed", "planned"),
        ("reviewing", "active"),
        ("blocked", "active"),
    ],
)
def test_the_phase_is_read_off_the_status(agent: Agent, status: str, phase: str) -> None:
    agent.goals.create(goal_id="g", title="Ship")
    agent.goals.set_status("g", status)

    assert [goal.status for goal in agent.goals.in_phase(phase)] == [status]
    assert sum(len(agent.goals.in_phase(each)) for each in GoalPhase) == 1


def test_goals_are_listed_by_phase_oldest_first(agent: Agent) -> None:
    for name in ("one", "two", "three", "four"):
        agent.goals.create(goal_id=name, title=name, status="planned")
    agent.goals.start("three")
    agent.goals.complete("two")
    agent.goals.abandon("one")

    assert [goal.goal_id for goal in agent.goals.all()] == ["one", "two", "three", "four"]
    assert [[goal.goal_id for goal in agent.goals.in_phase(phase)] for phase in GoalPhase] == [
        ["four"],
        ["three"],
        ["two"],
        ["one"],
    ]
    assert [goal.goal_id for goal in agent.goals.planned()] == ["four"]


def test_what_was_given_up_is_listed(agent: Agent) -> None:
    agent.goals.create("Ship", goal_id="g")
    agent.goals.abandon("g")
    assert [goal.goal_id for goal in agent.goals.abandoned()] == ["g"]


def test_unknown_ids_are_no_errors(agent: Agent, fake_ctx: Context) -> None:
    Agent(fake_ctx, "other").goals.create(goal_id="theirs", title="Ship")
    for id in ("nope", "theirs"):
        assert agent.goals.start(id) is False
        assert agent.goals.complete(id, {"a": 1}) is False
        assert agent.goals.abandon(id) is False
        assert agent.goals.set_status(id, "x") is False
        assert agent.goals.update(id, title="x") is False
        assert agent.goals.get(id) is None
        assert agent.goals.context(id) is None
    assert agent.goals.tasks_of("nope") == []


def test_update_changes_what_is_given(agent: Agent, fake_ctx: Context) -> None:
    deadline = datetime(2027, 1, 1, tzinfo=UTC)
    agent.goals.create(goal_id="g", title="Ship", description="soon", deadline=deadline)
    agent.goals.create(goal_id="p", title="Parent")

    assert agent.goals.update("g", title="Ship it", description=None, guardrails=["no downtime"], parent_goal_id="p")
    goal = agent.goals.get("g")
    assert goal is not None
    assert (goal.title, goal.description, goal.deadline) == ("Ship it", None, deadline)
    assert goal.guardrails == ["no downtime"]
    assert fake_ctx.ns.targets(("goal", "g"), "PARENT_GOAL") == [("goal", "p")]
    agent.goals.update("g", parent_goal_id=None)
    assert fake_ctx.ns.targets(("goal", "g"), "PARENT_GOAL") == []
    with pytest.raises(ValidationFailed, match="title"):
        agent.goals.update("g", title=None)


def test_no_goal_stands_above_itself(agent: Agent) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.goals.create(goal_id="g", title="Ship", parent_goal_id="g")
    assert caught.value.field == "parent_goal_id"

    agent.goals.create(goal_id="a", title="A")
    agent.goals.create(goal_id="b", title="B", parent_goal_id="a")
    agent.goals.create(goal_id="c", title="C", parent_goal_id="b")
    with pytest.raises(ValidationFailed, match="circle"):
        agent.goals.update("a", parent_goal_id="c")
    goal = agent.goals.get("a")
    assert goal is not None
    assert goal.parent_goal_id is None


def test_a_parent_that_does_not_exist_is_skipped_by_name(agent: Agent) -> None:
    assert agent.goals.create(title="Ship", parent_goal_id="nope").skipped_links == ("parent_goal_id",)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "  "),
        ("title", "\ud800"),
        ("title", "x" * (1024 * 1024 + 1)),
        ("goal_id", ""),
        ("goal_id", "x" * 257),
        ("metrics", {"n": float("nan")}),
        ("metrics", {1, 2}),
        ("guardrails", b"bytes"),
        ("guardrails", {"at": datetime(2026, 1, 1, tzinfo=UTC)}),
        ("deadline", datetime(2026, 5, 1)),  # noqa: DTZ001  # naive on purpose
        ("status", " "),
    ],
)
def test_what_is_wrong_is_refused_by_name_and_nothing_is_stored(agent: Agent, field: str, value: object) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.goals.create(**({"title": "Ship"} | {field: value}))

    assert caught.value.field == field
    assert agent.goals.all() == []


@pytest.mark.parametrize(
    "id", ["a", "A", "a,b", "a|b", "{x}", "*", "550e8400-e29b-41d4-a716-446655440000", "咖啡", "../x"]
)
def test_any_id_is_kept_exactly(agent: Agent, id: str) -> None:
    agent.goals.create(goal_id=id, title="Ship")

    goal = agent.goals.get(id)
    assert goal is not None
    assert goal.goal_id == id
    assert agent.goals.get(id + "x") is None


def test_metrics_come_back_as_they_were_given(agent: Agent, fake_ctx: Context) -> None:
    given = {"big": 2**70, "half": 0.5, "nul": "a\0b", "deep": [[[{}]]], "": None, "咖": True}
    agent.goals.create(goal_id="g", title="Ship", metrics=given)

    goal = agent.goals.get("g")
    assert goal is not None
    assert goal.metrics == given
    record = fake_ctx.ns.get(GoalRecord, "g")
    assert record is not None
    assert record.agent == "assistant"
