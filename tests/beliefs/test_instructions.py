"""Standing instructions are a kind of their own: kept with their giver, first in a prompt, taken back like any fact."""

from datetime import UTC, datetime, timedelta

import pytest

from reverie import Agent, Memory
from reverie.pipelines import ingest

AT = datetime(2026, 3, 3, 9, tzinfo=UTC)


@pytest.fixture
def agent(memory: Memory) -> Agent:
    session = memory.agent("assistant").session("s-1")
    said = [("Cleo", "From now on always answer me in Dutch."), ("Cleo", "I play the cello."), ("Ben", "I play chess.")]
    ids = [session.observe(who, text, at=AT + timedelta(days=day)).message_id for day, (who, text) in enumerate(said)]
    ingest.ingest(memory.ctx, ids)
    memory.agent("assistant").consolidate()
    return memory.agent("assistant")


def test_an_instruction_has_its_giver_and_comes_first_in_a_prompt(agent: Agent) -> None:
    [one] = agent.instructions()
    assert (one.giver, one.since[:10], one.valid_to) == ("Cleo", "2026-03-03", None)
    assert "answer" in one.instruction
    assert agent.instructions("Ben") == []
    bundle = agent.recall("Who plays chess?")
    first = bundle.render().splitlines()[2]
    assert "standing instruction" in first
    assert "Dutch" in first
    assert bundle.instructions == (one,)
    assert one.fact_id not in [item.id for item in bundle.items]


def test_an_instruction_to_one_agent_is_none_to_another(memory: Memory, agent: Agent) -> None:
    assert memory.agent("other").instructions() == []


def test_an_instruction_is_retracted_and_forgotten_as_a_fact_is(memory: Memory, agent: Agent) -> None:
    [one] = agent.instructions()
    assert memory.facts.retract(one.fact_id)
    assert agent.instructions() == []
    assert memory.forget(message=one.messages[0], verify=True).verified


def test_an_instruction_stands_first_on_the_card_of_its_giver_while_it_holds(memory: Memory, agent: Agent) -> None:
    cleo = memory.graph(app="assistant", user="Cleo")
    cleo.create_entities([{"name": "Cleo", "entity_type": "person", "observations": ["plays the cello"]}])

    first, second = cleo.profile_card().splitlines()
    assert first.startswith("Cleo asks (since 2026-03-03): ")
    assert "Dutch" in first
    assert second == "Cleo (person): plays the cello"
    assert "Dutch" not in cleo.profile_card(valid_as_of=AT - timedelta(days=1))
    for app, user in (("assistant", "Ben"), ("assistant", "cleo"), ("other", "Cleo")):
        assert memory.graph(app=app, user=user).profile_card() == ""

    memory.facts.retract(agent.instructions()[0].fact_id)
    assert cleo.profile_card() == "Cleo (person): plays the cello"
