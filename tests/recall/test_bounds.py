"""Bounds of a recall: empty ones let nothing through, facts keep to who said them, the question is no answer."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reverie import Memory, ValidationFailed

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def said(memory: Memory, sender: str, session: str, content: str, **more: str) -> str:
    """A message with a fact that rests on it; the id of the fact."""
    agent = memory.agent("assistant")
    message = agent.session(session).observe(sender=sender, content=content)
    observed = agent.add_observation(message_id=message.message_id, content=content, **more)
    return agent.assert_fact(**more, supporting_observation_ids=[observed.observation_id]).fact_id


@pytest.mark.parametrize("bound", ["participants", "sessions", "kinds", "channels"])
def test_an_empty_bound_lets_nothing_through(quick_memory: Memory, bound: str) -> None:
    said(quick_memory, "ana", "s", "Ana plays chess", subject="Ana", predicate="plays", object="chess")
    agent = quick_memory.agent("assistant")
    agent.record_episode(action_type="chess", state={"topic": "Ana plays chess"})
    assert agent.recall("chess").items
    assert agent.recall("chess", **{bound: []}).items == ()
    assert agent.answer_query("chess?", generate=lambda bundle, question: "x", **{bound: []}).known is False


def test_a_bound_on_who_or_where_keeps_what_they_said_there(quick_memory: Memory) -> None:
    chess = said(quick_memory, "ana", "s-1", "Ana plays chess", subject="Ana", predicate="plays", object="chess")
    cello = said(quick_memory, "bob", "s-2", "Bob plays cello", subject="Bob", predicate="plays", object="cello")
    agent = quick_memory.agent("assistant")
    agent.assert_fact(subject="Cyd", predicate="plays", object="chess")

    def facts(**bounds: Any) -> set[str]:
        return {item.id for item in agent.recall("who plays", kinds=["fact"], **bounds).items}

    assert len(facts()) == 3
    assert facts(participants=["ana"]) == {chess}
    assert facts(sessions=["s-2"]) == {cello}
    assert facts(participants=["ana"], sessions=["s-2"]) == set()
    assert facts(participants=["Ana"]) == set()
    kinds = {item.kind for item in agent.recall("plays", participants=["bob"]).items}
    assert {"fact", "message"} & kinds
    found = agent.recall("plays", participants=["bob"], kinds=["observation"]).items
    assert [item.content for item in found] == ["Bob plays cello"]


def test_what_is_asked_now_is_not_its_own_answer(quick_memory: Memory) -> None:
    agent, session = quick_memory.agent("assistant"), quick_memory.agent("assistant").session("s")
    told = session.observe(sender="ana", content="I play chess on Mondays.", at=NOON)
    asked = session.observe(sender="ana", content="What does  Ana PLAY?", at=NOON + timedelta(minutes=1))
    session.observe(sender="assistant", content=None, role="assistant", tool_calls=[{"name": "recall"}],
                    at=NOON + timedelta(minutes=2))  # fmt: skip
    found = {source for item in agent.recall("what does Ana play?").items for source in item.sources}
    assert told.message_id in found
    assert asked.message_id not in found
    # Once it was followed by another, it is a part of what was said.
    session.observe(sender="ana", content="Never mind.", at=NOON + timedelta(minutes=3))
    assert asked.message_id in {source for item in agent.recall("what does Ana play?").items for source in item.sources}


def test_what_is_excluded_and_drawn_from_it_alone_is_left_out(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    chess = said(quick_memory, "ana", "s", "Ana plays chess", subject="Ana", predicate="plays", object="chess")
    kept = agent.session("t").observe(sender="bob", content="Ana plays chess well, they say.").message_id
    first = agent.session("s").messages()[0].message_id
    items = agent.recall("chess", exclude=[first]).items
    assert {source for item in items for source in item.sources} == {kept}
    assert chess not in {item.id for item in agent.recall("chess", exclude=[chess], kinds=["fact"]).items}


@pytest.mark.parametrize("count", [0, -1, -(10**309), 10**309, True, "many", None.__class__, 1.5, float("nan"), [3]])
def test_a_count_is_at_least_one_and_named_when_it_is_not(quick_memory: Memory, count: Any) -> None:
    agent, graph = quick_memory.agent("assistant"), quick_memory.graph(app="a", user="u")
    calls: list[tuple[str, Any]] = [
        ("newest", lambda: agent.actions(newest=count)),
        ("newest", lambda: agent.actions(session_id="s", newest=count)),
        ("newest", lambda: agent.episodes(newest=count)),
        ("newest", lambda: agent.topics(newest=count)),
        ("newest", lambda: agent.session("s").messages(newest=count)),
        ("newest", lambda: quick_memory.cycles(newest=count)),
        ("messages", lambda: agent.goals.context("g", messages=count)),
        ("limit", lambda: agent.recall("q", limit=count)),
        ("token_budget", lambda: agent.recall("q", token_budget=count)),
        ("limit", lambda: graph.search_nodes("q", count)),
        ("limit", lambda: graph.search("q", count)),
        ("limit", lambda: graph.load_memory("q", count)),
        ("limit", lambda: graph.neighbours("n", limit=count)),
        ("depth", lambda: graph.neighbours("n", depth=count)),
        ("entities", lambda: graph.profile_card(entities=count)),
        ("observations", lambda: graph.profile_card(observations=count)),
        ("characters", lambda: graph.profile_card(characters=count)),
        ("newest", lambda: graph.turns(newest=count)),
    ]
    for name, call in calls:
        with pytest.raises(ValidationFailed) as wrong:
            call()
        assert wrong.value.field == name
