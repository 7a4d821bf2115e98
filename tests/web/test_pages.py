"""What the pages show, and what their forms change."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from browsing import Explorer, browsing

from reverie import Memory
from reverie.pipelines import ingest
from reverie.store import work

AT = datetime(2026, 3, 2, 9, 14, tzinfo=UTC)

HOSTILE = (
    "<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    '"><img src=x onerror=alert(1)>',
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "{{7*7}}",
)


@pytest.fixture
def explorer(quick_memory: Memory) -> Iterator[Explorer]:
    with browsing(quick_memory) as opened:
        yield opened


def learned(explorer: Explorer) -> None:
    """A conversation that was read and weighed."""
    memory = explorer.memory
    session = memory.agent("assistant").session("monday")
    session.observe("Nadia", "I moved to Lisbon last Saturday.", at=AT, message_id="m-1")
    session.observe("Nadia", "I am allergic to peanuts.", at=AT + timedelta(minutes=1), message_id="m-2")
    ingest.ingest(memory.ctx, ["m-1", "m-2"])
    memory.agent("assistant").consolidate()


def test_an_empty_namespace_says_what_to_do_next(explorer: Explorer) -> None:
    for path in ("/now", "/things", "/conversations", "/agents", "/graph", "/recall", "/cycles"):
        assert 'class="empty"' in explorer.page(path), path


def test_a_person_has_facts_each_a_click_from_its_message(explorer: Explorer) -> None:
    learned(explorer)
    assert "Nadia" in explorer.page("/things")
    person = explorer.page("/thing", name="Nadia")
    assert "peanuts" in person
    assert "/message?namespace=" in person
    assert "m-2" in person
    assert "peanuts" in explorer.page("/now")


def test_a_person_as_of_an_earlier_moment_has_what_held_then(explorer: Explorer) -> None:
    agent = explorer.memory.agent("assistant")
    agent.assert_fact("Ana", "lives in", "Lyon", valid_from=datetime(2020, 1, 1, tzinfo=UTC))
    agent.assert_fact("Ana", "plays", "oboe", valid_from=datetime(2024, 1, 1, tzinfo=UTC))
    facts = re.search(r"<h2>Facts.*?</ul>", explorer.page("/thing", name="Ana", valid="2022-01-01T00:00:00Z"), re.S)
    assert facts is not None
    assert "Lyon" in facts.group()
    assert "oboe" not in facts.group()


def test_a_moment_without_a_zone_is_refused_with_the_way_out(explorer: Explorer) -> None:
    answer = explorer.client.get("/thing", params={"namespace": "x", "name": "Ana", "valid": "yesterday"})
    assert answer.status_code == 400
    assert "2026-03-02T09:14:00Z" in answer.text


def test_a_conversation_shows_what_was_learned_and_why_nothing_was(explorer: Explorer) -> None:
    learned(explorer)
    explorer.memory.agent("assistant").session("monday").observe("Nadia", "ok", at=AT + timedelta(minutes=2))
    shown = explorer.page("/conversation", session="monday")
    assert "<mark>peanuts</mark>" in shown
    assert "waits for a worker" in shown
    assert "monday" in explorer.page("/conversations")


def test_a_fact_is_corrected_ended_and_retracted(explorer: Explorer) -> None:
    memory = explorer.memory
    agent = memory.agent("assistant")
    made = agent.assert_fact("Ana", "plays", "oboe")
    assert "cello" in explorer.send("/fact/correct", id=made.fact_id, object="cello", reason="misheard")
    [cello] = memory.facts("Ana")
    assert cello.object == "cello"
    explorer.send("/fact/end", id=cello.fact_id)
    assert memory.facts("Ana") == []
    flute = agent.assert_fact("Ana", "plays", "flute")
    explorer.send("/fact/retract", id=flute.fact_id, reason="never so")
    assert memory.facts("Ana") == []
    assert "never so" in explorer.page("/fact", id=flute.fact_id)


def test_a_fact_is_written_down_by_hand(explorer: Explorer) -> None:
    explorer.send("/fact/assert", subject="Ana", predicate="plays", object="oboe")
    assert [fact.object for fact in explorer.memory.facts("Ana")] == ["oboe"]


def test_erasing_says_first_what_would_go_and_wants_to_be_meant(explorer: Explorer) -> None:
    learned(explorer)
    assert "1 message" in explorer.page("/erase", kind="message", id="m-2")
    assert explorer.client.post(
        f"/erase?namespace={explorer.memory.namespace}",
        data={"csrf_token": explorer.csrf_token, "kind": "message", "id": "m-2", "sure": "yes"},
    ).status_code == 400  # fmt: skip
    assert "peanuts" in explorer.page("/thing", name="Nadia")
    assert "no key holds any of it" in explorer.send("/erase", kind="message", id="m-2", sure="m-2")
    assert "peanuts" not in explorer.page("/thing", name="Nadia")


def test_what_a_cycle_did_is_taken_back(explorer: Explorer) -> None:
    learned(explorer)
    [cycle] = explorer.memory.cycles()
    assert "peanuts" in explorer.page("/cycle", id=cycle.cycle_id)
    assert "undone" in explorer.send("/cycle/undo", id=cycle.cycle_id)
    assert explorer.memory.facts() == []


def test_what_the_next_cycle_would_do_is_shown_before_it_is_done(explorer: Explorer) -> None:
    memory = explorer.memory
    memory.agent("assistant").session("s").observe("Nadia", "I am allergic to peanuts.", at=AT, message_id="m-2")
    ingest.ingest(memory.ctx, ["m-2"])
    assert "peanuts" in explorer.page("/cycles/preview", agent="assistant")
    assert memory.facts() == []
    explorer.send("/cycles/run", agent="assistant")
    assert len(memory.facts()) == 1


def test_dead_letters_are_dropped_and_tried_again(explorer: Explorer) -> None:
    ns = explorer.memory.ctx.ns
    explorer.memory.agent("a").session("s").observe("Ana", "hello", message_id="m-1")
    work.bury(ns, "ingest", "m-1", "it broke", 8, datetime.now(UTC))
    [letter] = work.dead_letters(ns)
    assert "it broke" in explorer.page("/cycles")
    explorer.send("/letter/retry", id=letter.id)
    assert work.dead_letters(ns) == []
    assert work.pending(ns, "ingest", ["m-1"]) == [True]
    work.bury(ns, "ingest", "m-1", "it broke", 8, datetime.now(UTC))
    [letter] = work.dead_letters(ns)
    explorer.send("/letter/drop", id=letter.id)
    assert work.dead_letters(ns) == []


def test_an_agent_has_its_goals_actions_and_episodes(explorer: Explorer) -> None:
    agent = explorer.memory.agent("assistant")
    agent.goals.create("Find a flat", goal_id="flat")
    agent.goals.create_task("Ask three agencies", goal_id="flat")
    agent.record_action("shell", action_id="a-1", input={"cmd": "ls"}, output="found", session_id=None)
    agent.record_episode("query", episode_id="e-1", state={"question": "Where is it?"}, importance=0.8)
    shown = explorer.page("/agent", id="assistant")
    for said in ("Find a flat", "Ask three agencies", "shell", "Where is it?"):
        assert said in shown
    assert "Ask three agencies" in explorer.page("/goal", agent="assistant", id="flat")
    assert "found" in explorer.page("/action", agent="assistant", id="a-1")
    assert "data-curve" in explorer.page("/episode", id="e-1")
    explorer.send("/episode/keep", agent="assistant", id="e-1", verb="pin")
    decay = agent.explain_decay("e-1")
    assert decay is not None
    assert decay.pinned


def test_the_recall_bench_shows_two_settings_beside_each_other_and_uses_up_nothing(explorer: Explorer) -> None:
    agent = explorer.memory.agent("assistant")
    agent.record_episode("query", episode_id="e-1", state={"question": "peanuts in Lisbon"})
    shown = explorer.page("/recall", query="peanuts", b_query="Lisbon", b_channel="text")
    assert shown.count("What a model gets") == 2
    assert "Why here" in shown
    decay = agent.explain_decay("e-1")
    assert decay is not None
    assert decay.last_used is None, "looking is no use"


def test_the_graph_is_walked_two_steps_at_most(explorer: Explorer) -> None:
    agent = explorer.memory.agent("assistant")
    for source, target in (("Ana", "Ben"), ("Ben", "Cem"), ("Cem", "Dua")):
        agent.assert_fact(source, "knows", target)
    assert "Cem" not in explorer.page("/graph", name="Ana")
    two = explorer.page("/graph", name="Ana", steps="9")
    assert "Cem" in two
    assert "Dua" not in two


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text_everywhere(explorer: Explorer, text: str) -> None:
    memory = explorer.memory
    agent = memory.agent("assistant")
    agent.session(text).observe(text, f"{text} I live in Rome", message_id=text)
    agent.assert_fact(text, "knows", text)
    agent.goals.create(text, goal_id=text)
    agent.record_episode("query", episode_id=text, state={"question": text})
    [fact] = memory.facts(text)
    pages = [
        explorer.page("/now"),
        explorer.page("/thing", name=text),
        explorer.page("/fact", id=fact.fact_id),
        explorer.page("/conversations"),
        explorer.page("/conversation", session=text),
        explorer.page("/message", id=text),
        explorer.page("/agents"),
        explorer.page("/agent", id="assistant"),
        explorer.page("/goal", agent="assistant", id=text),
        explorer.page("/episode", id=text),
        explorer.page("/graph", name=text),
        explorer.page("/recall", query=text),
        explorer.page("/erase", kind="message", id=text),
        explorer.client.get("/").text,
    ]
    for shown in pages:
        assert "<script>alert" not in shown
        assert not re.search(r"<(?:svg|img)[^>]+on(?:load|error)=", shown)
        assert "' onmouseover='" not in shown
        seen = re.sub(r'="[^"]*"', "", shown)  # without the attributes: forms send ids as they are
        assert "\u202e" not in seen
        assert "\x1b" not in seen
        assert "49" not in re.findall(r"<bdi>(.*?)</bdi>", shown)


def test_a_page_of_another_namespace_shows_nothing_of_this_one(explorer: Explorer) -> None:
    learned(explorer)
    other = {"namespace": explorer.memory.namespace + "-b"}
    assert explorer.client.get("/message", params={**other, "id": "m-2"}).status_code == 404
    assert "peanuts" not in explorer.client.get("/recall", params={**other, "query": "allergic"}).text.replace("q", "")
    assert "peanuts" not in explorer.client.get("/thing", params={**other, "name": "Nadia"}).text


def test_a_page_without_a_namespace_says_so(explorer: Explorer) -> None:
    answer = explorer.client.get("/now")
    assert answer.status_code == 400
    assert "names no namespace" in answer.text
