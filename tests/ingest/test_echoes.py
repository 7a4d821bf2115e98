"""What recall gave is never learned again, whatever kind it was."""

import pytest

from reverie import Memory
from reverie.config.settings import Settings
from reverie.knowledge.quotation import own_words
from reverie.pipelines.ingest import ingest


@pytest.mark.parametrize("echo", ["Nadia lives in Rome.", "nadia  lives in rome", "Sure: Nadia lives in Rome!"])
def test_a_fact_that_recall_gave_is_not_learned_from_its_echo(settings: Settings, namespace: str, echo: str) -> None:
    with Memory(namespace, settings=settings.model_copy(update={"extract_roles": ("user", "assistant")})) as memory:
        agent = memory.agent("assistant")
        agent.session("s").observe(sender="Nadia", content="Where do I live?")
        fact = agent.assert_fact(subject="Nadia", predicate="lives in", object="Rome")
        assert agent.recall("Where does Nadia live?", kinds=["fact"]).items[0].id == fact.fact_id
        for _ in range(3):
            heard = agent.session("s").observe(sender="assistant", role="assistant", content=echo)
            ingest(memory.ctx, [heard.message_id])
            assert memory.observations_from(heard.message_id) == []
        agent.consolidate()
        [stands] = memory.facts("Nadia")
        assert stands.observation_count == 1


def test_an_echo_of_a_fact_with_a_second_version_is_known_too(quick_memory: Memory) -> None:
    from reverie.store import recalled

    agent = quick_memory.agent("assistant")
    before = quick_memory.ctx.clock()
    agent.assert_fact(subject="Nadia", predicate="lives in", object="Rome")
    agent.assert_fact(subject="Nadia", predicate="lives in", object="Oslo")
    agent.assert_fact(subject="Nadia", predicate="lives in", object="Rome")
    agent.recall("Nadia lives in Rome", kinds=["fact"])
    given = recalled.between(quick_memory.ctx.ns, "assistant", before, quick_memory.ctx.clock())
    assert {echo.text for echo in given} == {"Nadia lives in Rome"}


@pytest.mark.parametrize(
    ("text", "item", "left"),
    [
        ("Bo is ill. I am not.", "Bo is ill", "I am not."),
        ("Bo is illiterate.", "Bo is ill", "Bo is illiterate."),
        ("I think Bo is ill.", "Bo is ill", "I think Bo is ill."),
        ("Yes.", "yes", "Yes."),
    ],
)
def test_a_short_item_is_an_echo_as_a_sentence_of_its_own(text: str, item: str, left: str) -> None:
    assert own_words(text, [item]).strip(" .\n") == left.strip(" .")
