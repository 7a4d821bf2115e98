"""The index, or everything, goes away under an open memory: it mends itself, or says what to do."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from conftest import WordEmbedder, eventually
from faults import redis_server

from reverie import EmbedderMismatch, Memory
from reverie.config.settings import Settings, load
from reverie.models.embedders.base import Vector
from reverie.pipelines.opening import open_connection
from reverie.pipelines.reindex import reindex
from reverie.store.keys import INDEX_ALIAS


class Narrow(WordEmbedder):
    name = "narrow"
    dimension = 8

    def query(self, text: str) -> Vector:
        folded = super().query(text).reshape(-1, 8).sum(axis=0)
        unit: Vector = (folded / np.linalg.norm(folded)).astype(np.float32)
        return unit


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Settings]:
    with redis_server(tmp_path / "own") as url:
        yield load(redis_url=url)


def _found(memory: Memory) -> set[str]:
    return {item.id for item in memory.agent("a").recall("violet lamp").items}


@pytest.mark.parametrize("generation", [1, 2])
def test_a_store_that_was_emptied_is_begun_anew(own: Settings, generation: int) -> None:
    if generation == 2:
        Memory("n", settings=own, embedder=WordEmbedder()).close()
        with closing(open_connection(own, WordEmbedder(), any_index=True)) as connection:
            reindex(connection)
    with Memory("n", settings=own, embedder=WordEmbedder()) as memory:
        session = memory.agent("a").session("s")
        session.observe(sender="ana", content="the violet lamp", message_id="m-0")
        memory.ctx.ns.client.flushall()

        assert _found(memory) == set()
        session.observe(sender="ana", content="the violet lamp", message_id="m-1")
        eventually(lambda: _found(memory) == {"m-1"}, "the new message is found")

        memory.ctx.ns.client.flushall()
        session.observe(sender="ana", content="the violet lamp", message_id="m-2")
        eventually(lambda: _found(memory) == {"m-2"}, "what was written before the index was missed is found")
    with Memory("n", settings=own, embedder=WordEmbedder()) as memory:
        eventually(lambda: _found(memory) == {"m-2"}, "the next process finds it too")


def test_an_index_that_was_dropped_is_made_again_from_its_rows(own: Settings, caplog: pytest.LogCaptureFixture) -> None:
    with Memory("n", settings=own, embedder=WordEmbedder()) as memory:
        memory.agent("a").session("s").observe(sender="ana", content="the violet lamp", message_id="m")
        memory.graph(app="app", user="ana").create_entities([{"name": "lamp", "observations": ["is violet"]}])
        memory.ctx.ns.client.execute_command("FT.DROPINDEX", INDEX_ALIAS)

        eventually(lambda: _found(memory) == {"m"}, "recall finds it again")
        assert "the search index was gone" in caplog.text
        memory.ctx.ns.client.execute_command("FT.DROPINDEX", INDEX_ALIAS)
        eventually(lambda: memory.graph(app="app", user="ana").search_nodes("violet"), "the graph finds it again")


def test_rows_that_went_with_the_index_come_back_by_a_reindex(own: Settings) -> None:
    with Memory("n", settings=own, embedder=WordEmbedder()) as memory:
        memory.agent("a").session("s").observe(sender="ana", content="the violet lamp", message_id="m")
        memory.ctx.ns.client.execute_command("FT.DROPINDEX", INDEX_ALIAS, "DD")
        assert _found(memory) == set()
        with closing(open_connection(own, WordEmbedder(), any_index=True)) as connection:
            reindex(connection)
        eventually(lambda: _found(memory) == {"m"}, "the alias leads to the new index")


def test_a_reindex_to_another_embedder_is_told_to_who_still_has_the_old_one(own: Settings) -> None:
    with Memory("n", settings=own, embedder=WordEmbedder()) as memory:
        session = memory.agent("a").session("s")
        session.observe(sender="ana", content="the violet lamp", message_id="m")
        with closing(open_connection(own, Narrow(), any_index=True)) as connection:
            reindex(connection)

        with pytest.raises(EmbedderMismatch, match="restart the process"):
            memory.agent("a").recall("violet lamp")
        with pytest.raises(EmbedderMismatch, match="restart the process"):
            memory.graph(app="app", user="ana").search_nodes("violet")
        with pytest.raises(EmbedderMismatch, match="restart"):
            session.observe(sender="ana", content="too late")
    with Memory("n", settings=own, embedder=Narrow()) as memory:
        assert _found(memory) == {"m"}
