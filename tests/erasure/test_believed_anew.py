"""What is believed after an erasure is what a memory believes that never heard the erased."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import consolidate, ingest
from reverie.pipelines.facts import FactView

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
Open = Callable[[str], Memory]


@pytest.fixture
def opened(settings: Settings, namespace: str) -> Iterator[Open]:
    """Opens memories beside each other, with a word in their names."""
    memories: list[Memory] = []

    def open_one(word: str) -> Memory:
        memories.append(Memory(f"{namespace}-{word}", settings=settings, embedder=WordEmbedder()))
        return memories[-1]

    yield open_one
    for memory in memories:
        memory.close()


def tell(memory: Memory, day: int, content: str, sender: str = "Ana") -> str:
    at = START + timedelta(days=day)
    session = memory.agent("assistant").session("s-1")
    id = session.observe(sender=sender, content=content, at=at, message_id=f"m-{day}").message_id
    ingest.ingest(memory.kb, [id])
    return id


def consolidated(memory: Memory) -> None:
    consolidate.consolidate(memory.kb, "assistant")


def life(view: FactView) -> tuple[object, ...]:
    """A version of a fact as far as it does not depend on when the machine worked it out."""
    return (
        view.fact_id, view.subject, view.predicate, view.object, view.content, view.valid_from, view.valid_to,
        view.confidence, view.source, view.observations, view.messages, view.participants, view.reason,
        view.invalidated_by, view.retired_at is None,
    )  # fmt: skip


def believed(memory: Memory) -> list[tuple[object, ...]]:
    """All versions of all facts."""
    found = memory.facts.all(valid_as_of=None) if hasattr(memory.facts, "all") else []
    return [life(one) for one in found]


CASES = {
    "a move": ["I live in Paris.", "I moved to Lyon.", "I play chess."],
    "there and back": ["I live in Paris.", "I moved to Lyon.", "I moved back to Paris."],
    "two supporters": ["I live in Lyon.", "I still live in Lyon.", "I live in Lyon with Bob."],
    "an end": ["I smoke.", "I no longer smoke.", "I smoke."],
    "a denial": ["I like jazz.", "I do not like jazz.", "I like tennis."],
    "two values": ["I like jazz.", "I like tennis.", "I like jazz a lot."],
    "work": ["I work at Acme.", "I work at Zyxcorp now.", "I quit my job at Zyxcorp."],
}


@pytest.mark.parametrize("forgotten", [0, 1, 2])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("at_once", [True, False], ids=["one cycle", "a cycle each"])
def test_after_an_erasure_the_facts_are_those_of_who_never_heard(
    opened: Open, case: str, forgotten: int, at_once: bool
) -> None:
    texts = CASES[case]
    heard, never = opened("heard"), opened("never")
    for day, text in enumerate(texts):
        tell(heard, day, text)
        if day != forgotten:
            tell(never, day, text)
        if not at_once:
            consolidated(heard)
            consolidated(never)
    consolidated(heard)
    consolidated(never)

    report = heard.forget(message=f"m-{forgotten}", verify=True)

    assert report.verified, report.traces
    assert versions(heard) == versions(never)


def versions(memory: Memory) -> list[tuple[object, ...]]:
    from reverie.pipelines import facts

    return sorted(
        (life(one) for record in facts.records(memory.kb) for one in facts.history(memory.kb, record.id)), key=repr
    )
