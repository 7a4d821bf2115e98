"""A graph belongs to its (app, user), and to nobody else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from searching import search

from reverie import Memory, NotFound
from reverie.store.graphs import GraphKeys
from reverie.store.keys import encode
from reverie.store.namespace import Namespace
from reverie.store.search import Filter, Search

OWNERS = [
    ("coach", "alice"),
    ("coach", "Alice"),
    ("coach", "bob"),
    ("coach", "bob,carol"),
    ("coach", "carol"),
    ("coach", "alice "),
    ("coach", "*"),
    ("coach", "{alice}"),
    ("coach", "550e8400-e29b-41d4-a716-446655440000"),
    ("coach", "咖啡"),
    ("coacha", "lice"),
    ("Coach", "alice"),
    ("alice", "coach"),
]


def test_every_owner_sees_its_own_and_nothing_else(quick_memory: Memory) -> None:
    graphs = {owner: quick_memory.graph(app=owner[0], user=owner[1]) for owner in OWNERS}
    for number, graph in enumerate(graphs.values()):
        graph.create_entities([{"name": "Self", "observations": [f"secret number{number}"]}])
        graph.create_relations([{"source": "Self", "relation_type": "owns", "target": f"thing{number}"}])
        graph.add_session([f"I said secret number{number}"], "s-1")

    for number, graph in enumerate(graphs.values()):
        [node] = graph.search_nodes("secret", 100)
        assert [one.text for one in node.observations] == [f"secret number{number}"]
        assert [one.target for one in graph.read_graph().relations] == [f"thing{number}"]
        assert [turn.content for turn in graph.turns()] == [f"I said secret number{number}"]
        found = graph.search("secret", 100)
        assert {hit.kind for hit in found} == {"entity", "turn"}
        assert all(f"number{number}" in hit.content for hit in found)
        assert graph.profile_card() == f"Self (thing): secret number{number}"
        assert [one.name for one in graph.neighbours("Self").neighbours] == [f"thing{number}"]


def test_an_id_of_another_user_is_not_found_and_changes_nothing(quick_memory: Memory) -> None:
    alice = quick_memory.graph(app="coach", user="alice")
    bob = quick_memory.graph(app="coach", user="bob")
    [stored] = alice.create_entities([{"name": "Alice", "observations": ["plays chess"]}])
    [edge] = alice.create_relations([{"source": "Alice", "relation_type": "knows", "target": "Carol"}])
    bob.create_entities([{"name": "Alice", "observations": ["is a friend"]}])
    before = alice.read_graph()

    for attempt in (bob.invalidate_observation, bob.invalidate_relation, bob.forget):
        for id in (stored.observations[0].id, edge.id):
            with pytest.raises(NotFound):
                attempt(id)
    bob.delete_entities(["Alice"])

    assert alice.read_graph() == before


def test_another_namespace_sees_nothing(quick_memory: Memory) -> None:
    quick_memory.graph(app="coach", user="alice").create_entities([{"name": "Alice", "observations": ["plays chess"]}])
    name, ctx = quick_memory.namespace + "2", quick_memory.ctx
    with Memory(name, settings=quick_memory.settings, embedder=ctx.embedder) as other:
        graph = other.graph(app="coach", user="alice")
        assert graph.search_nodes("chess") == graph.open_nodes(["Alice"]) == []
        assert graph.profile_card() == ""


def test_no_agent_recalls_a_graph_and_no_graph_finds_what_agents_wrote(quick_memory: Memory) -> None:
    graph = quick_memory.graph(app="coach", user="alice")
    graph.create_entities([{"name": "Alice", "observations": ["plays chess"]}])
    graph.add_session(["I play chess"])
    quick_memory.agent("coach").session("s").observe(sender="alice", content="We talked of chess.")
    ns = quick_memory.ctx.ns
    tag = f"_g{GraphKeys(ns, 'coach', 'alice').id}"

    for agent in ("coach", "alice", "coach/alice", tag):
        hits = search(ns, Search(Filter(owner=agent), 100, keywords=("chess",)))
        assert {hit.kind for hit in hits} == {"message"}
    assert {hit.kind for hit in graph.search("chess")} == {"entity", "turn"}


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(st.text(min_size=1), st.text(min_size=1), st.text()),
    st.tuples(st.text(min_size=1), st.text(min_size=1), st.text()),
)
def test_different_owners_and_names_never_share_an_id(
    fake_ns: Namespace, one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    first, second = GraphKeys(fake_ns, *one[:2]), GraphKeys(fake_ns, *other[:2])

    assert (first.id == second.id) == (one[:2] == other[:2])
    assert (first.entity_id(one[2]) == second.entity_id(other[2])) == (one == other)
    assert encode(first.id) == first.id
