"""What worked again and again becomes a procedure."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Clock
from hypothesis import given
from hypothesis import strategies as st
from searching import search

from reverie import Memory
from reverie.agent import Agent
from reverie.config.settings import load
from reverie.knowledge.outcomes import worked
from reverie.pipelines import procedures
from reverie.pipelines.context import Context
from reverie.pipelines.procedures import ProcedureView
from reverie.pipelines.procedures.tally import counted, with_use
from reverie.store import work
from reverie.store.keys import Keys
from reverie.store.records.procedures import ProcedureRecord, Tally, Use
from reverie.store.search import Filter, Search


@pytest.fixture
def agent(fake_ctx: Context) -> Agent:
    return Agent(fake_ctx, "assistant")


def learn(ctx: Context) -> procedures.Learned:
    claims, _ = work.claim(ctx.ns, procedures.TOPIC, ctx.clock(), timedelta(minutes=1), 1000)
    return procedures.learn(ctx, [claim.entry for claim in claims])


def go(
    agent: Agent, clock: Clock, *steps: str, outcome: str = "success", state: dict[str, object] | None = None
) -> None:
    """One go at a sequence; the outcome is the last step's. Hours lie between two goes."""
    clock.move(hours=3)
    for place, step in enumerate(steps):
        clock.move(minutes=1)
        last = place == len(steps) - 1
        agent.record_episode(action_type=step, outcome=outcome if last else "success", state=state)


def named(agent: Agent, *steps: str) -> ProcedureView:
    found = [one for one in agent.procedures(standing=None) if one.steps == steps]
    assert len(found) == 1
    return found[0]


def test_a_sequence_that_worked_three_times_is_active(agent: Agent, clock: Clock) -> None:
    for number in range(3):
        assert agent.procedures() == []
        go(agent, clock, "build", "deploy")
        learn(agent.ctx)
        assert named(agent, "build", "deploy").successes == number + 1

    assert [one.steps for one in agent.procedures()] == [("build", "deploy")]
    assert agent.procedures()[0].success_rate == 1.0
    assert Agent(agent.ctx, "other").procedures() == []


def test_longer_sequences_are_learned_and_gaps_end_them(agent: Agent, clock: Clock) -> None:
    for _ in range(3):
        go(agent, clock, "build", "test", "deploy")
    learn(agent.ctx)

    steps = {one.steps for one in agent.procedures()}
    assert steps == {("build", "test"), ("test", "deploy"), ("build", "test", "deploy")}


def test_failures_deprecate_and_successes_bring_back(agent: Agent, clock: Clock) -> None:
    for _ in range(3):
        go(agent, clock, "build", "deploy")
    for _ in range(5):
        go(agent, clock, "build", "deploy", outcome="failed: no space left")
    learn(agent.ctx)
    assert named(agent, "build", "deploy").standing == "deprecated"
    assert named(agent, "build", "deploy").success_rate == 3 / 8

    for _ in range(4):
        go(agent, clock, "build", "deploy")
    learn(agent.ctx)
    assert named(agent, "build", "deploy").standing == "deprecated"
    go(agent, clock, "build", "deploy")
    learn(agent.ctx)
    assert named(agent, "build", "deploy").standing == "active"


def test_what_follows_a_failure_is_no_procedure(agent: Agent, clock: Clock) -> None:
    for _ in range(3):
        clock.move(hours=3)
        agent.record_episode(action_type="build", outcome="failure")
        agent.record_episode(action_type="deploy", outcome="success")
    learn(agent.ctx)

    assert agent.procedures(standing=None) == []


def test_preconditions_are_what_every_success_had_in_common(agent: Agent, clock: Clock) -> None:
    for number in range(3):
        go(agent, clock, "build", "deploy", state={"env": "prod", "run": number, "notes": ["any"]})
        go(agent, clock, "build", "roll back", state={"run": number})
    learn(agent.ctx)

    assert named(agent, "build", "deploy").preconditions == {"env": "prod"}
    fitting = agent.procedures({"env": "prod", "user": "ana"})
    assert [one.steps for one in fitting] == [("build", "deploy"), ("build", "roll back")]
    assert [one.steps for one in agent.procedures(state={"env": "test"})] == [("build", "roll back")]


def test_an_episode_is_counted_once(agent: Agent, clock: Clock) -> None:
    go(agent, clock, "build", "deploy")
    ctx = agent.ctx
    claims, _ = work.claim(ctx.ns, procedures.TOPIC, ctx.clock(), timedelta(minutes=1), 1000)
    entries = [claim.entry for claim in claims]

    assert procedures.learn(ctx, entries).attempts == 1
    assert procedures.learn(ctx, entries).attempts == 0
    assert named(agent, "build", "deploy").successes == 1


def test_uses_are_counted_once_each(agent: Agent, clock: Clock) -> None:
    go(agent, clock, "build", "deploy")
    learn(agent.ctx)
    id = named(agent, "build", "deploy").procedure_id

    assert agent.record_procedure_use(id, success=True, use_id="u-1")
    assert agent.record_procedure_use(id, success=True, use_id="u-1")
    assert agent.record_procedure_use(id, success=True)
    assert named(agent, "build", "deploy").successes == 3
    assert named(agent, "build", "deploy").standing == "active"
    assert not agent.record_procedure_use("unknown", success=True)
    assert not Agent(agent.ctx, "other").record_procedure_use(id, success=True)


