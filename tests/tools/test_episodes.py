"""Episodes: what they are found by, what they follow."""

from datetime import timedelta

import pytest
from conftest import Clock

from reverie import Conflict, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.store import due


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ({"input": "i", "summary": "s", "description": "d", "question": "q", "topic": "t"}, "t"),
        ({"input": "i", "summary": "s", "description": "d", "question": "q"}, "q"),
        ({"topic": "  ", "summary": "s"}, "s"),
        ({"topic": {"not": "text"}, "input": "i"}, "i"),
        ({"error": "missing column"}, "build failure"),
        ("free text", "build failure"),
        (None, "build failure"),
    ],
)
def test_an_episode_is_found_by_the_most_telling_text(agent: Agent, state: object, text: str) -> None:
    result = agent.record_episode(action_type="build", outcome="failure", state=state)

    episode = agent.episode(result.episode_id)
    assert episode is not None
    assert (episode.text, episode.state, episode.importance) == (text, state, 0.5)


def test_an_episode_follows_the_latest_one_within_an_hour(agent: Agent, clock: Clock) -> None:
    start = clock()
    for name, minutes in [("first", 0), ("third", 50), ("late", 111), ("second", 20)]:
        agent.record_episode(action_type="x", episode_id=name, at=start + timedelta(minutes=minutes))

    assert [(e.episode_id, e.follows, e.gap) for e in agent.episodes()] == [
        ("first", None, None),
        ("second", "first", 1200.0),
        ("third", "second", 1800.0),
        ("late", None, None),
    ]
    assert [e.follows for e in agent.episodes(newest=2)] == ["second", None]
    third = agent.episode("third")
    assert third is not None
    assert (third.follows, third.gap) == ("second", 1800.0)


def test_another_agents_episode_is_not_followed(agent: Agent, fake_ctx: Context) -> None:
    Agent(fake_ctx, "other").record_episode(action_type="x")
    agent.record_episode(action_type="x", episode_id="e")

    episode = agent.episode("e")
    assert episode is not None
    assert episode.follows is None
    assert Agent(fake_ctx, "other").episode("e") is None


def test_the_actions_of_an_episode_are_linked_where_they_exist(agent: Agent, fake_ctx: Context) -> None:
    agent.record_action(action_type="x", action_id="a")
    result = agent.record_episode(
        action_type="x", episode_id="e", involved_action_ids=["a", "nope", "a"], triggered_by_message_id="nope"
    )

    assert set(result.skipped_links) == {"involved_action_ids", "triggered_by_message_id"}
    assert fake_ctx.ns.targets(("episode", "e"), "INVOLVES") == [("action", "a")]
    assert fake_ctx.ns.targets(("episode", "e"), "RECORDED_BY") == [("participant", "assistant")]


def test_an_episode_is_due_for_decay_from_its_own_time(agent: Agent, fake_ctx: Context, clock: Clock) -> None:
    at = clock() - timedelta(days=3)
    agent.record_episode(action_type="x", episode_id="e", importance=0.8, at=at)

    assert due.when(fake_ctx.ns, decay.ARCHIVE, "e") == decay.decays_at(fake_ctx.settings, 0.8, at)


def test_the_same_episode_twice_is_one(agent: Agent) -> None:
    assert agent.record_episode(action_type="x", episode_id="e", state={"n": 1}).created
    assert not agent.record_episode(action_type="x", episode_id="e", state={"n": 1}).created
    with pytest.raises(Conflict):
        agent.record_episode(action_type="x", episode_id="e", state={"n": 2})
    assert len(agent.episodes()) == 1


@pytest.mark.parametrize("importance", [-1, 2, float("nan"), None, "high"])
def test_importance_is_a_number_from_0_to_1(agent: Agent, importance: object) -> None:
    with pytest.raises(ValidationFailed) as caught:
        agent.record_episode(action_type="x", importance=importance)
    assert caught.value.field == "importance"
