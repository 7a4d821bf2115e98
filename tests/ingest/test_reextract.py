"""What rules read while the language model was out is noted, counted, and read by the model when it is back."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from conftest import ChatServer, Say, WordEmbedder

from reverie import Memory
from reverie.config.errors import ConfigurationError, LanguageModelMissing
from reverie.config.settings import Settings
from reverie.models.llm.openai import OpenAIModel
from reverie.pipelines import erasure
from reverie.pipelines.ingest import REPLACED, TOPIC, ingest
from reverie.store import fallbacks, work
from reverie.store.records.knowledge import ObservationRecord

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)
SAID = "I moved to Oslo last week. My cousin Ruth is a surgeon."
OUT = Say(status=401)


@pytest.fixture
def memory(settings: Settings, namespace: str, chat_server: ChatServer) -> Iterator[Memory]:
    model = OpenAIModel("scripted", base_url=chat_server.url, api_key="none", timeout=5)
    update = {"llm_timeout": timedelta(seconds=5), "llm_pause": timedelta(0), "work_batch": 2}
    quick = settings.model_copy(update=update)
    with Memory(namespace, settings=quick, embedder=WordEmbedder(), language_model=model) as opened:
        yield opened


def say(memory: Memory, content: str, place: int = 0) -> str:
    session = memory.agent("assistant").session("s-1")
    return session.observe(sender="Ben", content=content, at=AT + timedelta(minutes=place)).message_id


def contents(memory: Memory, message_id: str) -> set[str]:
    return {one.content for one in memory.observations_from(message_id)}


MOVED = {
    "subject": "Ben", "predicate": "move to", "object": "Oslo", "since": "last week",
    "content": "Ben moved to Oslo last week.", "quote": "I moved to Oslo last week",
}  # fmt: skip
SURGEON = {
    "subject": "Ruth", "predicate": "be", "object": "surgeon", "content": "Ruth is a surgeon.",
    "quote": "Ruth is a surgeon",
}  # fmt: skip
HORSE = {
    "subject": "Ben", "predicate": "own", "object": "horse", "content": "Ben owns a horse.",
    "quote": "A horse of my own now",
}  # fmt: skip


def hears(*claims: dict[str, Any]) -> Any:
    """A model that gives each of these claims for the turn that holds its quote."""

    def reply(request: dict[str, Any]) -> Say:
        turns = json.loads(request["messages"][1]["content"])["turns"]
        said = [{"turn": t["turn"], "claims": [c for c in claims if c["quote"] in t["text"]]} for t in turns]
        return Say(json.dumps({"turns": said}))

    return reply


def test_what_fell_back_is_noted_on_the_message_and_counted(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    id = say(memory, SAID)
    ingest(memory.ctx, [id])
    assert [one.fell_back for one in memory.agent("assistant").session("s-1").messages()] == ["unavailable"]
    assert fallbacks.count(memory.ctx.ns) == 1
    assert contents(memory, id)


@pytest.mark.parametrize(
    ("reply", "why"), [(Say("no JSON"), "unusable"), (Say('{"turns": []}'), "unusable"), (OUT, "unavailable")]
)
def test_the_note_says_why(memory: Memory, chat_server: ChatServer, reply: Say, why: str) -> None:
    chat_server.script = [reply]
    ingest(memory.ctx, [say(memory, SAID)])
    assert memory.agent("assistant").session("s-1").messages()[0].fell_back == why


def test_what_the_model_read_bears_no_note(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [hears(MOVED)]
    ingest(memory.ctx, [say(memory, SAID)])
    assert memory.agent("assistant").session("s-1").messages()[0].fell_back is None
    assert memory.reextract().left == 0


def test_an_outage_is_one_warning_however_many_messages(
    memory: Memory, chat_server: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    chat_server.script = [OUT]
    with caplog.at_level(logging.WARNING):
        for place in range(5):
            ingest(memory.ctx, [say(memory, SAID, place)])
    assert [record.name for record in caplog.records] == ["reverie.models"]
    assert "REVERIE_LLM_API_KEY" in caplog.text
    assert "Oslo" not in caplog.text


def test_the_model_reads_anew_what_rules_read_and_its_reading_takes_their_place(
    memory: Memory, chat_server: ChatServer
) -> None:
    chat_server.script = [OUT]
    ids = [say(memory, SAID), say(memory, "A horse of my own now, at last. I play chess.", 1)]
    ingest(memory.ctx, ids)
    memory.agent("assistant").consolidate()
    by_rules = [contents(memory, id) for id in ids]

    chat_server.script = [hears(MOVED, SURGEON, HORSE)]
    tried: list[tuple[int, int]] = []
    done = memory.reextract(heed=lambda count, of: tried.append((count, of)))

    assert (done.read, done.missed, done.left, done.unavailable) == (2, 0, 0, False)
    assert tried == [(2, 2)]
    assert [one.fell_back for one in memory.agent("assistant").session("s-1").messages()] == [None, None]
    assert "Ben owns a horse." in contents(memory, ids[1]) - by_rules[1]
    memory.agent("assistant").consolidate()
    assert [fact.object for fact in memory.facts(subject="Ben", predicate="own")] == ["horse"]
    assert "Oslo" in {fact.object for fact in memory.facts(subject="Ben")}
    assert not any(work.pending(memory.ctx.ns, TOPIC, ids))


def test_what_the_model_does_not_bear_out_goes_with_its_facts(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    id = say(memory, SAID)
    ingest(memory.ctx, [id])
    added = memory.agent("assistant").add_observation(message_id=id, content="Ben sounded glad.").observation_id
    memory.agent("assistant").consolidate()
    stale = {one.observation_id for one in memory.observations_from(id)} - {added}
    assert memory.facts_from(id)

    chat_server.script = [hears({**SURGEON, "content": "Ruth is a surgeon, a cousin of Ben."})]
    memory.reextract()
    memory.agent("assistant").consolidate()

    left = memory.ctx.ns.get_many(ObservationRecord, sorted(stale))
    kept = {one.id for one in left if one is not None}
    found = {one.observation_id: one.content for one in memory.observations_from(id)}
    assert added in found
    assert "Ruth is a surgeon, a cousin of Ben." in found.values()
    assert kept <= set(found)
    assert not {one.content for one in left if one is not None and one.subject == "Ruth"}
    assert len([fact for fact in memory.facts_from(id) if fact.subject == "Ruth"]) == 1
    with_other_rows = [
        item.content for item in memory.agent("assistant").recall("surgeon", kinds=["observation"]).items
    ]
    assert not [content for content in with_other_rows if content not in set(found.values())]


def test_the_same_reading_again_changes_nothing(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    id = say(memory, SAID)
    ingest(memory.ctx, [id])
    memory.agent("assistant").consolidate()
    before = {one.observation_id: one for one in memory.observations_from(id)}
    facts = memory.facts_from(id)

    for reply in (OUT, hears()):
        chat_server.script = [reply]
        memory.reextract()
        assert {one.observation_id: one for one in memory.observations_from(id)} == before
        assert memory.facts_from(id) == facts
    assert memory.reextract().left == 0


def test_a_run_ends_when_the_model_is_still_out_and_the_next_goes_on(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    ids = [say(memory, SAID, place) for place in range(5)]
    ingest(memory.ctx, ids)

    asked = len(chat_server.requests)
    done = memory.reextract()
    assert (done.read, done.missed, done.left, done.unavailable) == (0, 2, 5, True)
    assert len(chat_server.requests) == asked + 1

    chat_server.script = [hears(MOVED), OUT]
    done = memory.reextract()
    assert (done.read, done.left, done.unavailable) == (2, 3, True)

    chat_server.script = [hears(MOVED)]
    assert memory.reextract(most=1).left == 2
    assert memory.reextract().left == 0


def test_a_run_that_died_between_its_steps_is_finished(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    id = say(memory, SAID)
    ingest(memory.ctx, [id])
    chat_server.script = [hears({**SURGEON, "content": "Ruth is a surgeon, a cousin of Ben."})]
    memory.ctx.ns.commit([queued(memory, id)])

    [entry] = ingest(memory.ctx, [id]).replacing

    assert work.pending(memory.ctx.ns, REPLACED, [entry]) == [True]
    for _ in range(2):
        erasure.finish_replaced(memory.ctx, [entry])
        assert len([one for one in memory.observations_from(id) if one.subject == "Ruth"]) == 1
    assert work.pending(memory.ctx.ns, REPLACED, [entry]) == [False]


def queued(memory: Memory, id: str) -> Any:
    transaction = memory.ctx.ns.transaction()
    transaction.queue(TOPIC, id, AT)
    return transaction


def test_a_message_that_is_erased_meanwhile_stays_away(memory: Memory, chat_server: ChatServer) -> None:
    chat_server.script = [OUT]
    kept, gone = say(memory, SAID), say(memory, "I adopted a parrot.", 1)
    ingest(memory.ctx, [kept, gone])

    def erase(request: dict[str, Any]) -> Say:
        memory.forget(message=gone)
        return Say(hears(MOVED)(request).text)

    chat_server.script = [erase]
    done = memory.reextract()
    assert (done.read, done.left) == (2, 0)
    assert contents(memory, gone) == set()
    assert memory.forget(message=gone, verify=True).verified

    again = say(memory, "I sold the piano.", 2)
    chat_server.script = [OUT]
    ingest(memory.ctx, [again])
    memory.forget(message=again)
    assert memory.reextract().left == 0


def test_without_a_model_nothing_is_noted_and_nothing_read_anew(
    settings: Settings, namespace: str, memory: Memory, chat_server: ChatServer
) -> None:
    chat_server.script = [OUT]
    first = say(memory, SAID)
    ingest(memory.ctx, [first])
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as plain:
        second = say(plain, "I play chess.", 1)
        plain.ctx.ns.commit([queued(plain, first)])
        ingest(plain.ctx, [first, second])
        noted = [one.fell_back for one in plain.agent("assistant").session("s-1").messages()]
        assert noted == ["unavailable", None]
        with pytest.raises(LanguageModelMissing):
            plain.reextract()
    off = memory.settings.model_copy(update={"llm_extract": False})
    model = OpenAIModel("scripted", base_url=chat_server.url, api_key="none")
    with (
        Memory(namespace, settings=off, embedder=WordEmbedder(), language_model=model) as switched,
        pytest.raises(ConfigurationError, match="REVERIE_LLM_EXTRACT"),
    ):
        switched.reextract()
