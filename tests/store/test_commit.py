"""A write is one step: all of it, or nothing."""

from datetime import UTC, datetime

import pytest

from reverie import EmbedderMismatch, Memory
from reverie.config.errors import StoreError
from reverie.store.records.conversation import ParticipantRecord
from reverie.store.space import Space

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def _participant(space: Space, id: str, revision: int = 0) -> ParticipantRecord:
    return ParticipantRecord.new(space, id, recorded_at=NOW, revision=revision)


def test_a_namespace_is_registered_by_its_first_write(fake_space: Space) -> None:
    assert fake_space.namespaces() == []
    transaction = fake_space.transaction()
    transaction.put(_participant(fake_space, "ana"))
    assert transaction.commit().committed
    assert fake_space.namespaces() == [fake_space.namespace]


def test_a_failed_guard_writes_nothing_and_shows_what_is_there(fake_space: Space) -> None:
    first = fake_space.transaction()
    first.put(_participant(fake_space, "ana"))
    first.commit()

    second = fake_space.transaction()
    guard = second.require_absent("participant", "ana")
    second.put(_participant(fake_space, "bob"))
    result = second.commit()

    assert (result.committed, result.guard) == (False, guard)
    assert ParticipantRecord.read(result.payload).id == "ana"
    assert fake_space.get(ParticipantRecord, "bob") is None


@pytest.mark.parametrize(("expected", "committed"), [(0, True), (1, False)])
def test_a_change_made_from_an_older_reading_is_refused(fake_space: Space, expected: int, committed: bool) -> None:
    first = fake_space.transaction()
    first.put(_participant(fake_space, "ana"))
    first.commit()

    change = fake_space.transaction()
    change.require_unchanged("participant", "ana", expected)
    change.put(_participant(fake_space, "ana", revision=7))

    assert change.commit().committed is committed
    found = fake_space.get(ParticipantRecord, "ana")
    assert found is not None
    assert found.revision == (7 if committed else 0)


def test_an_optional_link_is_written_only_to_what_exists(fake_space: Space) -> None:
    transaction = fake_space.transaction()
    transaction.put(_participant(fake_space, "ana"))
    missing = transaction.when_exists(fake_space.keys.record("goal", "g"))
    transaction.link("FOR_GOAL", ("session", "s"), ("goal", "g"), NOW, when=missing)
    transaction.link("SENT_BY", ("message", "m"), ("participant", "ana"), NOW, properties={"gap": 3})
    result = transaction.commit()

    assert result.conditions == (False,)
    assert fake_space.sources("FOR_GOAL", "session", ("goal", "g")) == []
    assert fake_space.sources("SENT_BY", "message", ("participant", "ana")) == ["m"]
    assert fake_space.targets(("message", "m"), "SENT_BY") == [("participant", "ana")]


def test_an_edge_twice_is_one_and_unlinked_is_none(fake_space: Space) -> None:
    for _ in range(2):
        transaction = fake_space.transaction()
        transaction.link("SENT_BY", ("message", "a|b"), ("participant", "咖啡"), NOW, properties={"gap": 3})
        transaction.commit()
    assert fake_space.sources("SENT_BY", "message", ("participant", "咖啡")) == ["a|b"]

    transaction = fake_space.transaction()
    transaction.unlink("SENT_BY", ("message", "a|b"), ("participant", "咖啡"))
    transaction.commit()

    assert fake_space.sources("SENT_BY", "message", ("participant", "咖啡")) == []
    assert [key for key in fake_space.client.keys("*") if b"SENT_BY" in key or b":out:" in key] == []


def test_several_transactions_travel_together_and_fail_alone(fake_space: Space) -> None:
    good, bad = fake_space.transaction(), fake_space.transaction()
    good.put(_participant(fake_space, "ana"))
    bad.require_present("participant", "nobody")
    bad.put(_participant(fake_space, "bob"))

    results = fake_space.commit([bad, good])

    assert [result.committed for result in results] == [False, True]
    assert fake_space.get(ParticipantRecord, "ana") is not None


def test_a_writer_for_a_replaced_index_is_refused(fake_space: Space) -> None:
    first = fake_space.transaction()
    first.put(_participant(fake_space, "ana"))
    first.commit()

    newer = Space(fake_space.client, fake_space.namespace, generation=2).transaction()
    newer.put(_participant(fake_space, "bob"))
    with pytest.raises(EmbedderMismatch, match="restart"):
        newer.commit()


@pytest.mark.parametrize("command", [("ZADD", 1, "a"), ("HSET", "a", 1), ("INCR",)])
def test_a_key_of_another_type_is_refused_before_anything_is_written(
    memory: Memory, namespace: str, command: tuple[str | int, ...]
) -> None:
    space = memory.kb.space
    first = space.transaction()
    first.put(_participant(space, "ana"))
    first.commit()

    change = space.transaction()
    change.put(_participant(space, "bob"))
    change.run(str(command[0]), space.keys.record("participant", "ana"), *command[1:])
    with pytest.raises(StoreError, match="WRONGTYPE"):
        change.commit()

    assert space.get(ParticipantRecord, "bob") is None
    found = space.get(ParticipantRecord, "ana")
    assert found is not None


def test_a_document_where_none_can_be_is_refused_before_anything_is_written(memory: Memory, namespace: str) -> None:
    space = memory.kb.space
    place = space.keys.named("predicates")
    hashed = space.transaction()
    hashed.run("HSET", place, "a", 1)
    hashed.commit()

    for key, path in ((place, "$"), (space.keys.record("participant", "nobody"), "$.note")):
        change = space.transaction()
        change.put(_participant(space, "bob"))
        change.run("JSON.SET", key, path, "1")
        with pytest.raises(StoreError):
            change.commit()
        assert space.get(ParticipantRecord, "bob") is None


def test_a_key_that_the_write_itself_removed_may_become_another(fake_space: Space) -> None:
    key = fake_space.keys.named("predicates")
    first = fake_space.transaction()
    first.run("ZADD", key, 1, "a")
    first.commit()

    change = fake_space.transaction()
    change.run("DEL", key)
    change.run("HSET", key, "a", 1)
    assert change.commit().committed
    assert fake_space.client.hgetall(key) == {b"a": b"1"}


def test_a_session_that_went_on_is_no_longer_the_latest_known(fake_space: Space) -> None:
    key = fake_space.keys.messages_of("s")
    first = fake_space.transaction()
    for score, member in enumerate("abc"):
        first.run("ZADD", key, score, member)
    first.commit()

    def holds(members: list[str], count: int) -> bool:
        change = fake_space.transaction()
        change.require_latest(key, members, count)
        change.put(_participant(fake_space, "ana"))
        return change.commit().committed

    assert holds(["b", "c"], 2)
    assert holds(["a", "b", "c"], 5)
    assert not holds(["a", "b"], 2)
    assert not holds(["b", "c"], 5)
    assert not holds(["c", "b"], 2)
