"""A month of an agent's life on a clock that does not wait."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Clock, WordEmbedder
from searching import search

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import decay, ingest, sessions, summaries
from reverie.pipelines.sweeps import Budget
from reverie.store import work
from reverie.store.records.synopses import SummaryRecord
from reverie.store.search import Filter, Search

START = datetime(2026, 5, 1, tzinfo=UTC)
DAYS, SESSIONS, EPISODES = 30, 200, 3000


@dataclass
class Lived:
    """An episode as the test knows it: what the formula needs, and whether it is pinned."""

    importance: float
    anchor: datetime
    pinned: bool


@pytest.fixture
def clock() -> Clock:
    return Clock(START)


@pytest.fixture
def memory(own_settings: Settings, namespace: str, clock: Clock) -> Iterator[Memory]:
    unhurried = own_settings.model_copy(update={"sweep_share": 1.0})
    with Memory(namespace, settings=unhurried, embedder=WordEmbedder(), clock=clock) as opened:
        yield opened


def strength(one: Lived, now: datetime) -> float:
    """The formula, written down once more."""
    return float(one.importance * 2 ** (-((now - one.anchor) / timedelta(days=30))))


def test_a_month_ends_as_the_formula_says(memory: Memory, clock: Clock) -> None:
    ctx, agent, chance = memory.ctx, memory.agent("assistant"), random.Random(7)
    lived: dict[str, Lived] = {}
    closed = written = 0
    for day in range(DAYS):
        for number in range(EPISODES // DAYS):
            clock.at = START + timedelta(days=day, minutes=5 * number)
            importance = chance.choice([0.03, 0.055, 0.06, 0.07, 0.08, 0.5, 1.0])
            at = clock()
            id = f"e-{day}-{number}"
            agent.record_episode(action_type="work", episode_id=id, importance=importance, at=at)
            lived[id] = Lived(importance, at, pinned=False)
        for number in range(day * SESSIONS // DAYS, (day + 1) * SESSIONS // DAYS):
            receipt = agent.session(f"s-{number}").observe(sender="Ana", content=f"I visited the town of Port{number}.")
            ingest.ingest(ctx, [receipt.message_id])
        clock.at = START + timedelta(days=day, hours=23)
        closed += sessions.close_idle(ctx, Budget(100_000, 60)).done
        decay.archive_due(ctx, Budget(100_000, 60))
        kept = [id for id, one in lived.items() if one.pinned or strength(one, clock.at) > 0.05]
        used = {id: lived[id].importance for id in chance.sample(kept, 20)}
        now = clock.at
        decay.touch(ctx, used)
        for id in used:
            if not lived[id].pinned:
                lived[id].anchor = now
        pinned = chance.choice(kept)
        agent.pin(pinned)
        lived[pinned].pinned = True
        claims, _ = work.claim(ctx.ns, summaries.TOPIC, ctx.clock(), timedelta(minutes=1), 1000)
        written += summaries.run(ctx, [claim.entry for claim in claims]).written

    clock.at = START + timedelta(days=DAYS)
    decay.archive_due(ctx, Budget(100_000, 60))
    views = {id: agent.explain_decay(id) for id in lived}
    archived = {id for id, view in views.items() if view is None or view.archived_at is not None}
    expected = {id for id, one in lived.items() if not one.pinned and strength(one, clock.at) <= 0.05}
    assert archived == expected
    assert 500 < len(expected) < 2500
    assert sum(one.pinned for one in lived.values()) >= 25

    assert (closed, written) == (SESSIONS, SESSIONS)
    ids = [summaries.summary_id(f"s-{number}") for number in range(SESSIONS)]
    texts = [record.text if record else "" for record in ctx.ns.get_many(SummaryRecord, ids)]
    assert all(f"Port{number}" in text for number, text in enumerate(texts))

    rows = search(ctx.ns, Search(Filter("assistant", kinds=("episode",)), EPISODES))
    assert {row.id for row in rows} == set(lived) - expected
