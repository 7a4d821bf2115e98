"""For tests of what is built on Reverie: a memory that needs nothing running, a clock, an embedder that costs nothing.

    from reverie.testing import memory_for_tests

    def test_my_agent():
        with memory_for_tests() as memory:
            my_agent(memory).run("hello")
            assert memory.agent("assistant").facts(subject="Ana")

`memory_for_tests` runs on the embedded server and searches; `agent_for_tests` keeps everything in fakeredis (install
`fakeredis[lua,json]`), is there at once, and searches nothing.
"""

import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import numpy as np

from reverie.agent import Agent
from reverie.config.settings import load
from reverie.memory import Memory
from reverie.models.embedders import Embedder
from reverie.models.embedders.base import Vector, Vectors
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines.context import Clock, Context, system_clock
from reverie.store import keyspace
from reverie.store.fake import fake_client
from reverie.store.namespace import Namespace

__all__ = ["FixedClock", "WordEmbedder", "agent_for_tests", "leftovers", "memory_for_tests"]


class WordEmbedder:
    """A quick stand-in with the local embedder's name and dimension: texts that share words are near each other."""

    name = "multilingual-e5-small"
    dimension = 384

    def documents(self, texts: Sequence[str]) -> Vectors:
        """One vector a text, shape (len(texts), 384)."""
        return np.stack([self.query(text) for text in texts]) if texts else np.empty((0, 384), dtype=np.float32)

    def query(self, text: str) -> Vector:
        """The vector of a text, shape (384,), of length 1."""
        vector = np.zeros(self.dimension, dtype=np.float32)
        for word in text.casefold().split():
            vector[zlib.crc32(word.encode()) % self.dimension] += 1
        length = float(np.linalg.norm(vector))
        unit: Vector = (vector / length if length else vector + 1 / np.sqrt(384)).astype(np.float32)
        return unit

    def count(self, text: str) -> int:
        """How many words the text has, as its count of tokens."""
        return len(text.split())


class FixedClock:
    """A clock that stands still until it is moved, and goes a microsecond on at each reading."""

    def __init__(self, at: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The moment, a microsecond later than at the last reading."""
        self.at += timedelta(microseconds=1)
        return self.at

    def move(self, **by: float) -> datetime:
        """Move on by `timedelta(**by)`, such as `move(days=30)`; gives the new moment."""
        self.at += timedelta(**by)
        return self.at


@contextmanager
def memory_for_tests(
    namespace: str | None = None,
    *,
    data_dir: Path | None = None,
    embedder: Embedder | None = None,
    clock: Clock = system_clock,
) -> Iterator[Memory]:
    """A memory on an embedded server of its own, gone with the block.

    namespace: a fresh name when not given.
    data_dir: where the server keeps its data, shared by all who name the same folder: a whole test run can use one
    server so. A temporary folder when not given.
    embedder: `WordEmbedder()` when not given, which takes no time and loads no model.
    clock: gives the time of everything that is written; the system's when not given.

    Raises EmbeddedServerError where the embedded server cannot run.
    """
    with tempfile.TemporaryDirectory(prefix="reverie-") as folder:
        settings = load(data_dir=data_dir or Path(folder))
        name = namespace or f"test-{uuid4().hex}"
        with Memory(name, settings=settings, embedder=embedder or WordEmbedder(), clock=clock) as memory:
            yield memory


@contextmanager
def agent_for_tests(
    agent_id: str = "assistant", *, namespace: str = "test", clock: Clock = system_clock
) -> Iterator[Agent]:
    """An agent whose memory lies in fakeredis, gone with the block: keys, JSON and scripts work, searching does not.

    Raises ModuleNotFoundError where fakeredis is not installed.
    """
    client = fake_client()
    try:
        yield Agent(fake_context(Namespace(client, namespace), clock), agent_id)
    finally:
        client.close()


def fake_context(ns: Namespace, clock: Clock = system_clock) -> Context:
    """A context over a namespace on fakeredis, with an embedder that costs nothing."""
    embedder, settings = WordEmbedder(), load()
    quick = DeadlineEmbedder(embedder, settings.embed_deadline)
    return Context(ns, settings, embedder, quick, embedder, clock=clock)


def leftovers(memory: Memory) -> list[str]:
    """The keys that belong to the memory's namespace, sorted: [] after `memory.forget(namespace=...)`.

    Beside them, the keys of the database that are none of Reverie's.
    """
    ns = memory.ctx.ns
    return [*keyspace.of_namespace(ns), *keyspace.unknown(ns)]
