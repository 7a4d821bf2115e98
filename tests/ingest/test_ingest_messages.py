"""What an ingest stores, and what it leaves alone. Without a worker: the pipeline is called as a task would call it."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from reverie import Conflict, Memory
from reverie.knowledge.quotation import FENCE_CLOSE, FENCE_OPEN
from reverie.pipelines.ingest import TOPIC, chunking, ingest
from reverie.pipelines.vectors import fill
from reverie.store import recalled, work
from reverie.store.records.conversation import ChunkRecord, MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)


def say(memory: Memory, content: str, sender: str = "Ben", place: int = 0, **given: object) -> str:
    session = memory.agent("assistant").session("s-1")
    receipt = session.observe(sender=sender, content=content, at=AT + timedelta(minutes=place), **given)  # type: ignore[arg-type]
    return receipt.message_id


def observations(memory: Memory, message_id: str) -> list[ObservationRecord]:
    ids = memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", message_id))
    found = [record for record in memory.ctx.ns.get_many(ObservationRecord, ids) if record]
    return sorted(found, key=lambda record: record.content)


def entities(memory: Memory, message_id: str) -> list[EntityRecord]:
    ids = [id for _, id in memory.ctx.ns.targets(("message", message_id), "MENTIONS")]
    return [record for record in memory.ctx.ns.get_many(EntityRecord, ids) if record]


def everything(memory: Memory) -> dict[bytes, object]:
    """Every key of the namespace with its value."""
    client = memory.ctx.ns.client
    held: dict[bytes, object] = {}
    for pattern in (f"{memory.ctx.ns.keys.base}*", f"rvr*{{{memory.ctx.ns.keys.tag}}}*"):
        for key in client.scan_iter(pattern, count=1000):
            kind = client.type(key)
            if kind == b"zset":
                held[key] = client.zrange(key, 0, -1, withscores=True)
            elif kind == b"hash":
                held[key] = client.hgetall(key)
            else:
                held[key] = client.dump(key)
    return held


def test_a_claim_is_stored_with_who_said_it_and_when_it_holds(quick_memory: Memory) -> None:
    id = say(quick_memory, "My sister Ruth moved to Lisbon two weeks ago.")
    ingest(quick_memory.ctx, [id])
    [claim] = observations(quick_memory, id)
    assert (claim.subject, claim.predicate, claim.object) == ("Ruth", "move to", "Lisbon")
    assert (claim.said_by, claim.origin, claim.observed_at) == ("Ben", "user", AT)
    assert claim.when_start == datetime(2024, 3, 1, tzinfo=UTC)
    assert {(entity.name, entity.type) for entity in entities(quick_memory, id)} == {
        ("Ruth", "person"),
        ("Lisbon", "place"),
    }
    assert quick_memory.ctx.ns.targets(("observation", claim.id), "ABOUT")


@pytest.mark.parametrize("offset", [-11, 0, 14])
def test_yesterday_is_a_day_of_the_senders_own_clock(quick_memory: Memory, offset: int) -> None:
    from datetime import timezone

    at = datetime(2024, 3, 15, 0, 30, tzinfo=timezone(timedelta(hours=offset)))
    session = quick_memory.agent("assistant").session("s-1")
    receipt = session.observe(sender="Ben", content="I sold my car yesterday.", at=at, message_id="m-1")
    ingest(quick_memory.ctx, ["m-1"])
    [claim] = observations(quick_memory, receipt.message_id)
    assert claim.when_start == datetime(2024, 3, 14, tzinfo=at.tzinfo)
    assert not session.observe(
        sender="Ben", content="I sold my car yesterday.", at=at.astimezone(UTC), message_id="m-1"
    ).created
    with pytest.raises(Conflict):
        session.observe(sender="Ben", content="I sold my car yesterday.", at=at + timedelta(1), message_id="m-1")


def test_replays_in_any_order_and_batch_change_nothing(quick_memory: Memory) -> None:
    said = ["My sister Ruth plays chess.", "She won a cup yesterday.", "I moved to Oslo in 2020.", "It was cold there."]
    ids = [say(quick_memory, text, place=place) for place, text in enumerate(said)]
    ingest(quick_memory.ctx, ids[2:])
    ingest(quick_memory.ctx, ids[:3])
    before = everything(quick_memory)
    assert observations(quick_memory, ids[1])[0].subject == "Ruth"
    for seed in range(3):
        again = ids * 2
        random.Random(seed).shuffle(again)
        for id in again:
            quick_memory.ctx.ns.client.zadd(quick_memory.ctx.ns.keys.work(TOPIC), {id: 0}, nx=True)
        ingest(quick_memory.ctx, again[:5])
        ingest(quick_memory.ctx, ids)
    after = everything(quick_memory)
    recorded = {key for key, value in before.items() if value != after[key]}
    assert set(after) == set(before)
    assert {key.split(b":")[2] for key in recorded} <= {b"observation", b"rvr1"}  # recorded again, at a later moment


def test_the_same_sentence_twice_is_one_claim_of_each_message(quick_memory: Memory) -> None:
    ids = [say(quick_memory, "I play the oboe. I play the oboe.", place=place) for place in range(2)]
    ingest(quick_memory.ctx, ids)
    assert [len(observations(quick_memory, id)) for id in ids] == [1, 1]


def test_a_message_that_is_gone_ends_its_work_and_brings_nothing_back(quick_memory: Memory) -> None:
    kept, lost = say(quick_memory, "I play the oboe."), say(quick_memory, "I play the harp.", place=1)
    quick_memory.ctx.ns.client.delete(quick_memory.ctx.ns.keys.record("message", lost))
    ingest(quick_memory.ctx, [kept, lost])
    assert observations(quick_memory, kept)
    assert not observations(quick_memory, lost)
    assert work.pending(quick_memory.ctx.ns, TOPIC, [kept, lost]) == [False, False]


def test_recalled_text_is_not_learned_again(quick_memory: Memory) -> None:
    first = say(quick_memory, "I moved to Oslo in 2020.")
    ingest(quick_memory.ctx, [first])
    fenced = say(quick_memory, f"Is it so?\n{FENCE_OPEN}\n- Ben plays the harp.\n{FENCE_CLOSE}\nI like jazz.", place=1)
    ingest(quick_memory.ctx, [fenced])
    assert [claim.object for claim in observations(quick_memory, fenced)] == ["jazz"]

    recalled.note(quick_memory.ctx.ns, "assistant", [("message", first, 0)], quick_memory.ctx.clock())
    echo = say(quick_memory, 'You told me "I moved to Oslo in 2020." I like tea.', place=2)
    ingest(quick_memory.ctx, [echo])
    assert [claim.object for claim in observations(quick_memory, echo)] == ["tea"]


def test_what_is_rendered_from_a_recall_is_not_learned_again(memory: Memory) -> None:
    first = say(memory, "I moved to Oslo in 2020.")
    ingest(memory.ctx, [first])
    bundle = memory.agent("assistant").recall("Where did Ben move?")
    assert bundle.items
    echo = say(memory, bundle.render() + "\nI like tea.", "assistant", 1, role="assistant")
    quoted = say(memory, f"So {bundle.items[0].content} Right?", "assistant", 2, role="assistant")
    ingest(memory.ctx, [echo, quoted])
    assert [claim.object for claim in observations(memory, echo)] == ["tea"]
    assert not observations(memory, quoted)


def test_a_message_recalled_before_its_ingest_is_learned_all_the_same(memory: Memory) -> None:
    id = say(memory, "I moved to Oslo in 2020.")
    assert any(item.id == id for item in memory.agent("assistant").recall("Oslo").items)
    ingest(memory.ctx, [id])
    assert observations(memory, id)


def test_system_and_tool_messages_are_stored_and_not_learned_from(quick_memory: Memory) -> None:
    ids = [
        say(quick_memory, "The user lives in Rome.", "rules", 0, role="system"),
        say(quick_memory, "The user lives in Rome.", "search", 1, role="tool"),
    ]
    ingest(quick_memory.ctx, ids)
    assert [observations(quick_memory, id) for id in ids] == [[], []]


def test_a_nickname_is_the_same_person_only_with_evidence(quick_memory: Memory) -> None:
    ids = [
        say(quick_memory, "I met Mel at the fair.", "Ann", 0),
        say(quick_memory, "I moved to Oslo.", "Melanie", 1),
        say(quick_memory, "Thanks, Mel! I love it.", "Ann", 2, addressed_to=["Melanie"]),
        say(quick_memory, "Mel bought a boat.", "Ann", 3),
        say(quick_memory, "Mela sold a boat.", "Ann", 4, addressed_to=["Melanie"]),
    ]
    ingest(quick_memory.ctx, ids[:1])
    assert "Mel" in [entity.name for entity in entities(quick_memory, ids[0])]
    ingest(quick_memory.ctx, ids[1:])
    assert "Melanie" in [entity.name for entity in entities(quick_memory, ids[2])]
    assert [claim.subject for claim in observations(quick_memory, ids[3])] == ["Melanie"]
    assert "Melanie" in [entity.name for entity in entities(quick_memory, ids[0])], "merged once it was known"
    assert [claim.subject for claim in observations(quick_memory, ids[4])] == ["Mela"]


def test_one_entity_however_it_is_written(quick_memory: Memory) -> None:
    ids = [say(quick_memory, "My friend Ruth plays chess."), say(quick_memory, "My boss RUTH plays golf.", place=1)]
    ingest(quick_memory.ctx, ids)
    found = {entity.id for id in ids for entity in entities(quick_memory, id) if entity.name.casefold() == "ruth"}
    assert len(found) == 1


def test_a_long_message_is_cut_into_chunks_that_are_filled_in_later(quick_memory: Memory) -> None:
    text = " ".join(f"Entry {number} of the log tells of another quiet day." for number in range(5000))
    id = say(quick_memory, f"{text} The key is under the blue mat.")
    ingest(quick_memory.ctx, [id])
    ns = quick_memory.ctx.ns
    while shares := work.claim(ns, chunking.TOPIC, quick_memory.ctx.clock(), timedelta(60), 1)[0]:
        chunking.cut(quick_memory.ctx, [share.entry for share in shares])
    chunks = [chunk for chunk in ns.get_many(ChunkRecord, ns.sources("CHUNK_OF", "chunk", ("message", id))) if chunk]
    last = max(chunks, key=lambda chunk: chunk.start)
    message = ns.get(MessageRecord, id)
    assert message is not None
    assert last.text.endswith("The key is under the blue mat.")
    assert all(message.content[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    claims, _ = work.claim(ns, "embed", quick_memory.ctx.clock(), timedelta(60), 100_000)
    assert claims
    assert fill(quick_memory.ctx, [claim.entry for claim in claims]) == len(claims)


def test_a_chunk_is_found_by_what_its_message_says_last(memory: Memory) -> None:
    text = " ".join(f"Entry {number} of the log tells of another quiet day." for number in range(200))
    id = say(memory, f"{text} The spare key is under the blue mat.")
    ingest(memory.ctx, [id])
    found = memory.agent("assistant").recall("Where is the spare key?", kinds=["chunk"]).items
    assert found
    assert "blue mat" in found[0].content


def test_what_was_observed_in_a_message_is_told_by_its_id(quick_memory: Memory) -> None:
    receipt = quick_memory.agent("a").session("s").observe(sender="Ana", content="I keep bees.", at=AT)
    assert quick_memory.observations_from(receipt.message_id) == []
    ingest(quick_memory.ctx, [receipt.message_id])

    (found,) = quick_memory.observations_from(receipt.message_id)
    assert (found.subject, found.predicate, found.object, found.said_by) == ("Ana", "keep", "bees", "Ana")
    assert quick_memory.observations_from("nothing") == []
