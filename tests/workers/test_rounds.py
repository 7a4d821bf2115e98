"""Sweeps over all namespaces: one at a time, each continued by the next."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from conftest import eventually

from reverie import EmbedderMismatch
from reverie.pipelines.context import Context
from reverie.pipelines.sweeps import Budget, Swept
from reverie.store import locks
from reverie.workers import runtime
from reverie.workers.app import app
from reverie.workers.rounds import make_round


@pytest.fixture
def sent(fake_ctx: Context, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that the rounds of the test send; they run on the fake."""
    monkeypatch.setattr(runtime, "connection", lambda: SimpleNamespace(context=lambda name: fake_ctx))
    monkeypatch.setattr(runtime, "context", lambda name: fake_ctx)
    told: list[str] = []
    monkeypatch.setattr(app, "send_task", told.append)
    return told


def everywhere(anywhere: Context) -> list[str]:
    return ["one", "other"]


def test_what_is_left_is_the_next_ones(sent: list[str]) -> None:
    assert make_round("t", everywhere, lambda ctx, budget: Swept(3, 2), "done") == "6 done in 2 namespaces, 4 left"
    assert sent == ["t"]
    make_round("t", everywhere, lambda ctx, budget: Swept(3, 0), "done")
    make_round("t", everywhere, lambda ctx, budget: Swept(0, 3), "done")
    assert sent == ["t"]


def test_where_nothing_is_due_it_says_so(sent: list[str]) -> None:
    assert make_round("t", lambda anywhere: [], lambda ctx, budget: Swept(1, 1), "done") == "nothing is due"
    assert sent == []


def test_all_namespaces_share_one_budget(sent: list[str], fake_ctx: Context) -> None:
    def sweep(ctx: Context, budget: Budget) -> Swept:
        budget.items -= 1
        return Swept(budget.items, 0)

    left = 2 * fake_ctx.settings.sweep_items - 3
    assert make_round("t", everywhere, sweep, "done").startswith(f"{left} done")


def test_one_round_of_a_task_at_a_time(sent: list[str], fake_ctx: Context) -> None:
    def nested(ctx: Context, budget: Budget) -> Swept:
        assert make_round("t", everywhere, lambda ctx, budget: Swept(1, 1), "done") == "another worker is at it"
        assert make_round("u", everywhere, lambda ctx, budget: Swept(1, 0), "done") == "2 done in 2 namespaces, 0 left"
        return Swept(1, 0)

    assert make_round("t", everywhere, nested, "done") == "2 done in 2 namespaces, 0 left"
    assert sent == []


def test_a_round_that_died_holds_up_none_after_it(sent: list[str], fake_ctx: Context) -> None:
    def round_() -> str:
        return make_round("t", everywhere, lambda ctx, budget: Swept(1, 0), "done")

    with locks.singleflight(fake_ctx.ns, "round t", timedelta(seconds=0.2)):
        assert round_() == "another worker is at it"
        eventually(lambda: round_().startswith("2 done"), "its lease ends", within=5)


def test_a_namespace_that_fails_holds_up_no_other(sent: list[str], fake_ctx: Context) -> None:
    tried: list[Budget] = []

    def fails_first(ctx: Context, budget: Budget) -> Swept:
        tried.append(budget)
        if len(tried) == 1:
            raise ValueError("a secret of the user")
        return Swept(2, 1)

    said = make_round("t", everywhere, fails_first, "done")

    assert said.startswith("2 done in 2 namespaces, 1 left; failed in ")
    assert said.endswith(": ValueError")
    assert sent == ["t"]


def test_an_index_that_was_rebuilt_is_opened_anew_by_the_next(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    monkeypatch.setattr(runtime, "close", lambda: closed.append(True))

    def refused(ctx: Context, budget: Budget) -> Swept:
        raise EmbedderMismatch

    with pytest.raises(EmbedderMismatch):
        make_round("t", everywhere, refused, "done")
    assert closed == [True]
    assert make_round("t", everywhere, lambda ctx, budget: Swept(1, 0), "done").startswith("2 done")
