"""Writes that are made again when somebody else came first: they run out aloud."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from conftest import WordEmbedder

from reverie import Memory, StoreBusy
from reverie.config.settings import Settings
from reverie.pipelines import consolidate, ingest
from reverie.store import retry
from reverie.store.commands import Outcome
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.retry import attempts

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.0)


def test_attempts_are_counted_and_end_by_an_error_that_says_what_is_busy() -> None:
    turns = attempts("the fact", 3)
    assert [next(turns), next(turns), next(turns)] == [0, 1, 2]
    with pytest.raises(StoreBusy, match="the fact is changed by too many writers"):
        next(turns)


@pytest.fixture
def told(settings: Settings, namespace: str) -> Iterator[Memory]:
    """A memory with two messages of which facts were made."""
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        session = memory.agent("assistant").session("s-1")
        ids = [
            session.observe(sender="Ana", content=text, at=NOON, addressed_to=["Bob"]).message_id
            for text in ("I live in Lyon.", "I live in Lyon, you know.")
        ]
        ingest.ingest(memory.ctx, ids)
        consolidate.consolidate(memory.ctx, "assistant")
        yield memory


@pytest.mark.parametrize("refused", ["message", "observation", "entity", "fact", "cycle", "session", "participant"])
def test_an_erasure_that_others_keep_from_writing_says_so(
    told: Memory, refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Namespace.commit
    marked = told.ctx.ns.keys.record(refused, "x").removesuffix("x")

    def another_was_first(ns: Namespace, transactions: Sequence[Transaction]) -> list[Outcome]:
        if any(str(words[1]).startswith(marked) for one in transactions for words in one.commands()):
            return [Outcome(False, guard=0) for _ in transactions]
        return commit(ns, transactions)

    def forget() -> None:
        told.forget(session="s-1")
        told.forget(participant="Ana")

    monkeypatch.setattr(Namespace, "commit", another_was_first)
    with pytest.raises(StoreBusy):
        forget()
    monkeypatch.undo()
    forget()
    assert told.forget(session="s-1", verify=True).verified
