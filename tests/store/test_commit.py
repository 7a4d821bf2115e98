"""A write is one step: all of it, or nothing."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from reverie import EmbedderMismatch, Memory
from reverie.config.errors import StoreError
from reverie.store import contents
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.storable import require_document

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _participant(ns: Namespace, id: str, revision: int = 0) -> ParticipantRecord:
    return ParticipantRecord.new(ns, id, recorded_at=NOW, revision=revision)


def test_a_namespace_is_registered_by_its_first_write(fake_ns: Namespace) -> None:
    assert fake_ns.namespaces() == []
    transaction = fake_ns.transaction()
    transaction.put(_participant(fake_ns, "ana"))
    assert transaction.commit().committed
    assert fake_ns.namespaces() == [fake_ns.namespace]


def test_a_failed_guard_writes_nothing_and_shows_what_is_there(fake_ns: Namespace) -> None:
    first = fake_ns.transaction()
    first.put(_participant(fake_ns, "ana"))
    first.commit()

    second = fake_ns.transaction()
    guard = second.require_absent("participant", "ana")
    second.put(_participant(fake_ns, "bob"))
    result = second.commit()

    assert (result.committed, result.guard) == (False, guard)
    assert ParticipantRecord.read(result.payload).id == "ana"
    assert fake_ns.get(ParticipantRecord, "bob") is None


@pytest.mark.parametrize(("expected", "committed"), [(0, True), (1, False)])
def test_a_change_made_from_an_older_reading_is_refused(fake_ns: Namespace, expected: int, committed: bool) -> None:
    first = fake_ns.transaction()
    first.put(_participant(fake_ns, "ana"))
    first.commit()

    change = fake_ns.transaction()
    change.require_unchanged("participant", "ana", expected)
    change.put(_participant(fake_ns, "ana", revision=7))

    assert change.commit().committed is committed
    found = fake_ns.get(ParticipantRecord, "ana")
    assert found is not None
    assert found.revision == (7 if committed else 0)


def test_an_optional_link_is_written_only_to_what_exists(fake_ns: Namespace) -> None:
    transaction = fake_ns.transaction()
    transaction.put(_participant(fake_ns, "ana"))
    missing = transaction.by_key.when_exists(fake_ns.keys.record("goal", "g"))
    transaction.link("FOR_GOAL", ("session", "s"), ("goal", "g"), NOW, when=missing)
    transaction.link("SENT_BY", ("message", "m"), ("participant", "ana"), NOW, properties={"gap": 3})
    result = transaction.commit()

    assert result.conditions == (False,)
    assert fake_ns.sources("FOR_GOAL", "session", ("goal", "g")) == []
    assert fake_ns.sources("SENT_BY", "message", ("participant", "ana")) == ["m"]
    assert fake_ns.targets(("message", "m"), "SENT_BY") == [("participant", "ana")]


def test_an_edge_twice_is_one_and_unlinked_is_none(fake_ns: Namespace) -> None:
    for _ in range(2):
        transaction = fake_ns.transaction()
        transaction.link("SENT_BY", ("message", "a|b"), ("participant", "咖啡"), NOW, properties={"gap": 3})
        transaction.commit()
    assert fake_ns.sources("SENT_BY", "message", ("participant", "咖啡")) == ["a|b"]

    transaction = fake_ns.transaction()
    transaction.unlink("SENT_BY", ("message", "a|b"), ("participant", "咖啡"))
    transaction.commit()

    assert fake_ns.sources("SENT_BY", "message", ("participant", "咖啡")) == []
    assert [key for key in fake_ns.client.keys("*") if b"SENT_BY" in key or b":out:" in key] == []


def test_several_transactions_travel_together_and_fail_alone(fake_ns: Namespace) -> None:
    good, bad = fake_ns.transaction(), fake_ns.transaction()
    good.put(_participant(fake_ns, "ana"))
    bad.require_present("participant", "nobody")
    bad.put(_participant(fake_ns, "bob"))

    results = fake_ns.commit([bad, good])

    assert [result.committed for result in results] == [False, True]
    assert fake_ns.get(ParticipantRecord, "ana") is not None


def test_a_writer_for_a_replaced_index_is_refused(fake_ns: Namespace) -> None:
    first = fake_ns.transaction()
    first.put(_participant(fake_ns, "ana"))
    first.commit()

    newer = Namespace(fake_ns.client, fake_ns.namespace, generation=2).transaction()
    newer.put(_participant(fake_ns, "bob"))
    with pytest.raises(EmbedderMismatch, match="restart"):
        newer.commit()


@pytest.mark.parametrize("command", [("ZADD", 1, "a"), ("HSET", "a", 1), ("INCR",)])
def test_a_key_of_another_type_is_refused_before_anything_is_written(
    memory: Memory, namespace: str, command: tuple[str | int, ...]
) -> None:
    ns = memory.ctx.ns
    first = ns.transaction()
    first.put(_participant(ns, "ana"))
    first.commit()

    change = ns.transaction()
    change.put(_participant(ns, "bob"))
    change.by_key.run(str(command[0]), ns.keys.record("participant", "ana"), *command[1:])
    with pytest.raises(StoreError, match="WRONGTYPE"):
        change.commit()

    assert ns.get(ParticipantRecord, "bob") is None
    found = ns.get(ParticipantRecord, "ana")
    assert found is not None


def test_a_document_where_none_can_be_is_refused_before_anything_is_written(memory: Memory, namespace: str) -> None:
    ns = memory.ctx.ns
    place = ns.keys.named("predicates")
    hashed = ns.transaction()
    hashed.by_key.run("HSET", place, "a", 1)
    hashed.commit()

    for key, path in ((place, "$"), (ns.keys.record("participant", "nobody"), "$.note")):
        change = ns.transaction()
        change.put(_participant(ns, "bob"))
        change.by_key.run("JSON.SET", key, path, "1")
        with pytest.raises(StoreError):
            change.commit()
        assert ns.get(ParticipantRecord, "bob") is None


BAD = {
    "a score that is none": ("ZADD", "due:x", "NX", "soon", "a"),
    "a score that is no number": ("ZADD", "due:x", float("nan"), "a"),
    "a score without a member": ("ZADD", "due:x", 1, "a", 2),
    "an increment of a score that is none": ("ZINCRBY", "due:x", "more", "a"),
    "a field without a value": ("HSET", "nicknames", "a", 1, "b"),
    "a counter that holds a word": ("INCR", "erasures"),
    "a document that is none": ("JSON.SET", "goal:g", "$", "{"),
    "a document that is too deep": ("JSON.SET", "goal:g", "$", "[" * 128 + "]" * 128),
    "a number that is too large": ("JSON.SET", "goal:g", "$", '{"a": 1' + "0" * 309 + "}"),
    "a float that is too large": ("JSON.SET", "goal:g", "$", '{"a": [1.5e400]}'),
    "half a character": ("JSON.SET", "goal:g", "$", '"\\ud800"'),
    "bytes that are no text": ("JSON.SET", "goal:g", "$", b'"\xff"'),
    "a part of what is not there": ("JSON.SET", "goal:g", "$.title", "1"),
    "a sum with what is no number": ("JSON.NUMINCRBY", "participant:ana", "$.id", 1),
    "a sum of what is no number": ("JSON.NUMINCRBY", "participant:ana", "$.revision", "one"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_in_the_middle_of_a_write_leaves_nothing_half_written(memory: Memory, name: str) -> None:
    ns = memory.ctx.ns
    first = ns.transaction()
    first.put(_participant(ns, "ana"))
    first.by_key.run("SET", ns.keys.erasures, "many")
    first.commit()
    before = {key: ns.client.dump(key) for key in contents.keys(ns)}
    command, key, *words = BAD[name]

    def write() -> None:
        change = ns.transaction()
        change.put(_participant(ns, "bob"))
        change.link("KNOWS", ("participant", "bob"), ("participant", "ana"), NOW)
        change.by_key.run(str(command), ns.keys.base + str(key), *words)
        change.put(_participant(ns, "eve"))
        change.commit()

    with pytest.raises(StoreError):
        write()
    assert {key: ns.client.dump(key) for key in contents.keys(ns)} == before


_DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([10**308, -(10**309)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@trials(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_DOCUMENTS, st.integers(0, 140))
def test_a_document_is_refused_here_if_redis_would_refuse_it(memory: Memory, document: Any, depth: int) -> None:
    raw = b"[" * depth + json.dumps(document).encode() + b"]" * depth
    key = memory.ctx.ns.keys.record("goal", "g")
    try:
        require_document(raw)
    except StoreError:
        with pytest.raises(StoreError):
            memory.ctx.ns.client.execute_command("JSON.SET", key, "$", raw)
    else:
        assert memory.ctx.ns.client.execute_command("JSON.SET", key, "$", raw)


def test_a_key_that_the_write_itself_removed_may_become_another(fake_ns: Namespace) -> None:
    key = fake_ns.keys.named("predicates")
    first = fake_ns.transaction()
    first.by_key.run("ZADD", key, 1, "a")
    first.commit()

    change = fake_ns.transaction()
    change.by_key.run("DEL", key)
    change.by_key.run("HSET", key, "a", 1)
    assert change.commit().committed
    assert fake_ns.client.hgetall(key) == {b"a": b"1"}


def test_a_session_that_went_on_is_no_longer_the_latest_known(fake_ns: Namespace) -> None:
    key = fake_ns.keys.messages_of("s")
    first = fake_ns.transaction()
    for score, member in enumerate("abc"):
        first.by_key.run("ZADD", key, score, member)
    first.commit()

    def holds(members: list[str], count: int) -> bool:
        change = fake_ns.transaction()
        change.by_key.require_latest(key, members, count)
        change.put(_participant(fake_ns, "ana"))
        return change.commit().committed

    assert holds(["b", "c"], 2)
    assert holds(["a", "b", "c"], 5)
    assert not holds(["a", "b"], 2)
    assert not holds(["b", "c"], 5)
    assert not holds(["c", "b"], 2)
