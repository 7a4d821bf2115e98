"""Whoever changes how episodes fade is heeded for those that are there already."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Clock, WordEmbedder

from reverie import Memory
from reverie.agent import Agent
from reverie.config.settings import Settings
from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.pipelines.sweeps import Budget
from reverie.store import due

EPISODES = 150
"""More than Redis scans at once."""


@pytest.fixture
def ctx(settings: Settings, namespace: str, clock: Clock) -> Iterator[Context]:
    with Memory(namespace, settings=settings, embedder=WordEmbedder(), clock=clock) as memory:
        agent = memory.agent("assistant")
        for number in range(EPISODES):
            agent.record_episode(action_type="build", episode_id=f"e-{number}", importance=0.1)
        clock.move(days=1)
        agent.pin("e-0")
        decay.touch(memory.ctx, {"e-1": 0.1})
        yield memory.ctx


def under(ctx: Context, **changed: object) -> Context:
    """The same memory under other settings."""
    return replace(ctx, settings=ctx.settings.model_copy(update=changed))


def days(count: float) -> timedelta:
    return timedelta(days=count)


def planned(ctx: Context) -> dict[str, float]:
    """After how many days each episode falls due."""
    start = ctx.clock() - days(1)
    found = {f"e-{number}": due.when(ctx.ns, decay.ARCHIVE, f"e-{number}") for number in range(EPISODES)}
    return {id: round((at - start) / days(1), 3) for id, at in found.items() if at is not None}


def expected(used_after: float, others_after: float) -> dict[str, float]:
    """The first one is pinned, the second was used after a day."""
    return {"e-1": used_after} | {f"e-{number}": others_after for number in range(2, EPISODES)}


def finish(ctx: Context) -> int:
    swept = decay.replan(ctx, Budget(10_000, 60))
    assert swept.left == 0
    return swept.done


@pytest.mark.parametrize(
    ("changed", "lasts"),
    [({"decay_half_life": days(3)}, 3), ({"decay_half_life": days(60)}, 60), ({"decay_threshold": 0.1}, 0)],
)
def test_what_was_planned_by_other_settings_is_planned_anew(
    ctx: Context, changed: dict[str, object], lasts: float
) -> None:
    assert finish(ctx) == EPISODES - 1
    assert planned(ctx) == expected(31, 30)
    assert ctx.namespace not in decay.outdated(ctx)
    now = under(ctx, **changed)
    assert ctx.namespace in decay.outdated(now)

    assert finish(now) == EPISODES - 1

    assert planned(ctx) == expected(lasts + 1, lasts)
    assert ctx.namespace not in decay.outdated(now)
    assert finish(now) == 0


def test_what_the_new_settings_make_due_is_archived(ctx: Context, clock: Clock) -> None:
    now = under(ctx, decay_half_life=days(3))
    clock.move(days=2.5)
    finish(now)

    assert decay.archive_due(now, Budget(10_000, 60)).done == EPISODES - 2


def test_it_is_explained_by_the_settings_of_now_at_once(ctx: Context, clock: Clock) -> None:
    view = Agent(under(ctx, decay_half_life=days(3)), "assistant").explain_decay("e-7")

    assert view is not None
    assert view.archives_at == pytest.approx(view.at + days(3), abs=timedelta(seconds=1))
    assert f"on {view.archives_at:%Y-%m-%d %H:%M}" in view.reason
    assert "half-life 3 days" in view.reason


def test_it_is_done_in_bounded_slices(ctx: Context) -> None:
    now = under(ctx, decay_half_life=days(3))
    first = decay.replan(now, Budget(40, 60))

    assert 40 <= first.done < 120
    assert first.left == EPISODES - 1 - first.done
    assert finish(now) == first.left
    assert planned(ctx) == expected(4, 3)


def test_a_change_on_the_way_begins_again(ctx: Context) -> None:
    decay.replan(under(ctx, decay_half_life=days(3)), Budget(40, 60))

    assert finish(under(ctx, decay_half_life=days(5))) == EPISODES - 1
    assert planned(ctx) == expected(6, 5)


def test_a_server_that_was_started_again_is_scanned_from_the_beginning(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = under(ctx, decay_half_life=days(3))
    decay.replan(now, Budget(40, 60))
    monkeypatch.setattr(due, "process", lambda ns: "another")

    assert finish(now) == EPISODES - 1
