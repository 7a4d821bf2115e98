"""Tasks: units of work, by priority and phase."""

import pytest

import reverie.tools
from reverie import Conflict, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context
from reverie.tools.phases import TaskPhase


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def test_tasks_are_sorted_by_priority_and_age_none_last(agent: Agent) -> None:
    agent.goals.create(goal_id="g", title="Ship")
    for name, priority in [("none", None), ("low", 0.1), ("high", 0.9), ("zero", 0.0), ("high too", 0.9)]:
        agent.goals.create_task(task_id=name, title=name, priority=priority, goal_id="g")

    expected = ["high", "high too", "low", "zero", "none"]
    assert [task.task_id for task in agent.goals.tasks_of("g")] == expected
    assert [task.task_id for task in agent.goals.tasks()] == expected
    assert [task.task_id for task in agent.goals.tasks_in("planned")] == expected


def test_a_task_goes_through_its_phases(agent: Agent) -> None:
    agent.goals.create_task(task_id="t", title="Backfill")
    seen = []
    for move in (agent.goals.start_task, agent.goals.block_task, agent.goals.complete_task, agent.goals.start_task):
        assert move("t")
        task = agent.goals.task("t")
        assert task is not None
        seen.append((task.phase, task.completed_at is not None))
        assert [each.task_id for each in agent.goals.tasks_in(task.phase)] == ["t"]

    assert seen == [
        (TaskPhase.ACTIVE, False),
        (TaskPhase.BLOCKED, False),
        (TaskPhase.COMPLETED, True),
        (TaskPhase.ACTIVE, False),
    ]
    assert agent.goals.set_task_status("t", "dropped")
    assert [each.task_id for each in agent.goals.tasks_in("abandoned")] == ["t"]


def test_links_to_what_does_not_exist_are_skipped_by_name(agent: Agent, fake_ctx: Context) -> None:
    created = agent.goals.create_task(
        task_id="t", title="Backfill", goal_id="no", depends_on_task_id="no", subtask_of_task_id="no"
    )

    assert created.skipped_links == ("goal_id", "depends_on_task_id", "subtask_of_task_id")
    assert [fake_ctx.ns.targets(("task", "t"), edge) for edge in ("PART_OF", "DEPENDS_ON", "SUBTASK_OF")] == [
        [],
        [],
        [],
    ]
    assert fake_ctx.ns.targets(("task", "t"), "ASSIGNED_TO") == [("participant", "assistant")]


def test_a_circle_of_tasks_is_refused(agent: Agent) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.goals.create_task(task_id="t", title="Backfill", depends_on_task_id="t")
    assert caught.value.field == "depends_on_task_id"

    agent.goals.create_task(task_id="a", title="A", depends_on_task_id="b")
    agent.goals.create_task(task_id="c", title="C", depends_on_task_id="a")
    with pytest.raises(ValidationFailed, match="circle"):
        agent.goals.create_task(task_id="b", title="B", depends_on_task_id="c")
    with pytest.raises(ValidationFailed, match="subtask_of_task_id"):
        agent.goals.create_task(task_id="d", title="D", subtask_of_task_id="d")
    assert agent.goals.task("b") is None


@pytest.mark.parametrize("priority", [-0.1, 1.1, float("nan"), float("inf"), True, "high"])
def test_a_priority_is_a_number_from_0_to_1(agent: Agent, priority: object) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.goals.create_task(title="Backfill", priority=priority)
    assert caught.value.field == "priority"


def test_the_same_task_twice_is_one(agent: Agent, fake_ctx: Context) -> None:
    assert agent.goals.create_task(task_id="t", title="Backfill", priority=0.8).created
    assert not agent.goals.create_task(task_id="t", title="Backfill", priority=0.8).created
    with pytest.raises(Conflict):
        agent.goals.create_task(task_id="t", title="Backfill", priority=0.7)
    with pytest.raises(Conflict):
        Agent(fake_ctx, "other").goals.create_task(task_id="t", title="Backfill", priority=0.8)
    assert Agent(fake_ctx, "other").goals.task("t") is None
    assert not Agent(fake_ctx, "other").goals.complete_task("t")
    assert len(agent.goals.tasks()) == 1


def test_a_task_waits_for_several_others(agent: Agent, fake_ctx: Context) -> None:
    for name in ("a", "b"):
        agent.goals.create_task(name.upper(), task_id=name)
    created = agent.goals.create_task("C", task_id="c", depends_on_task_id="a", depends_on_task_ids=["b", "a", "no"])

    assert created.depends_on_task_ids == ("a", "b", "no")
    assert created.skipped_links == ("depends_on_task_ids",)
    assert fake_ctx.ns.targets(("task", "c"), "DEPENDS_ON") == [("task", "a"), ("task", "b")]
    with pytest.raises(ValidationFailed, match="circle"):
        agent.goals.update_task("b", depends_on_task_ids=["c"])
    found = agent.goals.task("c")
    assert found is not None
    assert found.depends_on_task_ids == ("a", "b", "no")


def test_a_task_is_changed_where_something_is_given(agent: Agent, fake_ctx: Context) -> None:
    agent.goals.create("Ship", goal_id="g")
    for name in ("a", "b"):
        agent.goals.create_task(name.upper(), task_id=name)
    agent.goals.create_task("C", task_id="c", description="what", priority=0.2, depends_on_task_ids=["a"])

    assert agent.goals.update_task("c", goal_id="g", depends_on_task_ids=["b"], priority=None, status="done")
    task = agent.goals.task("c")
    assert task is not None
    assert (task.title, task.description, task.priority, task.phase) == ("C", "what", None, TaskPhase.COMPLETED)
    assert task.completed_at is not None
    assert task.depends_on_task_ids == ("b",)
    assert [one.task_id for one in agent.goals.tasks_of("g")] == ["c"]
    assert [one.task_id for one in agent.goals.tasks_in("completed")] == ["c"]
    assert fake_ctx.ns.targets(("task", "c"), "DEPENDS_ON") == [("task", "b")]

    assert agent.goals.update_task("c", goal_id=None, depends_on_task_ids=[], title="See", status="todo")
    task = agent.goals.task("c")
    assert task is not None
    assert (task.title, task.completed_at, task.depends_on_task_ids) == ("See", None, ())
    assert agent.goals.tasks_of("g") == []
    assert fake_ctx.ns.targets(("task", "c"), "DEPENDS_ON") == []
    with pytest.raises(ValidationFailed, match="title"):
        agent.goals.update_task("c", title=None)  # type: ignore[arg-type]  # what a caller may try
    assert not agent.goals.update_task("unknown", title="X")
    assert not Agent(fake_ctx, "other").goals.update_task("c", title="X")


def test_the_tasks_of_a_goal_are_shown_to_its_own_agent_alone(agent: Agent) -> None:
    other = Agent(agent.ctx, "other")
    other.goals.create(title="theirs", goal_id="g-theirs")
    other.goals.create_task(title="secret", task_id="t-theirs", goal_id="g-theirs")
    assert [task.task_id for task in other.goals.tasks_of("g-theirs")] == ["t-theirs"]
    assert agent.goals.tasks_of("g-theirs") == []
    assert agent.goals.get("g-theirs") is None
    assert agent.goals.task("t-theirs") is None
    assert not agent.goals.set_task_status("t-theirs", "done")
    assert not agent.goals.update("g-theirs", title="mine")
    assert "secret" not in reverie.tools.dispatch(agent, "list_tasks", {"goal_id": "g-theirs"})
