"""One bad piece of work holds up no other, and is kept in the end."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache

import pytest
from conftest import eventually

from reverie import EmbedderMismatch, Memory, StoreBusy, StoreUnavailable
from reverie.pipelines import vectors
from reverie.pipelines.base import KnowledgeBase
from reverie.store import work
from reverie.workers import runtime
from reverie.workers.drain import drain
from reverie.workers.embed import drain_vectors


@pytest.fixture
def kb(quick_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
    """The base that the drain is given, its retries due at once."""
    settings = quick_memory.settings.model_copy(update={"work_attempts": 2, "work_backoff": timedelta(0)})
    base = KnowledgeBase(**(vars(quick_memory.kb) | {"settings": settings}))
    monkeypatch.setattr(runtime, "knowledge_base", cache(lambda namespace: base))
    return base


def _queue(kb: KnowledgeBase, *entries: str) -> None:
    transaction = kb.space.transaction()
    for entry in entries:
        transaction.queue("ingest", entry, kb.clock())
    transaction.commit()


def _finish(kb: KnowledgeBase, entries: Sequence[str]) -> None:
    for entry in entries:
        transaction = kb.space.transaction()
        work.finish(transaction, "ingest", entry)
        transaction.commit()


def _bad(kb: KnowledgeBase, entries: Sequence[str]) -> str:
    if "bad" in entries:
        raise ValueError("a secret of the user")
    _finish(kb, entries)
    return "done"


def test_the_good_ones_are_done_and_the_bad_one_is_kept_after_its_attempts(kb: KnowledgeBase) -> None:
    _queue(kb, "bad", "good", "fine")

    assert "bad will be tried again: ValueError" in drain(kb.namespace, "ingest", _bad)
    assert work.pending(kb.space, "ingest", ["bad", "good", "fine"]) == [True, False, False]

    assert "bad is a dead letter" in drain(kb.namespace, "ingest", _bad)
    (letter,) = work.dead_letters(kb.space)
    assert (letter.entry, letter.error, letter.attempts) == ("bad", "ValueError", 2)
    assert drain(kb.namespace, "ingest", _bad) == "nothing to do"


def test_work_that_takes_its_worker_down_is_kept_in_the_end(kb: KnowledgeBase) -> None:
    _queue(kb, "deadly")
    for _ in range(6):
        work.claim(kb.space, "ingest", kb.clock(), timedelta(0), 1)  # and the worker dies

    assert "every worker died on it" in drain(kb.namespace, "ingest", _finish)
    assert [letter.entry for letter in work.dead_letters(kb.space)] == ["deadly"]


def test_late_vectors_are_told_in_words(kb: KnowledgeBase) -> None:
    assert drain_vectors(kb.namespace) == "nothing to do"

    transaction = kb.space.transaction()
    transaction.queue(vectors.TOPIC, vectors.entry("episode", "gone"), kb.clock())
    transaction.commit()
    assert drain_vectors(kb.namespace) == "0 vectors filled in"


@pytest.mark.parametrize("error", [StoreUnavailable, StoreBusy, EmbedderMismatch])
def test_trouble_of_the_machinery_blames_no_work(kb: KnowledgeBase, error: type[Exception]) -> None:
    def trouble(kb: KnowledgeBase, entries: Sequence[str]) -> None:
        raise error

    _queue(kb, "a")
    with pytest.raises(error):
        drain(kb.namespace, "ingest", trouble)

    assert work.pending(kb.space, "ingest", ["a"]) == [True]
    assert work.dead_letters(kb.space) == []


def test_a_slow_broker_costs_no_lease(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    def until() -> float:
        return float(kb.space.client.zscore(kb.space.keys.work("ingest"), "a") or 0)

    def slow(topic: str, namespace: str) -> None:
        first = until()
        eventually(lambda: until() > first, "the lease is renewed before the broker answers")
        woken.append((topic, namespace))

    woken: list[tuple[str, str]] = []
    settings = kb.settings.model_copy(update={"work_lease": timedelta(seconds=3), "work_batch": 1})
    base = KnowledgeBase(**(vars(kb) | {"settings": settings, "wake": slow}))
    monkeypatch.setattr(runtime, "knowledge_base", cache(lambda namespace: base))
    _queue(kb, "a")
    _queue(kb, "b")

    drain(kb.namespace, "ingest", _finish)

    assert woken == [("ingest", kb.namespace)]
    assert work.pending(kb.space, "ingest", ["a", "b"]) == [False, True]
