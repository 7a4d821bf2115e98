"""Episodes fade, are archived, and are deleted; unless they are used, pinned or restored."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Clock, WordEmbedder
from hypothesis import given
from hypothesis import strategies as st
from searching import search

from reverie import Memory
from reverie.agent import Agent
from reverie.config.settings import Settings, load
from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.pipelines.rows import DRAFTERS
from reverie.pipelines.sweeps import Budget
from reverie.store import due, times
from reverie.store.commands import Outcome
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.search import Filter, Search

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def archive(ctx: Context, items: int = 10_000) -> int:
    return decay.archive_due(ctx, Budget(items, 60)).done


def delete(ctx: Context) -> int:
    return decay.delete_due(ctx, Budget(10_000, 60)).done


def is_archived(agent: Agent, id: str) -> bool:
    view = agent.explain_decay(id)
    assert view is not None
    return view.archived_at is not None


@given(st.floats(0.0501, 1), st.timedeltas(timedelta(0), timedelta(days=3650)))
def test_an_episode_falls_due_when_its_strength_reaches_the_threshold(importance: float, age: timedelta) -> None:
    settings = load()
    at = decay.decays_at(settings, importance, NOON)

    assert decay.strength(settings, importance, NOON, at) == pytest.approx(settings.decay_threshold, rel=1e-6)
    later = timedelta(seconds=1)
    assert (
        decay.strength(settings, importance, NOON, NOON + age) > settings.decay_threshold
    ) or NOON + age > at - later


def test_strength_halves_in_a_month(agent: Agent, clock: Clock) -> None:
    id = agent.record_episode(action_type="build", importance=0.8).episode_id
    clock.move(days=30)

    view = agent.explain_decay(id)

    assert view is not None
    assert view.strength == pytest.approx(0.4, abs=1e-6)
    assert view.archives_at == pytest.approx(view.at + 4 * MONTH, abs=timedelta(microseconds=2))
    assert "importance 0.8" in view.reason


def test_what_is_too_weak_is_archived_and_later_deleted(agent: Agent, clock: Clock) -> None:
    ctx = agent.ctx
    id = agent.record_episode(action_type="build", importance=0.1, session_id="s-1").episode_id
    clock.move(days=29)
    assert archive(ctx) == 0

    clock.move(days=1)
    assert archive(ctx) == 1
    assert is_archived(agent, id)
    assert DRAFTERS["episode"](ctx.ns, [id]) == []
    view = agent.explain_decay(id)
    assert view is not None
    assert view.deletes_at == view.archived_at + MONTH if view.archived_at else False

    clock.move(days=29)
    assert delete(ctx) == 0
    clock.move(days=1)
    assert delete(ctx) == 1
    assert agent.episode(id) is None
    assert agent.explain_decay(id) is None
    left = [key for key in ctx.ns.client.keys("*") if id.encode() in key]
    assert left == []
    assert agent.episodes() == []


def test_use_counts_the_age_anew(agent: Agent, clock: Clock) -> None:
    id = agent.record_episode(action_type="build", importance=0.1).episode_id
    clock.move(days=20)
    assert decay.touch(agent.ctx, {id: 0.1, "unknown": 1.0}) == 1

    clock.move(days=20)
    assert archive(agent.ctx) == 0
    view = agent.explain_decay(id)
    assert view is not None
    assert view.last_used is not None
    clock.move(days=11)
    assert archive(agent.ctx) == 1
    assert decay.touch(agent.ctx, {id: 0.1}) == 0


def test_what_is_pinned_stays(agent: Agent, clock: Clock) -> None:
    id = agent.record_episode(action_type="build", importance=0.1).episode_id
    assert agent.pin(id)
    clock.move(days=400)

    assert archive(agent.ctx) == 0
    assert decay.touch(agent.ctx, {id: 0.1}) == 0
    view = agent.explain_decay(id)
    assert view is not None
    assert (view.pinned, view.archives_at, view.strength) == (True, None, 0.1)

    assert agent.unpin(id)
    assert archive(agent.ctx) == 0
    clock.move(days=31)
    assert archive(agent.ctx) == 1


def test_a_pin_brings_back_and_holds_what_was_archived(agent: Agent, clock: Clock) -> None:
    id = agent.record_episode(action_type="build", importance=0.1).episode_id
    clock.move(days=31)
    archive(agent.ctx)

    assert agent.pin(id)
    clock.move(days=400)
    assert (archive(agent.ctx), delete(agent.ctx)) == (0, 0)
    assert not is_archived(agent, id)


def test_what_is_unknown_or_anothers_is_left_alone(agent: Agent) -> None:
    id = agent.record_episode(action_type="build").episode_id
    other = Agent(agent.ctx, "other")

    for who, name in ((agent, "unknown"), (other, id)):
        assert [who.pin(name), who.unpin(name), who.restore(name)] == [False, False, False]
        assert who.explain_decay(name) is None


def test_a_lengthened_half_life_is_heeded(fake_ctx: Context, clock: Clock) -> None:
    agent = Agent(fake_ctx, "assistant")
    id = agent.record_episode(action_type="build", importance=0.1).episode_id
    longer = replace(fake_ctx, settings=fake_ctx.settings.model_copy(update={"decay_half_life": timedelta(days=60)}))
    clock.move(days=31)

    archive(longer)

    assert not is_archived(agent, id)
    planned = due.when(fake_ctx.ns, decay.ARCHIVE, id)
    assert planned is not None
    assert planned > clock.at


def test_a_lengthened_grace_is_heeded(agent: Agent, clock: Clock) -> None:
    id = agent.record_episode(action_type="build", importance=0.1).episode_id
    clock.move(days=31)
    archive(agent.ctx)
    longer = replace(agent.ctx, settings=agent.ctx.settings.model_copy(update={"decay_grace": 3 * MONTH}))
    clock.move(days=31)

    view = Agent(longer, "assistant").explain_decay(id)
    assert view is not None
    assert view.archived_at is not None
    assert view.deletes_at == view.archived_at + 3 * MONTH
    delete(longer)
    assert agent.episode(id) is not None
    clock.move(days=60)
    assert delete(longer) == 1
    assert agent.episode(id) is None


@pytest.mark.parametrize("half_life", [timedelta(days=10**6), timedelta.max])
def test_a_half_life_without_end_keeps_all(fake_ctx: Context, clock: Clock, half_life: timedelta) -> None:
    settings = fake_ctx.settings.model_copy(update={"decay_half_life": half_life, "decay_grace": timedelta.max})
    agent = Agent(replace(fake_ctx, settings=settings), "assistant")
    id = agent.record_episode(action_type="build", importance=1.0).episode_id
    lost = agent.record_episode(action_type="build", importance=0.01).episode_id
    clock.move(days=36500)

    assert archive(agent.ctx) == 1
    assert (is_archived(agent, id), is_archived(agent, lost)) == (False, True)
    assert delete(agent.ctx) == 0
    view = agent.explain_decay(id)
    assert view is not None
    assert view.archives_at == decay.LAST


def test_a_sweep_leaves_redis_to_others_for_its_share(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    busy: list[float] = []
    commit = Namespace.commit

    def timed(ns: Namespace, transactions: Sequence[Transaction], *, spent: list[float] | None = None) -> list[Outcome]:
        outcomes = commit(ns, transactions, spent=spent)
        busy.extend(spent or [])
        return outcomes

    for number in range(6):
        agent.record_episode(action_type="build", episode_id=f"e-{number}", importance=0.05)
    monkeypatch.setattr(Namespace, "commit", timed)
    monkeypatch.setattr("reverie.pipelines.sweeps.time.sleep", rests.append)
    archive(replace(agent.ctx, settings=agent.ctx.settings.model_copy(update={"sweep_share": 0.2})))

    assert len(busy) == 3
    assert min(busy) > 0
    assert rests == pytest.approx([4 * seconds for seconds in busy])


def test_a_sweep_is_bounded_and_the_next_goes_on(agent: Agent, clock: Clock) -> None:
    for number in range(5):
        agent.record_episode(action_type="build", episode_id=f"e-{number}", importance=0.05)

    first = decay.archive_due(agent.ctx, Budget(3, 60))
    assert (first.done, first.left) == (3, 2)
    assert decay.archive_due(agent.ctx, Budget(3, 60)).left == 0


def test_recall_refreshes_what_it_gives_back(settings: Settings, namespace: str, clock: Clock) -> None:
    with Memory(namespace, settings=settings, embedder=WordEmbedder(), clock=clock) as memory:
        agent = memory.agent("assistant")
        used, unused, kept = (
            agent.record_episode(action_type="build", importance=0.1, state={"topic": topic}).episode_id
            for topic in ("ledger backfill", "holiday photos", "ledger backfill of May")
        )
        agent.pin(kept)
        clock.move(days=20)

        given = {item.id for item in agent.recall("ledger backfill", kinds=("episode",), limit=2).items}

        assert given == {used, kept}
        clock.move(days=11)
        archive(memory.ctx)
        assert [is_archived(agent, id) for id in (used, unused, kept)] == [False, True, False]
        clock.move(days=20)
        archive(memory.ctx)
        assert [is_archived(agent, id) for id in (used, kept)] == [True, False]


def test_archived_is_out_of_recall_and_restored_is_back(settings: Settings, namespace: str, clock: Clock) -> None:
    with Memory(namespace, settings=settings, embedder=WordEmbedder(), clock=clock) as memory:
        agent = memory.agent("assistant")
        id = agent.record_episode(action_type="build", importance=0.1, state={"topic": "ledger backfill"}).episode_id

        def found() -> list[str]:
            asked = Search(Filter("assistant", kinds=("episode",)), 5, keywords=("ledger",))
            return [hit.id for hit in search(memory.ctx.ns, asked)]

        assert found() == [id]
        clock.move(days=31)
        archive(memory.ctx)
        assert found() == []

        assert agent.restore(id)
        assert found() == [id]
        assert archive(memory.ctx) == 0
        assert delete(memory.ctx) == 0
        clock.move(days=31)
        assert archive(memory.ctx) == 1


def test_the_last_moment_is_the_last_that_a_due_set_keeps() -> None:
    assert times.to_micros(decay.LAST) == times.FOREVER
