"""Where work waits: whose turn it is, what a look costs, and that no mark is lost."""

from datetime import UTC, datetime, timedelta

import fakeredis
import pytest

from reverie.config.task_names import DUE_SETS, TOPIC_TASKS
from reverie.store import due, waiting, work
from reverie.store.namespace import Namespace
from reverie.testing import fake_client

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LEASE = timedelta(minutes=1)
TOPIC = "ingest"


@pytest.fixture
def server() -> fakeredis.FakeServer:
    return fakeredis.FakeServer()


def _space(server: fakeredis.FakeServer, namespace: str) -> Namespace:
    return Namespace(fake_client(server), namespace)


def _queue(ns: Namespace, *entries: str, at: datetime = NOW, bulk: bool = False) -> None:
    transaction = ns.transaction()
    for entry in entries:
        transaction.queue(TOPIC, entry, at, bulk=bulk)
    transaction.commit()


def _seconds(number: float) -> datetime:
    return NOW + timedelta(seconds=number)


def _serve(server: fakeredis.FakeServer, at: datetime, batch: int) -> tuple[str, list[str]] | None:
    """What a worker does that is free at `at`: whom it took and what it claimed."""
    turn = waiting.take(_space(server, "any"), TOPIC, at)
    if turn is None:
        return None
    ns = _space(server, turn.namespace)
    claims, _ = work.claim(ns, TOPIC, at, LEASE, batch)
    waiting.give_back(ns, turn, at)
    for claim in claims:
        transaction = ns.transaction()
        work.finish(transaction, TOPIC, claim.entry)
        transaction.commit()
    return turn.namespace, [claim.entry for claim in claims]


def test_a_live_message_waits_for_no_more_than_the_batch_at_hand(server: fakeredis.FakeServer) -> None:
    _queue(_space(server, "busy"), *(f"b-{number:03}" for number in range(40)))
    assert _serve(server, _seconds(1), 4) == ("busy", ["b-000", "b-001", "b-002", "b-003"])
    assert _serve(server, _seconds(2), 4) == ("busy", ["b-004", "b-005", "b-006", "b-007"])

    _queue(_space(server, "quiet"), "hello", at=_seconds(2.5))

    assert _serve(server, _seconds(3), 4) == ("quiet", ["hello"])
    assert _serve(server, _seconds(4), 4) == ("busy", ["b-008", "b-009", "b-010", "b-011"])


def test_namespaces_with_much_to_do_take_turns(server: fakeredis.FakeServer) -> None:
    for namespace in ("one", "two", "three"):
        _queue(_space(server, namespace), *(f"m-{number}" for number in range(6)))

    served = [_serve(server, _seconds(number), 2) for number in range(1, 10)]

    turns = [one[0] for one in served if one]
    assert [sorted(turns[at : at + 3]) for at in (0, 3, 6)] == [["one", "three", "two"]] * 3
    assert _serve(server, _seconds(20), 2) is None


def test_live_work_goes_before_bulk_within_a_namespace_and_across(server: fakeredis.FakeServer) -> None:
    importing = _space(server, "importing")
    _queue(importing, *(f"b-{number}" for number in range(9)), bulk=True)
    _queue(importing, "live", at=_seconds(1))
    _queue(_space(server, "other"), "theirs", at=_seconds(2))

    assert _serve(server, _seconds(3), 8) == ("importing", ["live"])
    assert _serve(server, _seconds(3), 8) == ("other", ["theirs"])
    assert _serve(server, _seconds(3), 8) == ("importing", [f"b-{number}" for number in range(8)])
    assert _serve(server, _seconds(3), 8) == ("importing", ["b-8"])
    assert _serve(server, _seconds(3), 8) is None


def test_bulk_work_is_not_starved_by_live_work_that_never_ends(server: fakeredis.FakeServer) -> None:
    _queue(_space(server, "importing"), "b", bulk=True)
    served = []
    for number in range(40, 60):
        _queue(_space(server, f"live-{number}"), "l", at=_seconds(number))
        _queue(_space(server, f"more-{number}"), "l", at=_seconds(number))
        served.append(_serve(server, _seconds(number), 8))

    assert ("importing", ["b"]) in served[:4]


