"""How memories, agents and what they give look where people see them."""

import subprocess
import sys

import pytest

import reverie
from reverie import Memory, NotFound


def test_each_says_what_it_is_in_one_line(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    name = quick_memory.namespace

    assert repr(quick_memory) == f"Memory({name!r})"
    assert repr(agent) == f"Agent('assistant', namespace={name!r})"
    assert repr(agent.session("s-1")) == f"Session('s-1', agent='assistant', namespace={name!r})"
    assert repr(agent.goals) == f"Goals(agent='assistant', namespace={name!r})"
    assert repr(quick_memory.graph("coach", "alice")) == f"Graph(app='coach', user='alice', namespace={name!r})"


def test_a_bundle_is_a_collection_of_its_items(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s-1").observe("ana", "The <b>zeppelin</b> flies at noon.")
    bundle = agent.recall("zeppelin noon", 3)

    assert len(bundle) == len(list(bundle)) == len(bundle.items) == 1
    assert "1 items" in repr(bundle)
    assert "\n" not in repr(bundle)
    assert str(bundle) == bundle.render()
    table = bundle._repr_html_()
    assert "&lt;b&gt;zeppelin&lt;/b&gt;" in table
    assert "<b>" not in table
    assert len(agent.recall("nothing of the kind", sessions=["none"])) == 0


def test_a_notebook_shows_facts_and_cards_as_tables(quick_memory: Memory) -> None:
    agent, graph = quick_memory.agent("assistant"), quick_memory.graph("coach", "alice")
    agent.assert_fact("Ana", "prefers", "<script>dark</script> mode")
    graph.remember("Alice", ["runs on Mondays"], "person")
    facts, card = agent.facts("Ana"), graph.profile_card()

    assert facts == list(facts)
    assert "&lt;script&gt;dark" in facts._repr_html_()  # type: ignore[attr-defined]  # what a notebook asks for
    assert card == "Alice (person): runs on Mondays"
    assert "<td>Alice (person)</td><td>runs on Mondays</td>" in card._repr_html_()  # type: ignore[attr-defined]  # too


def test_waiting_for_what_was_never_said_is_not_found(quick_memory: Memory) -> None:
    with pytest.raises(NotFound, match="nope"):
        quick_memory.wait("nope", timeout=1)


def test_the_version_is_told() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "reverie.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout == f"reverie {reverie.__version__}\n"
