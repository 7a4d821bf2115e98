"""The life of a session."""

from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import sessions
from reverie.pipelines.sweeps import Budget
from reverie.store import work

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(settings: Settings, namespace: str, clock: Clock) -> Memory:
    return Memory(namespace, settings=settings, embedder=WordEmbedder(), clock=clock)


def budget(items: int = 1000) -> Budget:
    return Budget(items, 30)


def queued(memory: Memory) -> int:
    return work.backlog(memory.ctx.ns, ["summaries"], memory.ctx.clock())["summaries"][0]


def test_a_session_is_closed_once_it_was_idle_for_an_hour(timed: Memory, clock: Clock) -> None:
    session = timed.agent("assistant").session("s-1")
    session.observe(sender="ana", content="Hello.")

    clock.now += timedelta(minutes=59)
    assert sessions.close_idle(timed.ctx, budget()).done == 0
    assert session.closed_at is None

    clock.now += timedelta(minutes=1)
    assert sessions.close_idle(timed.ctx, budget()).done == 1
    assert session.closed_at == clock.now
    assert sessions.close_idle(timed.ctx, budget()).done == 0
    assert queued(timed) == 1


def test_a_message_dated_ahead_does_not_hold_its_session_open(timed: Memory, clock: Clock) -> None:
    session = timed.agent("assistant").session("s-1")
    session.observe(sender="ana", content="Hello.", at=NOON + timedelta(days=400))

    clock.now += timedelta(hours=1)
    assert sessions.close_idle(timed.ctx, budget()).done == 1


def test_a_late_message_opens_it_again(timed: Memory, clock: Clock) -> None:
    session = timed.agent("assistant").session("s-1")
    session.observe(sender="ana", content="Hello.")
    clock.now += timedelta(hours=2)
    sessions.close_idle(timed.ctx, budget())

    session.observe(sender="ana", content="One more thing.")
    assert session.closed_at is None

    clock.now += timedelta(hours=1)
    assert sessions.close_idle(timed.ctx, budget()).done == 1
    assert queued(timed) == 2


def test_closing_by_hand_is_idempotent(timed: Memory) -> None:
    session = timed.agent("assistant").session("s-1")
    assert session.close() is False
    session.observe(sender="ana", content="Hello.")

    assert [session.close(), session.close()] == [True, False]
    assert queued(timed) == 1


def test_a_message_that_comes_while_its_session_is_closed_wins(timed: Memory, clock: Clock) -> None:
    session = timed.agent("assistant").session("s-1")
    session.observe(sender="ana", content="Hello.")
    clock.now += timedelta(hours=1)
    seen = sessions.due.due(timed.ctx.ns, sessions.IDLE, clock.now, 10)
    session.observe(sender="ana", content="Still here.")

    assert seen
    assert sessions.close_idle(timed.ctx, budget()).done == 0
    assert session.closed_at is None


def test_a_sweep_keeps_to_its_budget_and_the_next_goes_on(timed: Memory, clock: Clock) -> None:
    for number in range(5):
        timed.agent("assistant").session(f"s-{number}").observe(sender="ana", content="Hello.")
    clock.now += timedelta(hours=1)

    first = sessions.close_idle(timed.ctx, budget(items=3))
    assert (first.done, first.left) == (3, 2)
    second = sessions.close_idle(timed.ctx, budget(items=3))
    assert (second.done, second.left) == (2, 0)
