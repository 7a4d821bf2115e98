"""Finding entities by word and by meaning, with the embedder that ships."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from reverie import Memory, ModelFailed
from reverie.config.settings import Settings
from reverie.graph import Graph
from reverie.models.embedders.base import Vector, Vectors
from reverie.store import vocabulary


@pytest.fixture(scope="module")
def graph(settings: Settings) -> Iterator[Graph]:
    """One graph for all: embedding it takes a second."""
    with Memory("test-graph-search", settings=settings) as memory:
        graph = memory.graph(app="coach", user="alice")
        graph.delete_user()
        graph.create_entities(
            [
                {
                    "name": "Alice",
                    "entity_type": "person",
                    "observations": ["prefers morning sessions", "is allergic to peanuts", "drinks tea", "likes green"],
                },
                {"name": "Bob", "entity_type": "person", "observations": ["plays the violin in an orchestra"]},
                {"name": "Carol", "entity_type": "person", "observations": ["hates flying"]},
                {"name": "Acme", "entity_type": "company", "observations": ["sells anvils"]},
                {"name": "小明", "entity_type": "person", "observations": ["我喜欢喝美式咖啡"]},
            ]
        )
        graph.create_relations(
            [
                {"source": "Alice", "relation_type": "training_for", "target": "10k race"},
                {"source": "Bob", "relation_type": "works_at", "target": "Acme"},
            ]
        )
        graph.add_session(
            [
                {"content": "The plumber comes on Thursday at nine.", "author": "alice"},
                {"content": "I could not sleep because of the storm.", "author": "alice"},
                {"content": "Shall we meet at the station?", "author": "coach"},
            ],
            "s-1",
        )
        yield graph


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("allergies", ["Alice"]),
        ("green tea", ["Alice"]),
        ("what is she training for?", ["Alice"]),
        ("afraid of airplanes", ["Carol"]),
        ("who plays a musical instrument", ["Bob"]),
        ("companies", ["Acme"]),
        ("咖啡", ["小明"]),
        ("anvil", ["Acme"]),
    ],
)
def test_a_question_finds_whom_it_is_about(graph: Graph, query: str, names: list[str]) -> None:
    found = graph.search_nodes(query, 5)

    assert [node.name for node in found][: len(names)] == names
    assert all(0 < (node.score or 0) <= 1 for node in found)


@pytest.mark.parametrize(
    "query", ["volleyball", "quantum chromodynamics", "recipe for lasagna", "what is it?", "  ", "???"]
)
def test_a_question_about_nothing_here_finds_nothing(graph: Graph, query: str) -> None:
    assert graph.search_nodes(query) == []


def test_words_spread_over_observations_add_up(graph: Graph) -> None:
    [both, *_] = graph.search_nodes("green tea")
    [one, *_] = graph.search_nodes("green submarine")

    assert both.name == one.name == "Alice"
    assert (both.score or 0) > (one.score or 0)


def test_limit_and_least_score_are_kept(graph: Graph) -> None:
    many = graph.search_nodes("person", 10)
    assert len(many) == 4
    assert graph.search_nodes("person", 2) == many[:2]
    least = many[1].score or 0
    assert [node.name for node in graph.search_nodes("person", 10, min_score=least)] == [
        node.name for node in many if (node.score or 0) >= least
    ]
    found = graph.search("person", 3)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert len(graph.search("person", 1)) == 1
    assert graph.search("volleyball", min_score=0.99) == []


def test_a_question_that_only_the_log_answers_finds_the_turn(graph: Graph) -> None:
    [first, *_] = graph.search("when does the plumber come?")

    assert (first.kind, first.content, first.author, first.session_id) == (
        "turn",
        "The plumber comes on Thursday at nine.",
        "alice",
        "s-1",
    )
    assert graph.search_nodes("plumber") == []
    assert [hit.content for hit in graph.search("sleepless night")][:1] == ["I could not sleep because of the storm."]


def test_a_blank_question_gives_the_card(graph: Graph) -> None:
    [card] = graph.search(" \n")

    assert (card.kind, card.content, card.score) == ("card", graph.profile_card(), 1.0)


class BrokenEmbedder:
    """Has the name of the one that ships and never answers."""

    name = "multilingual-e5-small"
    dimension = 384

    def documents(self, texts: list[str]) -> Vectors:
        raise ModelFailed("out of order")

    def query(self, text: str) -> Vector:
        raise ModelFailed("out of order")


def test_without_its_embedder_a_graph_is_written_and_found_by_word(settings: Settings, namespace: str) -> None:
    with Memory(namespace, settings=settings, embedder=BrokenEmbedder()) as memory:
        graph = memory.graph(app="coach", user="alice")
        graph.create_entities([{"name": "Alice", "observations": ["is allergic to peanuts"]}])
        graph.add_session(["The plumber comes on Thursday."])
        for query in ("allergies", "Alice", "peanut"):
            assert [node.name for node in graph.search_nodes(query)] == ["Alice"]
        assert [hit.kind for hit in graph.search("plumber")] == ["turn"]
        waiting = memory.ctx.ns.client.zrange(memory.ctx.ns.keys.work("embed"), 0, -1)
        assert len(waiting) == 3
        graph.delete_user()
        assert memory.ctx.ns.client.zrange(memory.ctx.ns.keys.work("embed"), 0, -1) == []


def test_the_log_is_kept_in_order_and_once(settings: Settings, namespace: str) -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    with Memory(namespace, settings=settings, embedder=BrokenEmbedder()) as memory:
        graph = memory.graph(app="coach", user="alice")
        entries = [{"content": "hello", "author": "a", "at": noon}, {"content": "hi", "author": "b", "at": noon}]
        first = graph.add_session(entries, "s-1")
        again = graph.add_session([*entries, "later"], "s-1")
        graph.add_session(["elsewhere"], "s-2")
        graph.add_session(["hello"])

        assert first == again[:2]
        assert [turn.content for turn in graph.turns("s-1")] == ["hello", "hi", "later"]
        assert len(graph.turns()) == 5
        assert [turn.content for turn in graph.turns(newest=1)] == ["hello"]
        assert graph.delete_session("s-1").turns == 3
        assert graph.delete_session("s-1").turns == 0
        assert [turn.content for turn in graph.turns()] == ["elsewhere", "hello"]
        assert graph.search("hi") == []
        health = graph.health_check()
        assert (health.ok, health.turns) == (True, 2)


def test_words_that_are_everywhere_are_not_looked_up_as_long_as_others_tell_more(
    settings: Settings, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabulary, "_MANY", 5)
    monkeypatch.setattr(vocabulary, "_HIGH", 5)
    with Memory(namespace, settings=settings, embedder=BrokenEmbedder()) as memory:
        graph = memory.graph(app="coach", user="alice")
        graph.create_entities([{"name": f"n{n}", "observations": [f"topic number{n % 4}"]} for n in range(12)])
        first = graph.search_nodes("topic number3", 20)
        assert vocabulary.telling(memory.ctx.ns, graph.handle.at.id, ("topic", "number3")) == ("number3",)
        assert vocabulary.telling(memory.ctx.ns, graph.handle.at.id, ("topic",)) == ("topic",)
        second = graph.search_nodes("topic number3", 20)

        best = [(node.name, node.score) for node in second]
        assert sorted(best) == sorted((node.name, node.score) for node in first if node.score == 0.7)
        assert {name for name, _ in best} == {"n3", "n7", "n11"}
        assert len(graph.search_nodes("topic", 20)) == 12
