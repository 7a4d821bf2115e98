"""Durable work is done once, given back by a dead worker, and kept when it cannot be done."""

from datetime import UTC, datetime, timedelta

from reverie.store import work
from reverie.store.locks import singleflight
from reverie.store.namespace import Namespace

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LEASE = timedelta(seconds=60)


def _queue(ns: Namespace, *entries: str) -> None:
    for entry in entries:
        transaction = ns.transaction()
        transaction.queue("ingest", entry, NOW)
        transaction.commit()


def _claim(ns: Namespace, at: datetime, limit: int = 10) -> list[str]:
    return [claim.entry for claim in work.claim(ns, "ingest", at, LEASE, limit)[0]]


def _finish(ns: Namespace, entry: str) -> bool:
    transaction = ns.transaction()
    work.finish(transaction, "ingest", entry)
    return transaction.commit().committed


def test_two_workers_never_claim_the_same_work(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a", "b", "c")
    first, more = work.claim(fake_ns, "ingest", NOW, LEASE, 2)
    second, none = work.claim(fake_ns, "ingest", NOW, LEASE, 2)

    assert [claim.entry for claim in (*first, *second)] == ["a", "b", "c"]
    assert (more, none) == (1, 0)


def test_work_of_a_dead_worker_comes_back_after_its_lease(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a")
    assert _claim(fake_ns, NOW) == ["a"]
    assert _claim(fake_ns, NOW + LEASE - timedelta(seconds=1)) == []
    claims, _ = work.claim(fake_ns, "ingest", NOW + LEASE, LEASE, 10)
    assert [(claim.entry, claim.attempt) for claim in claims] == [("a", 2)]


def test_work_ends_once(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a")
    _claim(fake_ns, NOW)
    assert _finish(fake_ns, "a")
    assert not _finish(fake_ns, "a")
    assert work.pending(fake_ns, "ingest", ["a"]) == [False]


def test_work_queued_again_while_it_waits_is_one(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a", "a")
    assert _claim(fake_ns, NOW) == ["a"]


def test_failed_work_waits_longer_each_time(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a")
    delays = []
    at = NOW
    for _ in range(4):
        (claim,), _ = work.claim(fake_ns, "ingest", at, LEASE, 10)
        again = work.retry(fake_ns, "ingest", claim, at, timedelta(seconds=2))
        delays.append((again - at).total_seconds())
        assert _claim(fake_ns, again - timedelta(milliseconds=1)) == []
        at = again
    assert all(1.5 * 2**n <= delay <= 2.5 * 2**n for n, delay in enumerate(delays))


def test_a_dead_letter_says_why_and_can_be_revived_or_dropped(fake_ns: Namespace) -> None:
    _queue(fake_ns, "a", "b")
    _claim(fake_ns, NOW)
    letter = work.bury(fake_ns, "ingest", "a", "no such model", 5, NOW)
    work.bury(fake_ns, "ingest", "b", "no such model", 5, NOW + timedelta(seconds=1))

    kept = work.dead_letters(fake_ns)
    assert [(one.entry, one.error, one.attempts) for one in kept] == [
        ("a", "no such model", 5),
        ("b", "no such model", 5),
    ]
    assert kept[0].at == NOW
    assert work.pending(fake_ns, "ingest", ["a", "b"]) == [False, False]

    work.revive(fake_ns, letter, NOW)
    claims, _ = work.claim(fake_ns, "ingest", NOW, LEASE, 10)
    assert [(claim.entry, claim.attempt) for claim in claims] == [("a", 1)]
    assert [work.drop(fake_ns, one.id) for one in work.dead_letters(fake_ns)] == [True]
    assert work.dead_letters(fake_ns) == []


def test_one_holds_a_lock_and_each_holder_has_a_higher_number(fake_ns: Namespace) -> None:
    with singleflight(fake_ns, "consolidate", LEASE) as first:
        with singleflight(fake_ns, "consolidate", LEASE) as second:
            assert second is None
        with singleflight(fake_ns, "other", LEASE) as other:
            assert other == 1
    with singleflight(fake_ns, "consolidate", LEASE) as third:
        assert (first, third) == (1, 2)
