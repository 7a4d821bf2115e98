"""A write is one step: all of it, or nothing."""

from datetime import UTC, datetime

import pytest

from reverie import EmbedderMismatch
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
    guard = second.require("absent", fake_space.keys.record("participant", "ana"))
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
    change.require("revision", fake_space.keys.record("participant", "ana"), expected)
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
    bad.require("present", fake_space.keys.record("participant", "nobody"))
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
