"""A language model may say which wordings mean the same; what it says wrongly changes nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import ChatServer, Say, WordEmbedder
from telling import AGENT, lives, tell

from reverie import Memory
from reverie.config.settings import Settings
from reverie.models.embedders.base import Vector
from reverie.models.llm.openai import OpenAIModel
from reverie.pipelines.consolidate import consolidate, preview
from reverie.store import usage


class Alike(WordEmbedder):
    """Sentences about where somebody lives are near each other, too far for a merge without a model."""

    def query(self, text: str) -> Vector:
        mixed: Vector = super().query("common") * 0.97 + super().query(text) * 0.243
        return mixed


@pytest.fixture
def server() -> Iterator[ChatServer]:
    server = ChatServer()
    yield server
    server.close()


@pytest.fixture
def asking(settings: Settings, namespace: str, server: ChatServer) -> Iterator[Memory]:
    model = OpenAIModel("scripted", base_url=server.url, api_key="none", timeout=2, max_tokens=200)
    with Memory(namespace, settings=settings, embedder=Alike(), language_model=model) as memory:
        tell(memory.ctx, "Ana | live in | New York City", 1)
        consolidate(memory.ctx, AGENT)
        tell(memory.ctx, "Ana | live in | NYC", 5)
        yield memory


MERGED = {"Ana | live in | New York City": [(1, None)]}
APART = {"Ana | live in | New York City": [(1, 5)], "Ana | live in | NYC": [(5, None)]}


def test_wordings_that_the_model_says_mean_the_same_are_one_fact(asking: Memory, server: ChatServer) -> None:
    server.script = [Say('{"same": [0]}')]

    (cycle,) = consolidate(asking.ctx, AGENT)

    assert lives(asking.ctx) == MERGED
    assert (cycle.merges, cycle.unusable_replies) == (1, 0)
    asked = json.loads(server.requests[-1]["messages"][1]["content"])
    assert asked["pairs"][0]["values"] == ["NYC", "New York City"]


@pytest.mark.parametrize(
    "say",
    [
        Say('{"same": "all of them"}'),
        Say('{"same": [7]}'),
        Say('{"merged": [0], "facts": []}'),
        Say("I would merge them all, and delete the rest."),
        Say('{"same": [0'),
        Say("", status=500),
        Say('{"same": [0]}', delay=5),
    ],
    ids=["schema", "unknown pair", "other keys", "prose", "cut", "error", "slow"],
)
def test_a_broken_reply_leaves_what_stands_without_it(asking: Memory, server: ChatServer, say: Say) -> None:
    server.script = [say]
    quick = asking.ctx.settings.model_copy(update={"llm_timeout": timedelta(seconds=1)})

    (cycle,) = consolidate(replace(asking.ctx, settings=quick), AGENT)

    assert lives(asking.ctx) == APART
    assert (cycle.merges, cycle.unusable_replies, cycle.state) == (0, 1, "done")
    assert usage.read(asking.ctx.ns)["consolidate"]["failed"] == 1


def test_the_model_is_not_asked_about_different_numbers(asking: Memory, server: ChatServer) -> None:
    server.script = [Say('{"same": []}')]
    consolidate(asking.ctx, AGENT)
    before = len(server.requests)
    tell(asking.ctx, "Ana | own | 3 boats", 6)
    tell(asking.ctx, "Ana | own | 4 boats", 6)

    preview(asking.ctx, AGENT)

    assert len(server.requests) == before
