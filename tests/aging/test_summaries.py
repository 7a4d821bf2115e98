"""Summaries of sessions."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from conftest import ChatServer, Say, WordEmbedder
from searching import search

from reverie import Memory
from reverie.config.settings import Settings
from reverie.models.embedders import Vectors
from reverie.pipelines import ingest, summaries, vectors
from reverie.pipelines.summaries import material, units
from reverie.pipelines.summaries.sentences import sentences
from reverie.store import work
from reverie.store.records.synopses import SummaryRecord
from reverie.store.search import Filter, Search

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TALK = [
    ("Ana", "I work at Acme as a designer."),
    ("Ben", "That sounds great!"),
    ("Ana", "I moved to Lyon in April. I live near the old harbour."),
    ("Ben", "Do you like it there?"),
    ("Ana", "I adopted a dog called Rex."),
]


def tell(memory: Memory, talk: list[tuple[str, str]] = TALK, session: str = "s-1") -> list[str]:
    said = memory.agent("assistant").session(session)
    start = NOON
    receipts = [
        said.observe(sender=sender, content=content, at=start + timedelta(minutes=place))
        for place, (sender, content) in enumerate(talk)
    ]
    ids = [receipt.message_id for receipt in receipts]
    ingest.ingest(memory.ctx, ids)
    return ids


def text_of(memory: Memory, session: str = "s-1") -> str:
    record = memory.ctx.ns.get(SummaryRecord, summaries.summary_id(session))
    assert record is not None
    return record.text


def test_a_summary_tells_in_whole_sentences_and_in_order_who_did_what(quick_memory: Memory) -> None:
    tell(quick_memory)

    quick_memory.agent("assistant").session("s-1").summarize()

    text = text_of(quick_memory)
    assert text.startswith("Ana and Ben had a conversation on 1 May 2026.")
    assert text.endswith(".")
    assert text.index("Acme") < text.index("Lyon") < text.index("Rex")
    assert "Do you like it" not in text


def test_the_same_session_gives_the_same_summary_under_the_same_id(quick_memory: Memory) -> None:
    tell(quick_memory)
    session = quick_memory.agent("assistant").session("s-1")
    first = session.summarize()
    before = quick_memory.ctx.ns.get(SummaryRecord, first or "")

    assert session.summarize() == first
    assert quick_memory.ctx.ns.get(SummaryRecord, first or "") == before

    tell(quick_memory, [("Ana", "I play the cello.")])
    assert session.summarize() == first
    after = quick_memory.ctx.ns.get(SummaryRecord, first or "")
    assert before is not None
    assert after is not None
    assert after.revision == before.revision + 1
    assert "cello" in after.text


def test_there_is_nothing_to_summarise_where_nothing_was_said(quick_memory: Memory) -> None:
    assert quick_memory.agent("assistant").session("nobody").summarize() is None

    session = quick_memory.agent("assistant").session("s-2")
    session.observe(sender="system", role="system", content="You are helpful.")
    assert session.summarize() is None


def test_a_summary_is_found_by_what_it_tells(memory: Memory) -> None:
    tell(memory)
    id = memory.agent("assistant").session("s-1").summarize()

    vector = memory.ctx.embedder.query("Which pet does Ana have?")
    hits = search(memory.ctx.ns, Search(Filter("assistant", kinds=("summary",)), 3, vector=vector))

    assert [hit.id for hit in hits] == [id]
    assert hits[0].sources


def test_a_long_session_keeps_to_2000_characters_and_its_newest_facts(quick_memory: Memory) -> None:
    talk = [("Ana", f"I visited the town of Northfield{number} with my friend Bob{number}.") for number in range(80)]
    tell(quick_memory, [*talk, ("Ana", "I bought a boat.")])

    quick_memory.agent("assistant").session("s-1").summarize()

    text = text_of(quick_memory)
    assert 500 < len(text) <= 2000
    assert "boat" in text


def test_of_what_changed_in_a_session_the_newest_is_told(quick_memory: Memory) -> None:
    tell(quick_memory, [("Ana", "I live in Lyon."), ("Ana", "I like jazz."), ("Ana", "I live in Porto now.")])

    quick_memory.agent("assistant").session("s-1").summarize()

    text = text_of(quick_memory)
    assert "Porto" in text
    assert "jazz" in text
    assert "Lyon" not in text


@pytest.mark.parametrize("filler", range(0, 60, 7))
def test_a_tool_call_is_never_cut_from_its_result(quick_memory: Memory, filler: int) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    talk = [("user", "Ana", f"Number {n} of the many things to say is about the weather.") for n in range(filler)]
    talk += [("assistant", "bot", "Calling the forecast for Lyon."), ("tool", "forecast", "Rain until Friday.")]
    talk += [("user", "Ana", f"Number {n} of the later things to say is about trains.") for n in range(30)]
    session.observe_many([{"sender": s, "role": r, "content": c} for r, s, c in talk])

    session.summarize()

    text = text_of(quick_memory)
    assert ("Calling the forecast" in text) == ("Rain until Friday" in text)


def test_parallel_calls_go_with_their_own_results(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    session.observe(sender="bot", role="assistant", content="Looking up A.", metadata={"tool_calls": [{"id": "a"}]})
    session.observe(sender="bot", role="assistant", content="Looking up B.", metadata={"tool_calls": [{"id": "b"}]})
    session.observe(sender="b", role="tool", content="B is blue.", metadata={"tool_call_id": "b"})
    session.observe(sender="a", role="tool", content="A is red.", metadata={"tool_call_id": "a"})

    session.summarize()

    assert "Looking up A. a: A is red. bot: Looking up B. b: B is blue." in text_of(quick_memory)


def test_what_is_withdrawn_is_told_anew_from_what_is_left(quick_memory: Memory) -> None:
    ids = tell(quick_memory)
    ctx = quick_memory.ctx
    quick_memory.agent("assistant").session("s-1").summarize()
    assert "Rex" in text_of(quick_memory)

    transaction = ctx.ns.transaction()
    for kind, id in [("message", ids[-1]), *(("observation", o) for o in _observations(quick_memory, ids[-1]))]:
        transaction.by_key.run("DEL", ctx.ns.keys.record(kind, id))
        transaction.drop_row(kind, id)
    summaries.withdraw(transaction, "s-1", again_at=ctx.clock())
    transaction.commit()
    assert ctx.ns.get(SummaryRecord, summaries.summary_id("s-1")) is None

    claims, _ = work.claim(ctx.ns, summaries.TOPIC, ctx.clock(), timedelta(minutes=1), 10)
    assert summaries.run(ctx, [claim.entry for claim in claims]).written == 1
    assert "Rex" not in text_of(quick_memory)
    assert "Acme" in text_of(quick_memory)


def _observations(memory: Memory, message: str) -> list[str]:
    return memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", message))


def test_a_session_whose_messages_are_not_ingested_yet_waits(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    session.observe(sender="Ana", content="I adopted a dog called Rex.")
    session.close()
    ctx = quick_memory.ctx

    claims, _ = work.claim(ctx.ns, summaries.TOPIC, ctx.clock(), timedelta(minutes=1), 10)
    assert summaries.run(ctx, [claim.entry for claim in claims]).waiting == 1
    assert work.backlog(ctx.ns, [summaries.TOPIC], ctx.clock())[summaries.TOPIC][0] == 1


def test_sentences_of_any_script() -> None:
    assert sentences("Dr. Smith paid $3.50! Really?\n- one\n- two") == [
        "Dr. Smith paid $3.50!",
        "Really?",
        "- one",
        "- two",
    ]
    assert sentences("我喜欢喝美式咖啡。你呢？") == ["我喜欢喝美式咖啡。", "你呢？"]


@pytest.fixture
def writing(settings: Settings, namespace: str, chat_server: ChatServer) -> Iterator[Memory]:
    """A memory whose summaries are written by the scripted model."""
    asked = {"llm_model": "scripted", "llm_base_url": chat_server.url, "llm_api_key": "none", "llm_timeout": 3}
    with Memory(namespace, settings=Settings(**settings.model_dump() | asked), embedder=WordEmbedder()) as opened:
        yield opened


def says(*sentences: tuple[str, list[int]]) -> Say:
    return Say(json.dumps({"sentences": [{"text": text, "lines": lines} for text, lines in sentences]}))


def test_a_models_summary_keeps_only_what_its_sources_bear_out(writing: Memory, chat_server: ChatServer) -> None:
    tell(writing)
    request: list[str] = []

    def reply(body: dict[str, list[dict[str, str]]]) -> Say:
        request.append(body["messages"][-1]["content"])
        return says(
            ("Ana works at Acme as a designer.", [1]),
            ("Ana does not work at Acme.", [1]),
            ("Ana won 4000 euros in Paris.", [2]),
            ("She adopted the dog Rex.", [len(request[0].splitlines()) - 2]),
        )

    chat_server.script = [reply]

    writing.agent("assistant").session("s-1").summarize()

    text = text_of(writing)
    assert (
        text
        == "Ana and Ben had a conversation on 1 May 2026. Ana works at Acme as a designer. She adopted the dog Rex."
    )
    assert "I work at Acme" not in request[0]


def test_what_is_erased_while_a_model_writes_is_not_told(writing: Memory, chat_server: ChatServer) -> None:
    ids = tell(writing, [("Ana", "I work as a designer."), ("Ben", "Ana likes the old harbour with its boats.")])

    def erase_first(body: dict[str, object]) -> Say:
        writing.forget(message=ids[1])
        return says(("Ana works as a designer and likes an old harbour.", [1]))

    chat_server.script = [erase_first, says(("Ana works as a designer.", [1]))]

    writing.agent("assistant").session("s-1").summarize()

    assert "designer" in text_of(writing)
    assert "harbour" not in text_of(writing)


@pytest.mark.parametrize("reply", [Say("no JSON"), Say(status=500), says(("All is made up in Rome.", [1]))])
def test_without_a_usable_reply_the_extractive_summary_stands(
    writing: Memory, chat_server: ChatServer, reply: Say
) -> None:
    tell(writing)
    chat_server.script = [reply]

    id = writing.agent("assistant").session("s-1").summarize()

    record = writing.ctx.ns.get(SummaryRecord, id or "")
    assert record is not None
    assert record.method == "extractive"
    assert "Acme" in record.text


def test_a_summary_of_a_very_long_session_reads_how_it_began_and_its_end(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("long")
    count = material.FIRST + material.NEWEST + 500
    said = [{"sender": "Ana", "content": f"We talked about house {n}.", "message_id": f"m-{n}"} for n in range(count)]
    for start in range(0, count, 500):
        session.observe_many(said[start : start + 500], embed=False)

    read = material.gather(quick_memory.ctx.ns, "long")

    assert read is not None
    wanted = [*range(material.FIRST), *range(count - material.NEWEST, count)]
    assert [message.id for message in read.messages] == [f"m-{n}" for n in wanted]


class Counting(WordEmbedder):
    """Counts the texts that it was given."""

    count = 0

    def documents(self, texts: Sequence[str]) -> Vectors:
        self.count += len(texts)
        return super().documents(texts)


def test_a_session_that_was_imported_a_moment_ago_is_summarised_in_bounded_time_and_anew_later(
    settings: Settings, namespace: str
) -> None:
    embedder = Counting()
    with Memory(namespace, settings=settings, embedder=embedder) as memory:
        session = memory.agent("assistant").session("s")
        said = [{"sender": "Ana", "content": f"We talked about house {n}."} for n in range(3 * units.EMBEDDED)]
        session.observe_many(said, embed=False)
        embedder.count = 0

        id = session.summarize()

        first = memory.ctx.ns.get(SummaryRecord, id or "")
        assert first is not None
        assert 0 < embedder.count <= units.EMBEDDED + 1  # and the summary itself
        assert len(work.entries(memory.ctx.ns, summaries.TOPIC)) == 1

        vectors.fill(memory.ctx, work.entries(memory.ctx.ns, vectors.TOPIC))
        embedder.count = 0
        assert session.summarize() == id
        whole = memory.ctx.ns.get(SummaryRecord, id or "")
        assert whole is not None
        assert (whole.revision, embedder.count) == (first.revision + 1, 1)
        assert session.summarize() == id
        again = memory.ctx.ns.get(SummaryRecord, id or "")
        assert again is not None
        assert again.revision == whole.revision
