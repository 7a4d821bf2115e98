"""A real worker consolidates what it ingested."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from conftest import eventually

from reverie import Memory, ValidationFailed, WaitTimeout
from reverie.config.settings import Settings
from reverie.pipelines import ingest
from reverie.pipelines.consolidate import TOPIC, consolidate
from reverie.store import work
from reverie.store.keys import encode

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


def test_a_receipt_leads_to_the_facts_it_supports(memory: Memory, worker: subprocess.Popen[bytes]) -> None:
    session = memory.agent("assistant").session("s-1")
    session.observe(sender="Ana", content="I live in Paris.", at=NOON)
    receipt = session.observe(sender="Ana", content="I moved to Lyon.", at=NOON + timedelta(days=9))

    memory.wait(receipt, timeout=60, until="consolidated")

    assert [(fact.predicate, fact.object) for fact in memory.facts_from(receipt.message_id)] == [("live in", "Lyon")]
    assert [fact.object for fact in memory.facts("Ana", "lives in")] == ["Lyon"]
    assert {cycle.state for cycle in memory.cycles("assistant")} == {"done"}


def test_enough_observations_start_a_cycle_by_themselves(memory: Memory, worker: subprocess.Popen[bytes]) -> None:
    session = memory.agent("many").session("s-1")
    for name in (*(f"An{letter}a" for letter in "abcdefghij"), *(f"Be{letter}o" for letter in "abcdefghij")):
        session.observe(sender=name, content="I live in Oslo.", at=NOON)

    eventually(lambda: memory.cycles("many"), "a cycle after twenty observations", within=90)


def test_fewer_wait_for_their_time(quick_memory: Memory) -> None:
    session = quick_memory.agent("few").session("s-1")
    receipt = session.observe(sender="Ana", content="I live in Paris.", at=NOON)
    ingest.ingest(quick_memory.ctx, [receipt.message_id])
    ctx = quick_memory.ctx

    claims, _ = work.claim(ctx.ns, TOPIC, ctx.clock(), ctx.settings.work_lease, 10)
    assert claims == []
    later = ctx.clock() + ctx.settings.consolidate_after
    claims, _ = work.claim(ctx.ns, TOPIC, later, timedelta(0), 10)
    assert [claim.entry for claim in claims] == [encode("few")]

    consolidate(ctx, "few")
    assert work.pending(ctx.ns, TOPIC, [encode("few")]) == [False]


def test_what_cannot_be_waited_for_says_so(quick_memory: Memory) -> None:
    session = quick_memory.agent("alone").session("s-1")
    receipt = session.observe(sender="Ana", content="I live in Paris.", at=NOON)

    behind = f"1 entries of 'ingest' wait in the namespace '{quick_memory.namespace}', 1 of them for a worker, "
    with pytest.raises(WaitTimeout, match=behind + r"\d+ namespaces wait for their turn; (no worker|a worker) "):
        quick_memory.wait(receipt, timeout=0, until="consolidated")
    with pytest.raises(ValidationFailed, match="until"):
        quick_memory.wait(receipt, timeout=0, until="forgotten")  # type: ignore[arg-type]  # wrong on purpose
