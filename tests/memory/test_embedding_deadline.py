"""No write waits for, or is lost by, an embedder that is slow or broken."""

import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta

import numpy as np
import pytest
from conftest import WordEmbedder
from searching import search

from reverie import Memory, ModelFailed
from reverie.config.settings import Settings
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines import vectors
from reverie.store import work
from reverie.store.search import Filter, Search


class MoodyEmbedder(WordEmbedder):
    """Works, hangs until released, fails, or gives no numbers, as `mood` says."""

    mood = "well"

    def __init__(self) -> None:
        self.released = threading.Event()

    def documents(self, texts: Sequence[str]) -> Vectors:
        if self.mood == "hangs":
            self.released.wait(30)
        if self.mood == "fails":
            raise ModelFailed("the model is down")
        if self.mood == "raves":
            return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)
        return super().documents(list(texts))


@pytest.fixture
def embedder() -> Iterator[MoodyEmbedder]:
    made = MoodyEmbedder()
    yield made
    made.released.set()


@pytest.fixture
def memory(settings: Settings, namespace: str, embedder: MoodyEmbedder) -> Iterator[Memory]:
    quick = settings.model_copy(update={"embed_deadline": timedelta(milliseconds=50)})
    with Memory(namespace, settings=quick, embedder=embedder) as opened:
        yield opened


def _by_text(memory: Memory, word: str) -> list[str]:
    return [hit.text for hit in search(memory.ctx.ns, Search(Filter("a"), 5, keywords=(word,)))]


def _by_vector(memory: Memory, vector: Vector) -> list[str]:
    return [hit.text for hit in search(memory.ctx.ns, Search(Filter("a"), 5, vector=vector))]


@pytest.mark.parametrize("mood", ["hangs", "fails"])
def test_the_message_is_found_by_text_at_once_and_by_meaning_later(
    memory: Memory, embedder: MoodyEmbedder, mood: str
) -> None:
    embedder.mood = mood
    receipt = memory.agent("a").session("s").observe(sender="ana", content="violet")

    assert receipt.created
    assert not receipt.embedded
    assert _by_text(memory, "violet") == ["violet"]
    assert _by_vector(memory, embedder.query("violet")) == []

    embedder.mood = "well"
    embedder.released.set()
    claims, _ = work.claim(memory.ctx.ns, vectors.TOPIC, memory.ctx.clock(), timedelta(seconds=60), 10)
    assert vectors.fill(memory.ctx, [claim.entry for claim in claims]) == 1
    assert _by_vector(memory, embedder.query("violet")) == ["violet"]
    assert work.pending(memory.ctx.ns, vectors.TOPIC, [claim.entry for claim in claims]) == [False]


def test_a_message_that_is_gone_ends_the_work_on_its_vector(memory: Memory, embedder: MoodyEmbedder) -> None:
    embedder.mood = "fails"
    receipt = memory.agent("a").session("s").observe(sender="ana", content="violet")
    embedder.mood = "well"
    memory.ctx.ns.client.delete(memory.ctx.ns.keys.record("message", receipt.message_id))
    memory.ctx.ns.client.delete(memory.ctx.ns.keys.row("message", receipt.message_id))

    entry = vectors.entry("message", receipt.message_id)
    assert vectors.fill(memory.ctx, [entry]) == 0

    assert work.pending(memory.ctx.ns, vectors.TOPIC, [entry]) == [False]
    assert _by_text(memory, "violet") == []


def test_numbers_that_are_none_never_reach_the_index(memory: Memory, embedder: MoodyEmbedder) -> None:
    embedder.mood = "raves"
    receipt = memory.agent("a").session("s").observe(sender="ana", content="violet")
    entry = vectors.entry("message", receipt.message_id)

    with pytest.raises(ModelFailed):
        vectors.fill(memory.ctx, [entry])

    assert _by_text(memory, "violet") == ["violet"]
    assert work.pending(memory.ctx.ns, vectors.TOPIC, [entry]) == [True]


def test_hanging_calls_do_not_pile_up(embedder: MoodyEmbedder) -> None:
    embedder.mood = "hangs"
    quick = DeadlineEmbedder(embedder, timedelta(milliseconds=5))

    assert [quick.documents(["x"])[0] for _ in range(6)] == [None] * 6

    assert quick.hanging == 4


def test_a_long_list_is_embedded_under_many_short_deadlines(embedder: MoodyEmbedder) -> None:
    quick = DeadlineEmbedder(embedder, timedelta(seconds=5))
    assert all(vector is not None for vector in quick.documents([str(n) for n in range(20)]))

    embedder.mood = "fails"
    assert quick.documents([str(n) for n in range(20)]) == [None] * 20
