"""The graph in two times: when it held, and when it was believed."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from conftest import Clock, WordEmbedder

from reverie import Memory, ValidationFailed
from reverie.config.settings import Settings
from reverie.graph import Graph

HOUR = timedelta(hours=1)


@pytest.fixture
def graph(settings: Settings, namespace: str, clock: Clock) -> Iterator[Graph]:
    with Memory(namespace, settings=settings, embedder=WordEmbedder(), clock=clock) as memory:
        yield memory.graph(app="coach", user="alice")


def seen(graph: Graph, **moments: object) -> list[str]:
    return [one.text for node in graph.open_nodes(["Ana"], **moments) for one in node.observations]


def test_the_past_can_be_asked_for_in_both_times(graph: Graph, clock: Clock) -> None:
    [ana] = graph.create_entities([{"name": "Ana", "observations": ["lives in Paris"]}])
    in_paris = clock.at
    moved = clock.move(hours=2)
    clock.move(hours=2)
    learnt = clock.at
    graph.invalidate_observation(ana.observations[0].id, at=moved)
    graph.add_observations("Ana", [{"text": "lives in Lyon", "valid_from": moved}])

    assert seen(graph) == ["lives in Lyon"]
    assert seen(graph, valid_as_of=in_paris) == ["lives in Paris"]
    assert seen(graph, valid_as_of=moved + HOUR) == ["lives in Lyon"]
    assert seen(graph, valid_as_of=moved + HOUR, known_as_of=learnt - HOUR) == ["lives in Paris"]
    assert seen(graph, known_as_of=in_paris - HOUR) == []
    assert graph.read_graph(known_as_of=in_paris - HOUR).entities == ()


def test_search_card_neighbours_and_graph_answer_as_of_the_same_times(graph: Graph, clock: Clock) -> None:
    [ana] = graph.create_entities([{"name": "Ana", "observations": ["lives in Paris"]}])
    [edge] = graph.create_relations([{"source": "Ana", "relation_type": "works_at", "target": "Acme"}])
    before = clock.at
    clock.move(hours=1)
    graph.invalidate_observation(ana.observations[0].id)
    graph.invalidate_relation(edge.id, reason="left")
    graph.add_observations("Ana", ["lives in Lyon"])
    clock.move(hours=1)

    assert graph.search_nodes("Paris") == graph.search_nodes("Acme") == []
    assert [node.name for node in graph.search_nodes("Paris", valid_as_of=before)] == ["Ana"]
    assert [node.name for node in graph.search_nodes("Acme", valid_as_of=before)] == ["Ana"]
    assert graph.search_nodes("Lyon", valid_as_of=before) == []
    assert [node.name for node in graph.search_nodes("Paris", valid_as_of=clock.at, known_as_of=before)] == ["Ana"]
    assert graph.profile_card(valid_as_of=before) == "Ana (thing): lives in Paris"
    assert graph.profile_card() == "Ana (thing): lives in Lyon"
    assert graph.neighbours("Ana").neighbours == ()
    assert [one.name for one in graph.neighbours("Ana", valid_as_of=before).neighbours] == ["Acme"]
    assert [one.target for one in graph.read_graph(valid_as_of=before).relations] == ["Acme"]
    assert graph.read_graph().relations == ()


def test_what_begins_later_is_not_yet_true(graph: Graph, clock: Clock) -> None:
    later = clock.at + 5 * HOUR
    graph.create_entities([{"name": "Ana", "observations": [{"text": "works at Acme", "valid_from": later}]}])

    assert seen(graph) == graph.search_nodes("Acme") == []
    clock.move(hours=6)
    assert seen(graph) == ["works at Acme"]
    assert [node.name for node in graph.search_nodes("Acme")] == ["Ana"]


def test_what_was_to_begin_can_be_called_off(graph: Graph, clock: Clock) -> None:
    [ana] = graph.create_entities(
        [{"name": "Ana", "observations": [{"text": "moves to Rome", "valid_from": clock.at + 5 * HOUR}]}]
    )
    ended = graph.invalidate_observation(ana.observations[0].id, reason="stays")
    clock.move(hours=6)

    assert ended.reason == "stays"
    assert seen(graph) == graph.search_nodes("Rome") == []


def test_what_ends_later_is_still_true(graph: Graph, clock: Clock) -> None:
    [ana] = graph.create_entities([{"name": "Ana", "observations": ["rents a flat"]}])
    graph.invalidate_observation(ana.observations[0].id, at=clock.at + 5 * HOUR)

    assert seen(graph) == ["rents a flat"]
    clock.move(hours=6)
    assert seen(graph) == graph.search_nodes("flat") == []


def test_there_and_back_again_gives_three_intervals(graph: Graph, clock: Clock) -> None:
    moments = []
    for place in ("Paris", "Lyon", "Paris"):
        [stored] = graph.remember("Ana", [f"lives in {place}"]).stored
        moments.append(clock.move(hours=1))
        clock.move(hours=1)
        graph.forget(stored.id)

    assert [seen(graph, valid_as_of=at) for at in moments] == [
        ["lives in Paris"],
        ["lives in Lyon"],
        ["lives in Paris"],
    ]
    assert seen(graph) == []


def test_a_naive_time_is_refused(graph: Graph, clock: Clock) -> None:
    with pytest.raises(ValidationFailed, match="time zone"):
        graph.open_nodes(["Ana"], valid_as_of=clock.at.replace(tzinfo=None))


def test_adding_and_ending_refresh_the_time_of_the_entity(graph: Graph, clock: Clock) -> None:
    graph.create_entities([{"name": "Ana", "observations": ["sings"]}, {"name": "Bob"}])
    clock.move(hours=1)
    graph.create_entities([{"name": "Eve"}])
    assert graph.profile_card(entities=1) == "Eve (thing)"
    clock.move(hours=1)
    [fact] = graph.add_observations("Ana", ["paints"])
    assert graph.profile_card(entities=1) == "Ana (thing): paints; sings"
    clock.move(hours=1)
    graph.create_entities([{"name": "Bob"}])
    assert graph.profile_card(entities=1) == "Bob (thing)"
    clock.move(hours=1)
    graph.invalidate_observation(fact.id)
    assert graph.profile_card(entities=1) == "Ana (thing): sings"
