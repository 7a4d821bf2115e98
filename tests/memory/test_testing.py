"""What users get for tests of their own."""

from datetime import UTC, datetime

from reverie import Memory
from reverie.store import keyspace
from reverie.testing import FixedClock, agent_for_tests, leftovers, memory_for_tests


def test_a_memory_for_tests_searches_and_is_gone_with_the_block() -> None:
    clock = FixedClock(datetime(2026, 5, 1, 12, tzinfo=UTC))
    with memory_for_tests("mine", clock=clock) as memory:
        agent = memory.agent("assistant")
        agent.session("s-1").observe("ana", "The zeppelin flies at noon.")
        assert [item.when for item in agent.recall("zeppelin noon")] == [datetime(2026, 5, 1, 12, 0, 0, 1, tzinfo=UTC)]
        clock.move(days=1)
        assert agent.assert_fact("Ana", "owns", "a zeppelin").created
        assert agent.facts("Ana")[0].valid_from.date().day == 2


def test_an_agent_for_tests_needs_no_server() -> None:
    with agent_for_tests() as agent:
        agent.goals.create("Ship")
        assert [goal.title for goal in agent.goals.active()] == ["Ship"]


def test_an_erased_namespace_leaves_no_key(quick_memory: Memory) -> None:
    quick_memory.agent("assistant").session("s-1").observe("ana", "hello")
    assert leftovers(quick_memory)
    quick_memory.forget(namespace=quick_memory.namespace)
    assert leftovers(quick_memory) == []


def test_a_key_of_somebody_else_is_seen(quick_memory: Memory) -> None:
    ns = quick_memory.ctx.ns
    ns.client.set("rv:{x}:unheard-of", 1)
    try:
        assert keyspace.unknown(ns) == ["rv:{x}:unheard-of"]
    finally:
        ns.client.delete("rv:{x}:unheard-of")