def test_active_ones_are_found_and_deprecated_ones_are_not(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    clock = Clock(quick_memory.ctx.clock() - timedelta(days=3))
    for _ in range(3):
        at = clock.move(hours=3)
        agent.record_episode(action_type="compile the kernel", outcome="success", at=at)
        agent.record_episode(action_type="reboot", outcome="success", at=at + timedelta(minutes=1))
    learn(quick_memory.ctx)

    def found(who: str) -> list[str]:
        asked = Search(Filter(who, kinds=("procedure",)), 5, keywords=("kernel",))
        return [hit.id for hit in search(quick_memory.ctx.ns, asked)]

    id = agent.procedures()[0].procedure_id
    assert found("assistant") == [id]
    assert found("other") == []
    for number in range(5):
        agent.record_procedure_use(id, success=False, use_id=f"u-{number}")
    assert found("assistant") == []


uses = st.lists(st.booleans(), max_size=200)


@given(uses, st.randoms(use_true_random=False))
def test_the_order_in_which_recent_uses_become_known_does_not_matter(told: list[bool], order: random.Random) -> None:
    settings = load()
    clock = Clock(datetime(2026, 5, 1, tzinfo=UTC))
    all_uses = [Use(at=clock.move(hours=1), id=str(number), worked=ok) for number, ok in enumerate(told)]
    shuffled = all_uses[:60]
    order.shuffle(shuffled)
    procedure = ProcedureRecord.new(Keys("n"), "p", agent="a", steps=["x", "y"], at=clock(), recorded_at=clock())
    for use in [*shuffled, *all_uses[60:], *all_uses[-10:]]:
        procedure = with_use(settings, procedure, use)

    assert procedure.now == counted(settings, Tally(), all_uses)
    assert len(procedure.recent) <= 64


@pytest.mark.parametrize(
    "outcome",
    [
        "success",
        "Done.",
        '{"ok": true}',
        "exited with code 0",
        "200 OK",
        "status code 201",
        "5 of 5 tests passed",
        "12 passed, 0 failed",
        "done without errors",
        "no errors",
        "fixed the crash",
        "crash fixed",
        "nothing failed",
        "100 %",
        "not only passed, it flew",
        "succeeded after 3 failed attempts",
        "error: null, ok: yes",
        "no longer failing",
        "ＯＫ",
        "returned 0",
    ],
)
def test_a_success_is_a_success(outcome: str | None) -> None:
    assert worked(outcome) is True


@pytest.mark.parametrize(
    "outcome",
    [
        "failed: ok",
        "failed: no space left",
        "error: 0 bytes written",
        "ERROR 500",
        "not successful",
        "not ok yet",
        "0 of 5 tests passed",
        "failed to succeed",
        "unsuccessful",
        "success: false",
        '{"success": false, "rows": 3}',
        "exit code 1",
        "exit code: 137",
        "HTTP 404",
        "HTTP/1.1 503 Service Unavailable",
        "404",
        "12 passed, 2 failed in 3.1 s",
        "0 passed",
        "didn't work, never worked",
        "hasn't passed yet",
        "isn’t done",
        "the error was not fixed",
        "ok, but two tests failed",
        "0%",
        "incomplete",
        "unable to connect",
        "no success",
        "without success",
        "cancelled by the user",
        "failed=true",
        "Traceback (most recent call last)",
        "timeout",
        "not entirely a success",
        "neither done nor failed",
    ],
)
def test_a_failure_is_a_failure(outcome: str | None) -> None:
    assert worked(outcome) is False


@pytest.mark.parametrize(
    "outcome",
    [
        "42 rows",
        None,
        "partially",
        "partially successful",
        "3/5 checks passed",
        "almost done",
        "should be fixed",
        "60 % complete",
        "pending",
        "unknown",
        "",
        "will be done tomorrow",
    ],
)
def test_what_tells_neither_is_unknown(outcome: str | None) -> None:
    assert worked(outcome) is None


@given(st.text(max_size=200))
def test_any_outcome_is_read(outcome: str) -> None:
    assert worked(outcome) in (True, False, None)


def test_a_procedure_is_not_learned_from_failures_told_in_other_words(agent: Agent, clock: Clock) -> None:
    for outcome in ("not successful", "0 of 5 tests passed", "not ok yet", "partially"):
        go(agent, clock, "build", "deploy", outcome=outcome)
        learn(agent.ctx)

    assert agent.procedures(standing="active") == []


def test_sessions_that_interleave_are_not_mixed(agent: Agent, clock: Clock) -> None:
    for number in range(3):
        clock.move(hours=3)
        for step, other in (("build", "read mail"), ("deploy", "answer mail")):
            for session, action in ((f"a-{number}", step), (f"b-{number}", other)):
                clock.move(minutes=1)
                agent.record_episode(action_type=action, outcome="success", session_id=session)
        learn(agent.ctx)

    found = {one.steps: one.successes for one in agent.procedures(standing=None)}
    assert found == {("build", "deploy"): 3, ("read mail", "answer mail"): 3}
