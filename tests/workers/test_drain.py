"""One bad piece of work holds up no other, and is kept in the end."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache

import pytest
from conftest import eventually

from reverie import EmbedderMismatch, StoreBusy, StoreUnavailable
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.store import work
from reverie.workers import runtime
from reverie.workers.drain import drain
from reverie.workers.embed import drain_vectors


@pytest.fixture
def ctx(fake_ctx: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """The context that the drain is given, its retries due at once, where no other test's work waits for its turn."""
    settings = fake_ctx.settings.model_copy(update={"work_attempts": 2, "work_backoff": timedelta(0)})
    base = Context(**(vars(fake_ctx) | {"settings": settings}))
    monkeypatch.setattr(runtime, "context", cache(lambda namespace: base))
    return base


def _queue(ctx: Context, *entries: str) -> None:
    transaction = ctx.ns.transaction()
    for entry in entries:
        transaction.queue("ingest", entry, ctx.clock())
    transaction.commit()


def _finish(ctx: Context, entries: Sequence[str]) -> None:
    for entry in entries:
        transaction = ctx.ns.transaction()
        work.finish(transaction, "ingest", entry)
        transaction.commit()


def _bad(ctx: Context, entries: Sequence[str]) -> str:
    if "bad" in entries:
        raise ValueError("a secret of the user")
    _finish(ctx, entries)
    return "done"


def test_the_good_ones_are_done_and_the_bad_one_is_kept_after_its_attempts(ctx: Context) -> None:
    _queue(ctx, "bad", "good", "fine")

    assert "bad will be tried again: ValueError" in drain(ctx.namespace, "ingest", _bad)
    assert work.pending(ctx.ns, "ingest", ["bad", "good", "fine"]) == [True, False, False]

    assert "bad is a dead letter" in drain(ctx.namespace, "ingest", _bad)
    (letter,) = work.dead_letters(ctx.ns)
    assert (letter.entry, letter.error, letter.attempts) == ("bad", "ValueError", 2)
    assert drain(ctx.namespace, "ingest", _bad) == "nothing to do"


def test_work_that_takes_its_worker_down_is_kept_in_the_end(ctx: Context) -> None:
    _queue(ctx, "deadly")
    for _ in range(6):
        work.claim(ctx.ns, "ingest", ctx.clock(), timedelta(0), 1)  # and the worker dies

    assert "every worker died on it" in drain(ctx.namespace, "ingest", _finish)
    assert [letter.entry for letter in work.dead_letters(ctx.ns)] == ["deadly"]


def test_late_vectors_are_told_in_words(ctx: Context) -> None:
    assert drain_vectors(ctx.namespace) == "nothing to do"

    transaction = ctx.ns.transaction()
    transaction.queue(vectors.TOPIC, vectors.entry("episode", "gone"), ctx.clock())
    transaction.commit()
    assert drain_vectors(ctx.namespace) == "0 vectors filled in"


@pytest.mark.parametrize("error", [StoreUnavailable, StoreBusy, EmbedderMismatch])
def test_trouble_of_the_machinery_blames_no_work(ctx: Context, error: type[Exception]) -> None:
    def trouble(ctx: Context, entries: Sequence[str]) -> None:
        raise error

    _queue(ctx, "a")
    with pytest.raises(error):
        drain(ctx.namespace, "ingest", trouble)

    assert work.pending(ctx.ns, "ingest", ["a"]) == [True]
    assert work.dead_letters(ctx.ns) == []


def test_a_slow_broker_costs_no_lease(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def until() -> float:
        return float(ctx.ns.client.zscore(ctx.ns.keys.work("ingest"), "a") or 0)

    def slow(topic: str, namespace: str) -> None:
        first = until()
        eventually(lambda: until() > first, "the lease is renewed before the broker answers")
        woken.append((topic, namespace))

    woken: list[tuple[str, str]] = []
    settings = ctx.settings.model_copy(update={"work_lease": timedelta(seconds=3), "work_batch": 1})
    base = Context(**(vars(ctx) | {"settings": settings, "wake": slow}))
    monkeypatch.setattr(runtime, "context", cache(lambda namespace: base))
    _queue(ctx, "a")
    _queue(ctx, "b")

    drain(ctx.namespace, "ingest", _finish)

    assert woken == [("ingest", ctx.namespace)]
    assert work.pending(ctx.ns, "ingest", ["a", "b"]) == [False, True]