def test_what_is_marked_while_its_namespace_is_in_hand_is_seen(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "busy")
    _queue(ns, "first")
    turn = waiting.take(ns, TOPIC, _seconds(1))
    assert turn is not None
    work.claim(ns, TOPIC, _seconds(1), LEASE, 8)
    _queue(ns, "second", at=_seconds(1))

    waiting.give_back(ns, turn, _seconds(1))

    assert _serve(server, _seconds(2), 8) == ("busy", ["second"])


def test_what_is_marked_for_later_while_its_namespace_is_in_hand_is_seen_then(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "busy")
    _queue(ns, "first")
    turn = waiting.take(ns, TOPIC, _seconds(1))
    assert turn is not None
    work.claim(ns, TOPIC, _seconds(1), LEASE, 8)
    transaction = ns.transaction()
    work.finish(transaction, TOPIC, "first")
    transaction.commit()
    _queue(ns, "later", at=_seconds(500))  # later than the turn would end by itself

    waiting.give_back(ns, turn, _seconds(1))

    assert _serve(server, _seconds(499), 8) is None
    assert _serve(server, _seconds(500), 8) == ("busy", ["later"])


def test_a_worker_that_died_with_a_namespace_in_hand_keeps_it_a_moment(server: fakeredis.FakeServer) -> None:
    _queue(_space(server, "busy"), "m")
    assert waiting.take(_space(server, "any"), TOPIC, NOW) is not None  # and it dies

    assert _serve(server, NOW + waiting.IN_HAND - timedelta(seconds=1), 8) is None
    assert _serve(server, NOW + waiting.IN_HAND, 8) == ("busy", ["m"])


def test_a_worker_that_died_with_a_claim_gives_it_back_after_its_lease(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "busy")
    _queue(ns, "m", bulk=True)
    turn = waiting.take(ns, TOPIC, NOW)
    assert turn is not None
    work.claim(ns, TOPIC, NOW, LEASE, 8)
    waiting.give_back(ns, turn, NOW)  # and it dies

    assert _serve(server, NOW + LEASE - timedelta(seconds=1), 8) is None
    assert _serve(server, NOW + LEASE, 8) == ("busy", ["m"])


def test_what_failed_is_looked_at_when_it_is_due_again(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "busy")
    _queue(ns, "m")
    turn = waiting.take(ns, TOPIC, NOW)
    assert turn is not None
    (claim,), _ = work.claim(ns, TOPIC, NOW, LEASE, 8)
    waiting.give_back(ns, turn, NOW)

    again = work.retry(ns, TOPIC, claim, NOW, timedelta(seconds=2))

    assert again < NOW + LEASE
    assert _serve(server, again - timedelta(milliseconds=1), 8) is None
    assert _serve(server, again, 8) == ("busy", ["m"])


def test_one_wake_up_a_namespace_and_topic_until_it_is_heeded(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "any")

    def asked(namespace: str, at: datetime = NOW) -> bool:
        return waiting.ask_for_wake_up(ns, TOPIC, namespace, at)

    assert [asked("one") for _ in range(5)] == [True, False, False, False, False]
    assert asked("two")
    assert waiting.ask_for_wake_up(ns, "embed", "one", NOW)

    waiting.take(ns, TOPIC, NOW, heeded="one")
    assert (asked("one"), asked("two")) == (True, False)
    waiting.wake_up_failed(ns, TOPIC, "two")
    assert asked("two")
    assert not asked("one", NOW + waiting.FRESH - timedelta(seconds=1))
    assert asked("one", NOW + waiting.FRESH)


