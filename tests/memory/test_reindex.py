"""Changing the embedder: every row is rebuilt, nothing written meanwhile is lost, old writers are told."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import WordEmbedder
from searching import search

from reverie import EmbedderMismatch, Memory
from reverie.config.settings import Settings, load
from reverie.models.embedders.base import Vector
from reverie.pipelines.opening import Connection, open_connection
from reverie.pipelines.reindex import reindex
from reverie.store import embedded, index
from reverie.store.keys import Keys
from reverie.store.search import Filter, Search


class Narrow(WordEmbedder):
    name = "narrow"
    dimension = 8

    def query(self, text: str) -> Vector:
        folded = super().query(text).reshape(-1, 8).sum(axis=0)
        unit: Vector = (folded / np.linalg.norm(folded)).astype(np.float32)
        return unit


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server of its own: a reindex touches every namespace."""
    folder: Path = tmp_path_factory.mktemp("reindex")
    with embedded.acquire(folder) as lease:
        yield load(redis_url=lease.endpoint.url(), data_dir=folder)


def _opened_for_reindex(settings: Settings, embedder: WordEmbedder) -> Connection:
    return open_connection(settings, embedder, any_index=True)


def test_rows_move_to_the_new_embedder_and_old_writers_are_refused(own_server: Settings) -> None:
    with Memory("n|1", settings=own_server, embedder=WordEmbedder()) as old:
        session = old.agent("a").session("s")
        session.observe(sender="ana", content="violet lamp", message_id="m,1")
        session.observe(sender="ana", content="scarlet door")

        connection = _opened_for_reindex(own_server, Narrow())
        seen: list[int] = []
        done = reindex(connection, seen.append)
        connection.close()

        assert (done.embedder, done.dimension, done.records, done.rows) == ("narrow", 8, 2, 2)
        assert seen[-1] == 2
        with pytest.raises(EmbedderMismatch, match="restart"):
            session.observe(sender="ana", content="too late")

    with Memory("n|1", settings=own_server, embedder=Narrow()) as new:
        found = search(new.ctx.ns, Search(Filter("a"), 1, vector=Narrow().query("ana: violet lamp")))
        assert [hit.id for hit in found] == ["m,1"]
        new.agent("a").session("s").observe(sender="ana", content="green roof")
        assert len(search(new.ctx.ns, Search(Filter("a"), 9))) == 3
        assert new.ctx.ns.client.keys("rvr1:*") == []
    with pytest.raises(EmbedderMismatch):
        Memory("n|1", settings=own_server, embedder=WordEmbedder())


def test_what_is_written_during_a_reindex_is_there_after_it(own_server: Settings) -> None:
    embedder = Narrow()
    with Memory("busy", settings=own_server, embedder=embedder) as memory:
        session = memory.agent("a").session("s")
        session.observe(sender="ana", content="before")
        connection = _opened_for_reindex(own_server, embedder)
        reindex(connection, lambda _: session.observe(sender="ana", content="meanwhile", message_id="during") and None)
        connection.close()
    with Memory("busy", settings=own_server, embedder=embedder) as memory:
        assert {hit.text for hit in search(memory.ctx.ns, Search(Filter("a"), 9))} == {"before", "meanwhile"}


def test_what_is_forgotten_during_a_reindex_does_not_come_back(own_server: Settings) -> None:
    embedder = Narrow()
    with Memory("forgetful", settings=own_server, embedder=embedder) as memory:
        for number, text in enumerate(("violet", "scarlet", "green")):
            memory.agent("a").session("s").observe(sender="ana", content=text, message_id=f"m-{number}")
        connection = _opened_for_reindex(own_server, embedder)
        rebuilt = Keys("forgetful", connection.store.generation + 1).row("message", "m-0")
        forgotten: list[int] = []

        def forget(done: int) -> None:
            if memory.ctx.ns.client.exists(rebuilt):
                forgotten.append(done)
                memory.forget(message="m-0")

        reindex(connection, forget)
        connection.close()
    assert forgotten
    with Memory("forgetful", settings=own_server, embedder=embedder) as memory:
        assert {hit.id for hit in search(memory.ctx.ns, Search(Filter("a"), 9))} == {"m-1", "m-2"}
        assert search(memory.ctx.ns, Search(Filter("a"), 9, keywords=("violet",))) == []


def test_the_index_reports_no_rows_it_could_not_take(own_server: Settings) -> None:
    with Memory("healthy", settings=own_server, embedder=Narrow()) as memory:
        memory.agent("a").session("s").observe(sender="ana", content="violet")
        assert index.failures(memory.ctx.ns.client) == 0
