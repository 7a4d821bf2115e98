"""Observations and facts that an agent adds itself."""

from datetime import UTC, datetime

import pytest
from conftest import Clock

from reverie import Conflict, NotFound, ValidationFailed
from reverie.agent import Agent
from reverie.pipelines.context import Context

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    made = Agent(fake_ctx, "assistant")
    made.session("s").observe(sender="caroline", content="I took up the clarinet yesterday", message_id="m-12", at=NOON)
    return made


def test_a_claim_is_tied_to_its_message_and_its_subject(agent: Agent, fake_ctx: Context) -> None:
    result = agent.add_observation(
        message_id="m-12", content="Caroline plays clarinet", subject="Caroline", predicate="plays", object="clarinet"
    )

    view = agent.observation(result.observation_id)
    assert view is not None
    assert (view.message_id, view.session_id, view.said_by, view.confidence) == ("m-12", "s", "caroline", 1.0)
    assert (view.observed_at, view.source) == (NOON, "user")
    node = ("observation", result.observation_id)
    assert fake_ctx.ns.targets(node, "OBSERVED_IN") == [("message", "m-12")]
    assert len(fake_ctx.ns.targets(node, "ABOUT")) == 1


def test_a_phrase_of_time_counts_from_the_message_or_the_anchor(agent: Agent) -> None:
    given = {"message_id": "m-12", "content": "Caroline took up the clarinet", "temporal_phrase": "yesterday"}
    near = agent.observation(agent.add_observation(**given).observation_id)
    anchor = datetime(2026, 1, 10, 9, tzinfo=UTC)
    far = agent.observation(agent.add_observation(**given, temporal_anchor=anchor, observation_id="o").observation_id)

    assert near is not None
    assert near.when_start == datetime(2026, 4, 30, tzinfo=UTC)
    assert far is not None
    assert far.when_start == datetime(2026, 1, 9, tzinfo=UTC)


def test_the_same_claim_on_the_same_message_is_one(agent: Agent) -> None:
    first = agent.add_observation(message_id="m-12", content="Caroline plays clarinet")
    again = agent.add_observation(message_id="m-12", content="Caroline plays clarinet")
    other = agent.add_observation(message_id="m-12", content="Caroline plays clarinet", subject="Caroline")

    assert (first.created, again.created, other.created) == (True, False, True)
    assert first.observation_id == again.observation_id != other.observation_id
    agent.add_observation(message_id="m-12", content="a", observation_id="o")
    with pytest.raises(Conflict):
        agent.add_observation(message_id="m-12", content="b", observation_id="o")


def test_an_unknown_message_is_not_found(agent: Agent) -> None:
    with pytest.raises(NotFound, match="message"):
        agent.add_observation(message_id="nope", content="Caroline plays clarinet")
    with pytest.raises(ValidationFailed, match="message_id"):
        agent.add_observation("", "Caroline plays clarinet")


def test_a_fact_rests_on_its_observations(agent: Agent) -> None:
    observation = agent.add_observation(message_id="m-12", content="Caroline plays clarinet", subject="Caroline")
    result = agent.assert_fact(
        subject="Caroline",
        predicate="plays",
        object="clarinet",
        supporting_observation_ids=[observation.observation_id, "nope"],
    )

    assert (result.created, result.observation_count) == (True, 1)
    assert result.skipped_links == ("supporting_observation_ids",)
    fact = agent.facts.get(result.fact_id)
    assert fact is not None
    assert fact.source == "user"
    assert fact.observations == (observation.observation_id,)
    assert fact.messages == ("m-12",)
    assert set(fact.participants) == {"caroline", "assistant"}


def test_the_same_fact_asserted_twice_is_one_with_support_two(agent: Agent) -> None:
    first = agent.assert_fact(subject="Ana", predicate="plays", object="chess")
    again = agent.assert_fact(subject="ANA", predicate="plays", object=" chess")

    assert (first.created, again.created, again.observation_count) == (True, False, 2)
    assert len(agent.facts("Ana")) == 1


def test_facts_are_read_as_of_any_pair_of_times(agent: Agent, clock: Clock) -> None:
    agent.assert_fact(subject="Ana", predicate="lives in", object="Lyon", valid_from=NOON, source="user")
    before = clock()
    moved = clock.move(days=10)
    closed = agent.assert_fact(subject="Ana", predicate="lives in", object="Paris", valid_from=moved, source="user")

    assert len(closed.closed_fact_ids) == 1
    assert [fact.object for fact in agent.facts(subject="Ana")] == ["Paris"]
    assert [fact.object for fact in agent.facts(subject="Ana", valid_as_of=NOON)] == ["Lyon"]
    assert [fact.object for fact in agent.facts(subject="Ana", valid_as_of=moved, known_as_of=before)] == ["Lyon"]
    assert [version.valid_to for version in agent.facts.history(closed.closed_fact_ids[0])] == [None, moved]
    assert agent.facts.history("nope") == []
    assert agent.facts.get("nope") is None


def test_a_fact_is_retracted_by_name(agent: Agent, clock: Clock) -> None:
    dark = agent.assert_fact(subject="user", predicate="prefers", object="dark mode").fact_id
    light = agent.assert_fact(subject="user", predicate="prefers", object="light mode").fact_id

    with pytest.raises(NotFound):
        agent.invalidate_fact(fact_id="nope")
    with pytest.raises(NotFound):
        agent.invalidate_fact(fact_id=dark, replacement_fact_id="nope")
    with pytest.raises(ValidationFailed, match="replacement_fact_id"):
        agent.invalidate_fact(fact_id=dark, replacement_fact_id=dark)
    assert agent.invalidate_fact(fact_id=dark, replacement_fact_id=light, reason="switched")
    assert not agent.invalidate_fact(fact_id=dark, reason="again")
    assert [fact.object for fact in agent.facts("user")] == ["light mode"]
    gone = agent.facts.get(dark)
    assert gone is not None
    assert (gone.reason, gone.invalidated_by) == ("switched", (light,))


def test_times_without_a_zone_are_refused(agent: Agent) -> None:
    naive = datetime(2026, 5, 1)  # noqa: DTZ001  # naive on purpose
    for call in (
        lambda: agent.assert_fact(subject="Ana", predicate="plays", object="chess", valid_from=naive),
        lambda: agent.facts(subject="Ana", valid_as_of=naive),
        lambda: agent.facts(subject="Ana", known_as_of=naive),
        lambda: agent.record_episode(action_type="x", at=naive),
        lambda: agent.record_action(action_type="x", started_at=naive),
        lambda: agent.add_observation(message_id="m-12", content="x", observed_at=naive),
    ):
        with pytest.raises(ValidationFailed, match="time zone"):
            call()
