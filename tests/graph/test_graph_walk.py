"""Walking along relations."""

import pytest

from reverie import Memory
from reverie.graph import Graph


@pytest.fixture
def graph(quick_memory: Memory) -> Graph:
    """a -> b -> c -> d -> a, and e -> b; only a and c are entities."""
    graph = quick_memory.graph(app="coach", user="alice")
    graph.create_entities([{"name": "a", "entity_type": "person"}, {"name": "c", "entity_type": "place"}])
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("e", "b"), ("a", "a")]
    graph.create_relations([{"source": one, "relation_type": "leads_to", "target": two} for one, two in pairs])
    return graph


def reached(graph: Graph, name: str, **bounds: int) -> dict[str, int]:
    return {one.name: one.distance for one in graph.neighbours(name, **bounds).neighbours}


def test_neighbours_are_reached_in_either_direction_up_to_the_depth(graph: Graph) -> None:
    assert reached(graph, "a") == {"b": 1, "d": 1}
    assert reached(graph, "a", depth=2) == {"b": 1, "d": 1, "c": 2, "e": 2}
    assert reached(graph, "e", depth=6) == {"b": 1, "a": 2, "c": 2, "d": 3}
    assert reached(graph, "nobody", depth=3) == {}


def test_the_limit_bounds_the_names_and_the_relations_stay_among_them(graph: Graph) -> None:
    found = graph.neighbours("a", depth=6, limit=2)

    assert len(found.neighbours) == 2
    names = {"a", *(one.name for one in found.neighbours)}
    assert found.relations
    assert all({one.source, one.target} <= names for one in found.relations)


def test_a_name_that_was_never_created_has_no_type(graph: Graph) -> None:
    assert {one.name: one.entity_type for one in graph.neighbours("a", depth=2).neighbours} == {
        "b": None,
        "d": None,
        "c": "place",
        "e": None,
    }
