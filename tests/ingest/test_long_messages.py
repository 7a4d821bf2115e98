"""A message of any length is worked on a share at a time."""

from datetime import timedelta
from itertools import pairwise

import pytest

from reverie import Memory
from reverie.knowledge.chunks import chunks
from reverie.pipelines import vectors
from reverie.pipelines.ingest import chunking, ingest
from reverie.store import work
from reverie.store.records.conversation import ChunkRecord

MINUTE = timedelta(minutes=1)
SENTENCES = ("The harbour was full of boats, number {n}. ", "Roses grew along wall {n}.\n\n", "Nobody knew house {n}. ")


def _text(characters: int) -> str:
    parts, length = [], 0
    while length < characters:
        parts.append(SENTENCES[len(parts) % 3].format(n=len(parts)))
        length += len(parts[-1])
    return "".join(parts)[:characters]


def _tell(memory: Memory, text: str) -> str:
    return memory.agent("assistant").session("s-1").observe(sender="Ana", content=text, message_id="long").message_id


def _chunks(memory: Memory, id: str) -> list[ChunkRecord]:
    ids = memory.ctx.ns.sources("CHUNK_OF", "chunk", ("message", id))
    found = [record for record in memory.ctx.ns.get_many(ChunkRecord, ids) if record is not None]
    return sorted(found, key=lambda chunk: chunk.start)


def _claim(memory: Memory) -> list[str]:
    claims, _ = work.claim(memory.ctx.ns, chunking.TOPIC, memory.ctx.clock(), MINUTE, 1)
    return [claim.entry for claim in claims]


def _cut_all(memory: Memory) -> list[int]:
    """How many chunks each share gave."""
    made = []
    while entries := _claim(memory):
        made.append(chunking.cut(memory.ctx, entries).chunks)
    return made


@pytest.mark.parametrize("length", [chunking.SHARE + 1, 3 * chunking.SHARE, 1024 * 1024])
def test_a_long_message_is_found_whole_by_chunks_of_bounded_shares(quick_memory: Memory, length: int) -> None:
    text = _text(length)
    id = _tell(quick_memory, text)

    assert ingest(quick_memory.ctx, [id]).chunks == 0
    made = _cut_all(quick_memory)

    found = _chunks(quick_memory, id)
    assert len(found) == sum(made)
    assert len(made) >= length // chunking.SHARE
    assert max(made) <= chunking.SHARE // 100
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in found)
    assert found[0].start == 0
    assert found[-1].end == len(text)
    assert all(after.start <= before.end for before, after in pairwise(found))
    waits = work.pending(quick_memory.ctx.ns, vectors.TOPIC, [vectors.entry("chunk", one.id) for one in found])
    assert all(waits)


def test_cut_by_shares_the_text_lies_in_chunks_as_when_it_is_cut_at_once(quick_memory: Memory) -> None:
    text, settings = _text(2 * chunking.SHARE), quick_memory.settings
    id = _tell(quick_memory, text)
    ingest(quick_memory.ctx, [id])
    _cut_all(quick_memory)

    at_once = chunks(text, settings.chunk_tokens, settings.chunk_overlap, quick_memory.ctx.tokens.count)

    assert [(one.start, one.end) for one in _chunks(quick_memory, id)] == [(one.start, one.end) for one in at_once]


@pytest.mark.parametrize("text", ["a" * 40_000, " " * 16_500 + "x", "\n" * 20_000 + "word " * 5000])
def test_texts_without_a_border_come_to_their_end_too(quick_memory: Memory, text: str) -> None:
    id = _tell(quick_memory, text)
    ingest(quick_memory.ctx, [id])

    assert len(_cut_all(quick_memory)) <= 2 + len(text) // 1000
    assert all(chunk.text.strip() for chunk in _chunks(quick_memory, id))


def test_a_share_that_is_delivered_twice_is_cut_once(quick_memory: Memory) -> None:
    id = _tell(quick_memory, _text(3 * chunking.SHARE))
    ingest(quick_memory.ctx, [id])
    (first,) = _claim(quick_memory)

    assert chunking.cut(quick_memory.ctx, [first]).chunks > 0
    once = _chunks(quick_memory, id)
    assert chunking.cut(quick_memory.ctx, [first]).chunks == 0

    assert _chunks(quick_memory, id) == once
    _cut_all(quick_memory)
    assert len({chunk.start for chunk in _chunks(quick_memory, id)}) == len(_chunks(quick_memory, id))


def test_of_a_message_that_is_forgotten_on_the_way_no_chunk_is_left(quick_memory: Memory) -> None:
    id = _tell(quick_memory, _text(4 * chunking.SHARE))
    ingest(quick_memory.ctx, [id])
    (first,) = _claim(quick_memory)
    chunking.cut(quick_memory.ctx, [first])

    assert quick_memory.forget(message=id, verify=True).verified
    _cut_all(quick_memory)

    assert _chunks(quick_memory, id) == []
    assert work.backlog(quick_memory.ctx.ns, [chunking.TOPIC], quick_memory.ctx.clock())[chunking.TOPIC] == (0, 0)
