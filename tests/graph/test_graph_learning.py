"""What the extraction learns of a user, in the user's graph."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.graph import Graph
from reverie.pipelines.graph import learning
from reverie.pipelines.ingest import ingest

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    wanted = settings.model_copy(update={"graph_learns": True})
    with Memory(namespace, settings=wanted, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture
def graph(memory: Memory) -> Graph:
    return memory.graph(app="assistant", user="Ana")


def hear(memory: Memory, content: str, hours: int = 0, role: str = "user") -> str:
    """Say it, ingest it and learn from it, as the workers do."""
    session = memory.agent("assistant").session("s-1")
    receipt = session.observe(sender="Ana", content=content, at=NOON + timedelta(hours=hours), role=role)
    ingest(memory.ctx, [receipt.message_id])
    learning.learn(memory.ctx, [receipt.message_id])
    return receipt.message_id


def known(graph: Graph) -> dict[str, str]:
    return {one.text: one.provenance for node in graph.open_nodes(["Ana"]) for one in node.observations}


def test_what_a_user_says_is_marked_as_inferred_with_its_source(memory: Memory, graph: Graph) -> None:
    message = hear(memory, "I work at Acme as a designer.")

    [ana] = graph.open_nodes(["Ana"])
    assert ana.entity_type == "person"
    assert {one.provenance for one in ana.observations} == {"inferred"}
    assert {one.sources for one in ana.observations} == {(message,)}
    assert "(inferred)" in graph.profile_card()
    assert [node.name for node in graph.search_nodes("Acme")][:1] == ["Ana"]


def test_learning_twice_changes_nothing(memory: Memory, graph: Graph) -> None:
    message = hear(memory, "I work at Acme.")
    before = graph.read_graph()
    learning.learn(memory.ctx, [message])

    assert [entity.observations for entity in graph.read_graph().entities] == [
        entity.observations for entity in before.entities
    ]


def test_a_later_word_takes_over_whatever_the_order_of_arrival(memory: Memory, graph: Graph) -> None:
    hear(memory, "I live in Lyon.", hours=2)
    hear(memory, "I live in Paris.", hours=1)

    assert len(known(graph)) == 1
    assert "Lyon" in next(iter(known(graph)))
    past = graph.open_nodes(["Ana"], valid_as_of=NOON + timedelta(hours=1.5))
    assert ["Paris" in one.text for node in past for one in node.observations] == [True]


def test_the_curated_part_always_wins(memory: Memory, graph: Graph) -> None:
    hear(memory, "I live in Paris.")
    [inferred] = graph.open_nodes(["Ana"])[0].observations
    graph.forget(inferred.id, "never did")
    hear(memory, "I live in Paris.", hours=1)
    assert known(graph) == {}

    graph.remember("Ana", ["lives on the moon"])
    graph.relate("Ana", "lives_in", "Rome")
    hear(memory, "I live in Lyon.", hours=2)
    hear(memory, "I play chess.", hours=3)

    assert "Lyon" not in " ".join(known(graph))
    assert graph.profile_card(entities=1, observations=1) == "Ana (person): lives on the moon"
    for text, provenance in known(graph).items():
        assert provenance == ("curated" if text == "lives on the moon" else "inferred")


def test_a_curated_word_takes_over_an_inferred_one(memory: Memory, graph: Graph) -> None:
    hear(memory, "I play chess.")
    [text] = known(graph)
    graph.remember("Ana", [text])

    assert known(graph) == {text: "curated"}


def test_what_was_erased_or_not_said_by_a_user_is_not_learnt(memory: Memory, graph: Graph) -> None:
    hear(memory, "I work at Acme.", role="system")
    assert learning.learn(memory.ctx, ["gone"]) == learning.Learnt(0, 0)

    assert graph.entity_count() == 0


def test_what_an_erased_word_ended_opens_again(memory: Memory, graph: Graph) -> None:
    hear(memory, "I live in Paris.", hours=1)
    later = hear(memory, "I live in Zyxtown.", hours=2)
    assert "Zyxtown" in next(iter(known(graph)))

    report = memory.forget(message=later, verify=True)

    assert report.verified, report.traces
    [home] = graph.open_nodes(["Ana"])[0].observations
    assert ("Paris" in home.text, home.valid_from, home.valid_to) == (True, NOON + timedelta(hours=1), None)


def test_of_three_words_the_middle_one_is_erased(memory: Memory, graph: Graph) -> None:
    for hours, place in enumerate(("Paris", "Zyxtown", "Lyon"), start=1):
        hear(memory, f"I live in {place}.", hours)
    middle = memory.agent("assistant").session("s-1").messages()[1]

    memory.forget(message=middle.message_id)

    past = graph.open_nodes(["Ana"], valid_as_of=NOON + timedelta(hours=2.5))[0].observations
    assert ["Paris" in one.text for one in past] == [True]
    assert ["Lyon" in text for text in known(graph)] == [True]


def test_what_two_messages_said_keeps_nothing_of_the_erased_one(memory: Memory, graph: Graph) -> None:
    first = hear(memory, "I play chess.", hours=1)
    second = hear(memory, "I play chess.", hours=5)

    memory.forget(message=first)

    [left] = graph.open_nodes(["Ana"])[0].observations
    assert (left.sources, left.valid_from) == ((second,), NOON + timedelta(hours=5))


def test_what_a_curator_ended_stays_ended(memory: Memory, graph: Graph) -> None:
    hear(memory, "I live in Paris.", hours=1)
    [home] = graph.open_nodes(["Ana"])[0].observations
    later = hear(memory, "I live in Lyon.", hours=2)
    graph.forget(home.id, "wrong")

    memory.forget(message=later)

    assert known(graph) == {}
