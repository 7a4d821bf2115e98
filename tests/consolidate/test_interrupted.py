"""A cycle that dies at any step, and tasks that come in any order, any number of times."""

import random
import threading
import uuid
from collections.abc import Callable

import pytest
from conftest import Clock, WordEmbedder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telling import AGENT, day, lives, tell

from reverie import Memory, ModelFailed
from reverie.config.settings import load
from reverie.models.embedders.base import Vectors
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines import facts
from reverie.pipelines.consolidate import consolidate, cycles, undo_cycle
from reverie.pipelines.context import Context
from reverie.store.namespace import Namespace

STORY = (
    ("Ana | live in | Paris", 1),
    ("Ana | play | chess", 1),
    ("Ana | move to | Lyon", 5),
    ("Ana | not play | chess", 6),
    ("Bob | be on | Payments", 2),
    ("Bob | play | go", 3),
    ("Ana | live in | Lyon", 8),
    ("Ana | live in | Paris", 3),
    ("Bob | find great | go", 1),
    ("Bob | find great | go", 4),
    ("Ana | stop playing | go", 9),
    ("Ana | play | go", 2),
)


Fresh = Callable[[], Context]


@pytest.fixture
def fresh(quick_memory: Memory) -> Fresh:
    """Makes contexts of new namespaces."""
    return lambda: quick_memory.connection.context(f"test-{uuid.uuid4().hex}", clock=Clock(day(100)))


def told(ctx: Context, number: int) -> None:
    text, at = STORY[number]
    tell(ctx, text, at, id=f"o{number}")


def outcome(ctx: Context) -> tuple[object, object]:
    counts = {fact.id: (fact.support, fact.origin) for fact in facts.records(ctx.ns)}
    return lives(ctx), counts


def all_at_once(ctx: Context) -> tuple[object, object]:
    for number in range(len(STORY)):
        told(ctx, number)
    consolidate(ctx, AGENT)
    return outcome(ctx)


class Died(Exception):
    pass


def dying_at(count: int) -> tuple[Callable[[str], None], list[str]]:
    """A watcher of steps that dies before the step of this number, and the steps it saw."""
    steps: list[str] = []

    def step(name: str) -> None:
        steps.append(name)
        if len(steps) > count:
            raise Died(name)

    return step, steps


def test_a_cycle_that_dies_between_any_two_steps_loses_nothing_and_counts_nothing_twice(fresh: Fresh) -> None:
    whole = all_at_once(fresh())
    count, finished = 0, False
    while not finished:
        ctx = fresh()
        for number in range(len(STORY)):
            told(ctx, number)
        step, steps = dying_at(count)
        try:
            consolidate(ctx, AGENT, step=step)
            finished = True
        except Died:
            ctx.ns.client.delete(ctx.ns.keys.lock(f"consolidate:{AGENT}"))
            consolidate(ctx, AGENT)
        assert outcome(ctx) == whole, steps
        count += 1
    assert count > 20


def test_a_cycle_that_died_is_known_as_such_and_can_be_undone_with_the_one_that_did_its_work(fresh: Fresh) -> None:
    for count in range(2, 20, 3):
        ctx = fresh()
        for number in range(len(STORY)):
            told(ctx, number)
        with pytest.raises(Died):
            consolidate(ctx, AGENT, step=dying_at(count)[0])
        consolidate(ctx, AGENT)

        assert [cycle.state for cycle in cycles(ctx.ns)] == ["done", "interrupted"]
        for cycle in cycles(ctx.ns):
            undo_cycle(ctx, cycle.cycle_id)
        assert lives(ctx) == {}


class FailingEmbedder(WordEmbedder):
    failing = False

    def documents(self, texts: list[str]) -> Vectors:
        if self.failing and texts:
            raise ModelFailed("the embedder is down")
        return super().documents(texts)


def test_an_embedder_that_fails_leaves_everything_as_it_was(fake_ns: Namespace, clock: Clock) -> None:
    embedder = FailingEmbedder()
    config = load()
    ctx = Context(fake_ns, config, embedder, DeadlineEmbedder(embedder, config.embed_deadline), embedder, clock=clock)
    tell(ctx, "Ana | live in | Paris", 1)
    consolidate(ctx, AGENT)
    tell(ctx, "Ana | move to | Lyon", 5)
    before = {key: ctx.ns.client.dump(key) for key in ctx.ns.client.scan_iter() if b"fence" not in key}

    embedder.failing = True
    with pytest.raises(ModelFailed):
        consolidate(ctx, AGENT)
    assert {key: ctx.ns.client.dump(key) for key in ctx.ns.client.scan_iter() if b"fence" not in key} == before

    embedder.failing = False
    consolidate(ctx, AGENT)
    assert lives(ctx) == {"Ana | live in | Paris": [(1, 5)], "Ana | live in | Lyon": [(5, None)]}


tasks = st.lists(st.integers(-1, len(STORY) - 1), max_size=24)
"""Numbers of observations to be stored, any of them any number of times; -1 is a cycle."""


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(prefix=tasks, seed=st.integers(0, 2**32))
def test_any_prefix_of_tasks_twice_and_in_any_order_ends_in_the_same_facts(
    fresh: Fresh, prefix: list[int], seed: int
) -> None:
    ctx = fresh()
    for number in prefix:
        consolidate(ctx, AGENT) if number < 0 else told(ctx, number)
    rest = [*range(len(STORY)), *prefix]
    random.Random(seed).shuffle(rest)
    for number in rest:
        consolidate(ctx, AGENT) if number < 0 else told(ctx, number)
    consolidate(ctx, AGENT)

    assert outcome(ctx) == all_at_once(fresh())


def test_two_agents_that_consolidate_at_once_end_where_one_would(fresh: Fresh) -> None:
    ctx = fresh()
    for number, (text, at) in enumerate(STORY):
        tell(ctx, text, at, id=f"o{number}", agent=f"agent-{number % 2}")
    errors: list[BaseException] = []

    def work(agent: str) -> None:
        try:
            while any(cycle.observations for cycle in consolidate(ctx, agent)):
                pass
        except BaseException as error:  # noqa: BLE001  # shown below
            errors.append(error)

    threads = [threading.Thread(target=work, args=(f"agent-{number % 2}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    for agent in ("agent-0", "agent-1"):
        consolidate(ctx, agent)
    assert errors == []
    assert outcome(ctx) == all_at_once(fresh())
