"""What is believed after an erasure is what a memory believes that never heard the erased."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import consolidate, facts, ingest

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
    ingest.ingest(memory.ctx, [id])
    return id


def consolidated(memory: Memory) -> None:
    consolidate.consolidate(memory.ctx, "assistant")


def believed(memory: Memory) -> list[tuple[object, ...]]:
    """All that is believed of the world, by the last word.

    Left out is when the machine believed what, and its reasons: cycles that ran after each message leave another
    history than one that reads what is left of them at once.
    """
    return sorted(
        (one.fact_id, one.subject, one.predicate, one.object or "", one.content, one.valid_from, str(one.valid_to),
         one.confidence, one.source, sorted(one.observations), sorted(one.messages), one.participants)
        for record in facts.records(memory.ctx.ns)
        for one in facts.history(memory.ctx.ns, record.id)
        if one.retired_at is None
    )  # fmt: skip


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
def test_after_an_erasure_the_facts_are_those_of_who_never_heard(opened: Open, case: str, forgotten: int) -> None:
    texts = CASES[case]
    heard, never = opened("heard"), opened("never")
    for day, text in enumerate(texts):
        tell(heard, day, text)
        if day != forgotten:
            tell(never, day, text)
        consolidated(heard)
        consolidated(never)

    report = heard.forget(message=f"m-{forgotten}", verify=True)

    assert report.verified, report.traces
    assert believed(heard) == believed(never)


def assert_from(memory: Memory, message: str, object: str, day: int) -> str:
    """Let the agent assert where Ana lives, supported by what was observed in a message."""
    [observation] = memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", message))
    upsert = memory.agent("assistant").assert_fact(
        subject="Ana",
        predicate="lives in",
        object=object,
        valid_from=START + timedelta(days=day),
        supporting_observation_ids=[observation],
    )
    return upsert.fact_id


@pytest.mark.parametrize("forgotten", [0, 1])
def test_a_rival_that_an_erased_word_closed_opens_again_and_keeps_none_of_its_words(
    opened: Open, forgotten: int
) -> None:
    memory = opened("heard")
    ids = [assert_from(memory, tell(memory, day, f"I live in {city}."), city, day) for day, city in CITIES]
    assert [one.object for one in memory.agent("assistant").facts()] == ["Zyxtown"]

    report = memory.forget(message=f"m-{forgotten}", verify=True)

    assert report.verified, report.traces
    [left] = memory.agent("assistant").facts()
    assert (left.fact_id, left.valid_to, left.reason, left.invalidated_by) == (ids[1 - forgotten], None, None, ())
    assert [one.valid_to for one in facts.history(memory.ctx.ns, left.fact_id)] == [None]
    assert memory.forget(message=f"m-{1 - forgotten}", verify=True).verified
    assert facts.records(memory.ctx.ns) == []


CITIES = [(0, "Qwarkville"), (1, "Zyxtown")]


def test_what_a_call_ended_stays_ended(opened: Open) -> None:
    memory = opened("heard")
    for day, text in enumerate(["I live in Lyon.", "I still live in Lyon.", "I moved to Zyxtown."]):
        tell(memory, day, text)
        consolidated(memory)
    [zyxtown] = memory.agent("assistant").facts()
    ended = START + timedelta(days=5)
    memory.agent("assistant").invalidate_fact(fact_id=zyxtown.fact_id, reason="she said so", at=ended)
    again = tell(memory, 6, "I live in Zyxtown, in the old town.")

    assert memory.forget(message=again, verify=True).verified

    [kept] = facts.history(memory.ctx.ns, zyxtown.fact_id)[-1:]
    assert (kept.valid_to, kept.reason) == (ended, "she said so")
    assert memory.agent("assistant").facts() == []