def test_a_mark_that_was_lost_is_made_again(server: fakeredis.FakeServer) -> None:
    names = [f"tenant-{number}" for number in range(25)]
    for name in names:
        ns = _space(server, name)
        _queue(ns, "live")
        _queue(ns, "import", bulk=True)
        transaction = ns.transaction()
        transaction.schedule("session-idle", "s-1", NOW)
        transaction.commit()
    anywhere = _space(server, "any")
    for key in anywhere.client.keys("rv:waiting:*"):
        anywhere.client.delete(key)

    cursor, seen = waiting.remark(anywhere, list(TOPIC_TASKS), DUE_SETS, 0, 10)
    while cursor:
        cursor, more = waiting.remark(anywhere, list(TOPIC_TASKS), DUE_SETS, cursor, 10)
        seen += more

    assert seen >= len(names)
    assert sorted(waiting.where(anywhere, "session-idle", NOW)) == sorted(names)
    served = [_serve(server, _seconds(1), 8) for _ in range(50)]
    assert sorted(one for one in served if one) == sorted(
        [(name, ["live"]) for name in names] + [(name, ["import"]) for name in names]
    )


def test_a_due_set_is_looked_at_again_when_its_next_id_falls_due(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "tenant")
    for id, at in (("soon", 10), ("late", 500)):
        transaction = ns.transaction()
        transaction.schedule("decay", id, _seconds(at))
        transaction.commit()
    assert waiting.where(ns, "decay", _seconds(9)) == []
    assert waiting.where(ns, "decay", _seconds(10)) == ["tenant"]

    turn = waiting.hold(ns, "decay", _seconds(10))
    transaction = ns.transaction()
    transaction.settle("decay", "soon")
    transaction.schedule("decay", "next", _seconds(100))
    transaction.commit()
    waiting.release(ns, turn)

    assert waiting.where(ns, "decay", _seconds(99)) == []
    assert waiting.where(ns, "decay", _seconds(100)) == ["tenant"]
    assert due.count(ns, "decay", _seconds(100)) == (2, 1)


def test_a_namespace_that_is_gone_waits_nowhere(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "tenant")
    _queue(ns, "live")
    _queue(ns, "import", bulk=True)

    waiting.leave(ns, [*TOPIC_TASKS, *DUE_SETS])

    assert waiting.is_due(ns, list(TOPIC_TASKS), _seconds(1)) == []


def test_a_renewed_claim_lasts_and_what_was_given_back_stays_given_back(server: fakeredis.FakeServer) -> None:
    ns = _space(server, "busy")
    _queue(ns, "held", "failed", bulk=True)
    claims, _ = work.claim(ns, TOPIC, NOW, LEASE, 8)
    failed = next(claim for claim in claims if claim.entry == "failed")
    again = work.retry(ns, TOPIC, failed, NOW, timedelta(seconds=2))

    renewed = work.renew(ns, TOPIC, claims, _seconds(90))

    assert [claim.until for claim in renewed] == [_seconds(90)] * 2
    assert [claim.entry for claim in work.claim(ns, TOPIC, again, LEASE, 8)[0]] == ["failed"]
    assert work.claim(ns, TOPIC, _seconds(61), timedelta(0), 8)[0] == []
    work.renew(ns, TOPIC, renewed, _seconds(120))
    assert [claim.entry for claim in work.claim(ns, TOPIC, _seconds(120), LEASE, 8)[0] if claim.entry == "held"]


def test_what_waits_everywhere_is_counted_where_anything_is_marked(server: fakeredis.FakeServer) -> None:
    one, other = _space(server, "one"), _space(server, "other")
    _queue(one, "a", "b")
    _queue(one, "c", at=_seconds(60))
    _queue(other, "d", bulk=True)
    transaction = other.transaction()
    transaction.schedule(DUE_SETS[0], "x", NOW)
    transaction.schedule(DUE_SETS[0], "y", _seconds(60))
    transaction.commit()
    for number in range(20):
        transaction = _space(server, f"idle-{number}").transaction()
        transaction.by_key.run("SET", transaction.ns.keys.named("usage"), "1")
        transaction.commit()

    assert waiting.marked(one, [TOPIC], [DUE_SETS[0]]) == ["one", "other"]
    assert waiting.totals(one, [TOPIC], [], NOW) == (4, 3)
    assert waiting.totals(one, [], [DUE_SETS[0]], NOW) == (2, 1)
    assert waiting.totals(one, [TOPIC], [DUE_SETS[0]], NOW) == (6, 4)
