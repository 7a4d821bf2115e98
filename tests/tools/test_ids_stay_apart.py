"""Ids and owners are kept exactly: nothing that is alike is taken for the same."""

from datetime import UTC, datetime

import pytest

from reverie import Memory
from reverie.agent import Agent
from reverie.pipelines.context import Context

ALIKE = (
    "alice",
    "Alice",
    "bob,carol",
    "bob",
    "carol",
    "bob|carol",
    "*",
    "550e8400-e29b-41d4-a716-446655440000",
    "咖啡",
)


def test_agents_with_similar_names_share_nothing(quick_memory: Memory) -> None:
    for number, name in enumerate(ALIKE):
        agent = quick_memory.agent(name)
        agent.goals.create(title=f"ledger goal {number}")
        agent.record_episode(action_type="x", state={"topic": f"ledger episode {number}"})
        agent.record_action(action_type="x", action_id=f"action {number}", output=f"ledger action {number}")

    for number, name in enumerate(ALIKE):
        agent = quick_memory.agent(name)
        assert [goal.title for goal in agent.goals.all()] == [f"ledger goal {number}"]
        assert [episode.text for episode in agent.episodes()] == [f"ledger episode {number}"]
        assert [action.action_id for action in agent.actions()] == [f"action {number}"]
        found = agent.recall("ledger episode", kinds=("episode",), limit=50)
        assert {item.content for item in found.items} == {f"ledger episode {number}"}


@pytest.mark.parametrize(
    "name", ["cooking, italian style", "a|b", "{x}", "  spaced  out ", "quote\"d 'n \\ slash", "new\nline"]
)
def test_a_name_with_any_mark_in_it_is_one_name(fake_ctx: Context, name: str) -> None:
    agent = Agent(fake_ctx, "assistant")
    agent.assert_fact(subject=name, predicate="is a", object=name)
    agent.goals.create(goal_id=name, title=name)
    agent.session(name).observe(sender=name, content="hello", message_id=name, addressed_to=[name])

    assert [(fact.subject, fact.object) for fact in agent.facts(name)] == [(name, name)]
    goal = agent.goals.get(name)
    assert goal is not None
    assert (goal.goal_id, goal.title) == (name, name)
    assert [(message.sender, message.addressed_to) for message in agent.session(name).messages()] == [(name, (name,))]


def test_similar_wording_merges_no_ids(fake_ctx: Context) -> None:
    agent = Agent(fake_ctx, "assistant")
    agent.goals.create(goal_id="g1", title="Migrate billing to the new ledger")
    agent.goals.create(goal_id="g2", title="Migrate billing to the new ledger")
    first = agent.assert_fact(subject="Ana", predicate="plays", object="chess")
    second = agent.assert_fact(subject="Ana", predicate="plays", object="chess games")

    assert [goal.goal_id for goal in agent.goals.all()] == ["g1", "g2"]
    assert first.fact_id != second.fact_id
    assert len(agent.facts("Ana")) == 2


def test_two_offices_at_one_place_both_stand(fake_ctx: Context) -> None:
    agent = Agent(fake_ctx, "assistant")
    agent.assert_fact(subject="Ana", predicate="holds a title at", object="Acme")
    agent.assert_fact(subject="Ana", predicate="administers", object="Acme's source control")

    assert {fact.object for fact in agent.facts("Ana")} == {"Acme", "Acme's source control"}


def test_what_a_tool_wrote_is_recalled_before_any_worker_ran(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s").observe(sender="ana", content="The zeppelin is blue", message_id="m")
    agent.add_observation(message_id="m", content="The zeppelin has a blue hull")
    agent.assert_fact(subject="The zeppelin", predicate="has colour", object="blue")
    agent.record_episode(action_type="paint", state={"topic": "painting the zeppelin blue"})
    agent.record_action(action_type="log", output="zeppelin blue " * 600)

    kinds = {item.kind for item in agent.recall("blue zeppelin", limit=50).items}
    assert {"message", "observation", "fact", "episode"} <= kinds
    assert agent.recall("blue zeppelin", kinds=("artifact",)).items


def test_a_closed_fact_is_recalled_only_as_of_then(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    past = datetime(2020, 1, 1, tzinfo=UTC)
    lyon = agent.assert_fact(subject="Ana", predicate="lives in", object="Lyon", valid_from=past).fact_id
    agent.assert_fact(subject="Ana", predicate="lives in", object="Paris")

    def places(**bounds: datetime) -> set[str]:
        found = agent.recall("where does Ana live in?", kinds=("fact",), **bounds)
        return {item.content for item in found.items}

    assert places() == {"Ana lives in Paris"}
    assert places(valid_as_of=datetime(2021, 1, 1, tzinfo=UTC)) == {"Ana lives in Lyon"}
    assert lyon in {item.id for item in agent.recall("Ana", valid_as_of=datetime(2021, 1, 1, tzinfo=UTC)).items}
