"""A question is answered by words alone where the embedder has no vector for it, and the trace says so."""

import threading
from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.models.embedders.base import Vector


class AskedInVain(WordEmbedder):
    """Embeds documents; of questions it makes what `mood` says."""

    mood = "well"

    def __init__(self) -> None:
        self.released = threading.Event()

    def query(self, text: str) -> Vector:
        match self.mood:
            case "hangs":
                self.released.wait(30)
            case "breaks":
                raise KeyError("embedding")
            case "is of another length":
                return np.ones(512, dtype=np.float32)
            case "is not a number":
                return np.full(self.dimension, np.nan, dtype=np.float32)
        return super().query(text)


@pytest.fixture
def embedder() -> Iterator[AskedInVain]:
    made = AskedInVain()
    yield made
    made.released.set()


@pytest.mark.parametrize("mood", ["hangs", "breaks", "is of another length", "is not a number"])
def test_words_find_it_all_the_same(settings: Settings, namespace: str, embedder: AskedInVain, mood: str) -> None:
    quick = settings.model_copy(update={"embed_deadline": timedelta(milliseconds=100)})
    with Memory(namespace, settings=quick, embedder=embedder) as memory:
        agent = memory.agent("assistant")
        written = agent.session("s").observe(sender="ana", content="violet curtains")
        embedder.mood = mood
        bundle = agent.recall("violet curtains")
    assert [item.id for item in bundle.items] == [written.message_id]
    assert bundle.trace.reasons[0].channels.keys() >= {"text"}
    assert any("words alone" in note for note in bundle.trace.notes)


def test_what_waits_for_its_vector_is_not_far_away(settings: Settings, namespace: str) -> None:
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        session = memory.agent("assistant").session("s")
        colours = ("grey", "green", "white", "brown", "black", "golden", "purple", "orange")
        session.observe_many([{"sender": "ana", "content": f"{one} velvet curtains"} for one in colours])
        waiting = {"sender": "ana", "content": "in the hall there are violet curtains now", "message_id": "waiting"}
        memory.agent("assistant").session("t").observe_many([waiting], embed=False)
        bundle = memory.agent("assistant").recall("violet velvet curtains in the hall")
    assert bundle.items[0].id == "waiting"
