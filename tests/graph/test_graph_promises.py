"""What the graph promises, one test a promise."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from reverie import Memory, NotFound, ValidationFailed
from reverie.graph import Graph


@pytest.fixture
def graph(quick_memory: Memory) -> Graph:
    return quick_memory.graph(app="coach", user="alice")


def texts(graph: Graph, name: str = "Alice") -> list[str]:
    return [one.text for node in graph.open_nodes([name]) for one in node.observations]


def test_a_graph_is_written_and_read_back(graph: Graph) -> None:
    [stored] = graph.create_entities(
        [
            {
                "name": "Alice",
                "entity_type": "person",
                "observations": ["prefers morning sessions", "goal: run a 10k"],
            }
        ]
    )
    graph.create_relations([{"source": "Alice", "relation_type": "training_for", "target": "10k race"}])
    graph.add_observations("Alice", ["timezone is CET"])

    assert (stored.name, stored.entity_type, stored.created) == ("Alice", "person", True)
    assert [hit.name for hit in graph.search_nodes("what is she training for?", 5)] == ["Alice"]
    [alice] = graph.open_nodes(["Alice"])
    assert [one.text for one in alice.observations] == [
        "timezone is CET",
        "goal: run a 10k",
        "prefers morning sessions",
    ]
    whole = graph.read_graph()
    assert [entity.name for entity in whole.entities] == ["Alice"]
    assert [(one.source, one.relation_type, one.target) for one in whole.relations] == [
        ("Alice", "training_for", "10k race")
    ]
    assert graph.profile_card() == "Alice (person): timezone is CET; prefers morning sessions; goal: run a 10k"


def test_a_target_that_was_never_created_is_no_entity(graph: Graph) -> None:
    graph.create_entities([{"name": "Alice", "observations": ["plays the violin"]}])
    graph.create_relations([{"source": "Alice", "relation_type": "works_at", "target": "Acme"}])

    assert graph.entity_count() == 1
    [found] = graph.search_nodes("violin")
    assert found.name == "Alice"
    assert [relation.target for relation in found.relations] == ["Acme"]
    assert graph.open_nodes(["Acme"]) == []


def test_creating_again_keeps_one_entity_with_all_observations(graph: Graph) -> None:
    [first] = graph.create_entities([{"name": "Alice", "entity_type": "person", "observations": ["a", "b"]}])
    [second] = graph.create_entities([{"name": "Alice", "observations": ["B", "c"]}])

    assert (first.created, second.created) == (True, False)
    assert graph.entity_count() == 1
    assert second.entity_type == "person"
    assert [(one.text, one.created, one.support) for one in second.observations] == [("b", False, 2), ("c", True, 1)]
    assert sorted(texts(graph)) == ["a", "b", "c"]
    [third] = graph.create_entities([{"name": "Alice", "entity_type": "runner"}])
    assert third.entity_type == graph.open_nodes(["Alice"])[0].entity_type == "runner"


def test_what_is_named_twice_in_one_call_is_one(graph: Graph) -> None:
    [stored] = graph.create_entities(
        [{"name": "Alice", "observations": ["a", "a"]}, {"name": "Alice", "entity_type": "person"}]
    )
    relation = {"source": "Alice", "relation_type": "knows", "target": "Bob"}
    made = graph.create_relations([relation, relation])

    assert (stored.entity_type, [one.text for one in stored.observations]) == ("person", ["a"])
    assert len(made) == len(graph.read_graph().relations) == 1


def test_the_same_current_relation_again_is_one(graph: Graph) -> None:
    relation = {"source": "Alice", "relation_type": "works_at", "target": "Acme"}
    [first] = graph.create_relations([relation])
    [second] = graph.create_relations([relation])
    graph.invalidate_relation(first.id)
    assert graph.read_graph().relations == ()
    [third] = graph.create_relations([relation])

    assert (first.created, second.created, third.created) == (True, False, True)
    assert len(graph.read_graph().relations) == 1


def test_adding_to_an_unknown_entity_is_not_found(graph: Graph) -> None:
    with pytest.raises(NotFound, match="Nobody"):
        graph.add_observations("Nobody", ["is missing"])
    assert graph.entity_count() == 0


def test_invalidate_then_add_shows_only_the_new(graph: Graph) -> None:
    [alice] = graph.create_entities([{"name": "Alice", "observations": ["lives in Paris"]}])
    graph.invalidate_observation(alice.observations[0].id, reason="moved")
    graph.add_observations("Alice", ["lives in Lyon"])

    assert texts(graph) == ["lives in Lyon"]
    assert graph.search_nodes("Paris") == []
    assert graph.profile_card() == "Alice (thing): lives in Lyon"


def test_a_stated_fact_that_ended_can_begin_again(graph: Graph) -> None:
    [alice] = graph.create_entities([{"name": "Alice", "observations": ["lives in Paris"]}])
    graph.invalidate_observation(alice.observations[0].id)
    [again] = graph.add_observations("Alice", ["lives in Paris"])

    assert again.created
    assert texts(graph) == ["lives in Paris"]
    assert [node.name for node in graph.search_nodes("Paris")] == ["Alice"]


def test_invalidating_twice_keeps_the_first_time(graph: Graph) -> None:
    [alice] = graph.create_entities([{"name": "Alice", "observations": ["lives in Paris"]}])
    first = graph.invalidate_observation(alice.observations[0].id, reason="moved")
    second = graph.invalidate_observation(alice.observations[0].id, reason="another reason")

    assert first.valid_to is not None
    assert (second.valid_to, second.reason) == (first.valid_to, "moved")


@pytest.mark.parametrize("id", ["", "unknown", "o" + "0" * 24, "../x", "*"])
def test_an_unknown_id_is_not_found(graph: Graph, id: str) -> None:
    error = ValidationFailed if id == "" else NotFound
    with pytest.raises(error):
        graph.invalidate_observation(id)
    with pytest.raises(error):
        graph.invalidate_relation(id)
    with pytest.raises(error):
        graph.forget(id)


def test_deleting_one_end_removes_the_edge(graph: Graph) -> None:
    graph.create_entities([{"name": "Alice"}, {"name": "Acme", "observations": ["sells anvils"]}])
    graph.create_relations(
        [
            {"source": "Alice", "relation_type": "works_at", "target": "Acme"},
            {"source": "Alice", "relation_type": "knows", "target": "Bob"},
        ]
    )

    gone = graph.delete_entities(["Acme", "Nobody"])

    assert (gone.entities, gone.observations, gone.relations) == (1, 1, 1)
    assert [relation.target for relation in graph.read_graph().relations] == ["Bob"]
    assert [relation.target for relation in graph.open_nodes(["Alice"])[0].relations] == ["Bob"]
    assert graph.search_nodes("anvils") == graph.search_nodes("Acme") == []


def test_deleting_the_user_leaves_nothing(graph: Graph, quick_memory: Memory) -> None:
    bob = quick_memory.graph(app="coach", user="bob")
    bob.create_entities([{"name": "Bob", "observations": ["plays chess"]}])
    [alice] = graph.create_entities([{"name": "Alice", "observations": ["plays chess", "sings"]}])
    graph.invalidate_observation(alice.observations[1].id)
    graph.create_relations([{"source": "Nowhere", "relation_type": "near", "target": "Elsewhere"}])
    graph.add_session(["I play chess"], "s-1")

    gone = graph.delete_user()

    assert (gone.entities, gone.observations, gone.relations, gone.turns) == (1, 2, 1, 1)
    assert graph.read_graph().entities == graph.read_graph().relations == ()
    assert graph.search("chess") == graph.search(" ") == graph.turns() == []
    assert graph.profile_card() == ""
    client, tag = quick_memory.ctx.ns.client, quick_memory.ctx.ns.keys.tag
    with_graph = [key for key in client.scan_iter(match=f"*{tag}*") if graph_id(graph).encode() in key]
    assert with_graph == []
    left = list(client.scan_iter(match=f"*{tag}*graph_*"))
    assert len(left) == 4  # Bob's entity and observation, each with its row
    assert [hit.name for hit in bob.search_nodes("chess")] == ["Bob"]


def graph_id(graph: Graph) -> str:
    return graph.handle.at.id


def test_many_threads_that_create_the_same_entity_make_one(graph: Graph) -> None:
    wanted = [{"name": "Alice", "entity_type": "person", "observations": ["plays chess"]}]
    with ThreadPoolExecutor(32) as pool:
        stored = [one[0] for one in pool.map(lambda _: graph.create_entities(wanted), range(32))]

    assert graph.entity_count() == 1
    assert sum(one.created for one in stored) == 1
    assert len({one.observations[0].id for one in stored}) == 1
    [alice] = graph.open_nodes(["Alice"])
    assert [(one.text, one.support) for one in alice.observations] == [("plays chess", 32)]


def test_names_keep_their_case(graph: Graph) -> None:
    graph.create_entities([{"name": "Polish", "entity_type": "language"}, {"name": "polish", "entity_type": "product"}])

    assert [node.entity_type for node in graph.open_nodes(["polish", "Polish", "POLISH"])] == ["product", "language"]


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda g: g.create_entities([{"name": "  "}]), "entities.0.name"),
        (lambda g: g.create_entities([{"name": "x" * 257}]), "entities.0.name"),
        (lambda g: g.create_entities([{"name": "a", "observations": [" "]}]), "entities.0.observations.0.text"),
        (lambda g: g.create_relations(
            [{"source": "a", "relation_type": " ", "target": "b"}]
        ), "relations.0.relation_type"),
        (lambda g: g.add_observations("a", []), "observations"),
        (lambda g: g.add_observations("a", "text"), "observations"),
        (lambda g: g.remember("", ["x"]), "entity"),
        (lambda g: g.remember("a", []), "facts"),
        (lambda g: g.search_nodes("x", -1), "limit"),
        (lambda g: g.search("x", min_score=2.0), "min_score"),
        (lambda g: g.neighbours("a", depth=0), "depth"),
        (lambda g: g.profile_card(characters=-1), "characters"),
        (lambda g: g.add_session([{"content": " "}]), "entries.0.content"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_by_name(graph: Graph, call: object, field: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        call(graph)  # type: ignore[operator]  # each is a function of a graph
    assert caught.value.field == field
    assert graph.entity_count() == 0


@pytest.mark.parametrize(("app", "user", "field"), [("", "u", "app"), ("a", "", "user")])
def test_a_graph_has_an_owner(quick_memory: Memory, app: str, user: str, field: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        quick_memory.graph(app=app, user=user)
    assert caught.value.field == field
