"""The working context of a goal is live, and never empty for what exists."""

from datetime import UTC, datetime, timedelta

import pytest

from reverie.agent import Agent
from reverie.pipelines.context import Context

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    made = Agent(fake_ctx, "assistant")
    made.goals.create(goal_id="g", title="Migrate billing")
    return made


def know(agent: Agent, message: str, subject: str, predicate: str, object: str) -> str:
    """Observe and assert what a message says."""
    content = f"{subject} {predicate} {object}"
    observation = agent.add_observation(
        message_id=message, content=content, subject=subject, predicate=predicate, object=object
    )
    return agent.assert_fact(
        subject=subject,
        predicate=predicate,
        object=object,
        valid_from=NOON,
        supporting_observation_ids=[observation.observation_id],
    ).fact_id


def test_a_goal_reaches_what_was_observed_for_it(agent: Agent) -> None:
    agent.session("s", goal_id="g").observe(sender="ana", content="The ledger is on Postgres", message_id="m", at=NOON)
    agent.session("elsewhere").observe(sender="ana", content="Nice weather", at=NOON)
    fact = know(agent, "m", "The ledger", "runs on", "Postgres")
    agent.goals.create_task(task_id="t", title="Backfill", goal_id="g")

    context = agent.goals.context("g")

    assert context is not None
    assert context.goal.title == "Migrate billing"
    assert [task.task_id for task in context.tasks] == ["t"]
    assert context.sessions == ("s",)
    assert context.recent_messages == ("The ledger is on Postgres",)
    assert context.facts == ("The ledger runs on Postgres",)
    assert context.entities == ("The ledger",)
    assert (context.message_ids, context.fact_ids) == (("m",), (fact,))


def test_every_way_into_a_goal_is_walked(agent: Agent) -> None:
    for name in ("direct", "by action", "by task", "by episode", "by message", "below"):
        agent.session(name).observe(sender="ana", content=f"said {name}", message_id=f"m {name}", at=NOON)
    agent.session("direct").observe(sender="ana", content="said again", goal_id="g", at=NOON)
    agent.record_action(action_type="x", session_id="by action", goal_id="g")
    agent.goals.create_task(task_id="t", title="T", goal_id="g")
    agent.goals.create_task(task_id="u", title="U", subtask_of_task_id="t")
    agent.record_action(action_type="x", session_id="by task", task_id="u")
    agent.record_episode(action_type="x", session_id="by episode", goal_id="g")
    agent.record_action(action_type="x", triggered_by_message_id="m by message", goal_id="g")
    agent.goals.create(goal_id="child", title="Child", parent_goal_id="g")
    agent.goals.create_task(task_id="v", title="V", goal_id="child")
    agent.record_action(action_type="x", session_id="below", task_id="v")

    context = agent.goals.context("g")

    assert context is not None
    assert set(context.sessions) == {"direct", "by action", "by task", "by episode", "by message", "below"}
    assert {task.task_id for task in context.tasks} == {"t", "u", "v"}
    assert len(context.recent_messages) == 7


def test_the_context_is_live(agent: Agent) -> None:
    empty = agent.goals.context("g")
    assert empty is not None
    assert (empty.tasks, empty.sessions, empty.facts) == ((), (), ())

    session = agent.session("s", goal_id="g")
    for number in range(30):
        session.observe(
            sender="ana", content=f"note {number}", message_id=f"m{number}", at=NOON + timedelta(hours=number)
        )
    fact = know(agent, "m0", "Ana", "lives in", "Lyon")
    context = agent.goals.context("g", messages=3)
    assert context is not None
    assert context.recent_messages == ("note 27", "note 28", "note 29")
    assert context.facts == ("Ana lives in Lyon",)

    agent.invalidate_fact(fact_id=fact)
    agent.goals.complete("g")
    context = agent.goals.context("g")
    assert context is not None
    assert context.facts == ()
    assert context.goal.phase == "completed"


def test_it_takes_one_round_trip(agent: Agent, fake_ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        agent.session(f"s{number}", goal_id="g").observe(sender="ana", content="hello", message_id=f"m{number}")
        agent.goals.create_task(title=f"task {number}", goal_id="g")
    agent.goals.context("g")
    calls: list[object] = []
    execute = fake_ctx.ns.client.execute_command

    def counted(*words: object, **options: object) -> object:
        calls.append(words[0])
        return execute(*words, **options)

    monkeypatch.setattr(fake_ctx.ns.client, "execute_command", counted)
    agent.goals.context("g")

    assert calls == ["EVALSHA"]
