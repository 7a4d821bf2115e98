"""Durable work is done once, given back by a dead worker, and kept when it cannot be done."""

from datetime import UTC, datetime, timedelta

from reverie.store import work
from reverie.store.locks import singleflight
from reverie.store.space import Space

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LEASE = timedelta(seconds=60)


def _queue(space: Space, *entries: str) -> None:
    for entry in entries:
        transaction = space.transaction()
        transaction.queue("ingest", entry, NOW)
        transaction.commit()


def _claim(space: Space, at: datetime, limit: int = 10) -> list[str]:
    return [claim.entry for claim in work.claim(space, "ingest", at, LEASE, limit)[0]]


def _finish(space: Space, entry: str) -> bool:
    transaction = space.transaction()
    work.finish(transaction, "ingest", entry)
    return transaction.commit().committed


def test_two_workers_never_claim_the_same_work(fake_space: Space) -> None:
    _queue(fake_space, "a", "b", "c")
    first, more = work.claim(fake_space, "ingest", NOW, LEASE, 2)
    second, none = work.claim(fake_space, "ingest", NOW, LEASE, 2)

    assert [claim.entry for claim in (*first, *second)] == ["a", "b", "c"]
    assert (more, none) == (1, 0)


def test_work_of_a_dead_worker_comes_back_after_its_lease(fake_space: Space) -> None:
    _queue(fake_space, "a")
    assert _claim(fake_space, NOW) == ["a"]
    assert _claim(fake_space, NOW + LEASE - timedelta(seconds=1)) == []
    claims, _ = work.claim(fake_space, "ingest", NOW + LEASE, LEASE, 10)
    assert [(claim.entry, claim.attempt) for claim in claims] == [("a", 2)]


def test_work_ends_once(fake_space: Space) -> None:
    _queue(fake_space, "a")
    _claim(fake_space, NOW)
    assert _finish(fake_space, "a")
    assert not _finish(fake_space, "a")
    assert work.pending(fake_space, "ingest", ["a"]) == [False]


def test_work_queued_again_while_it_waits_is_one(fake_space: Space) -> None:
    _queue(fake_space, "a", "a")
    assert _claim(fake_space, NOW) == ["a"]


def test_failed_work_waits_longer_each_time(fake_space: Space) -> None:
    _queue(fake_space, "a")
    delays = []
    at = NOW
    for _ in range(4):
        (claim,), _ = work.claim(fake_space, "ingest", at, LEASE, 10)
        again = work.retry(fake_space, "ingest", claim, at, timedelta(seconds=2))
        delays.append((again - at).total_seconds())
        assert _claim(fake_space, again - timedelta(milliseconds=1)) == []
        at = again
    assert all(1.5 * 2**n <= delay <= 2.5 * 2**n for n, delay in enumerate(delays))


def test_a_dead_letter_says_why_and_can_be_revived_or_dropped(fake_space: Space) -> None:
    _queue(fake_space, "a", "b")
    _claim(fake_space, NOW)
    letter = work.bury(fake_space, "ingest", "a", "no such model", 5, NOW)
    work.bury(fake_space, "ingest", "b", "no such model", 5, NOW + timedelta(seconds=1))

    kept = work.dead_letters(fake_space)
    assert [(one.entry, one.error, one.attempts) for one in kept] == [
        ("a", "no such model", 5),
        ("b", "no such model", 5),
    ]
    assert kept[0].at == NOW
    assert work.pending(fake_space, "ingest", ["a", "b"]) == [False, False]

    work.revive(fake_space, letter, NOW)
    claims, _ = work.claim(fake_space, "ingest", NOW, LEASE, 10)
    assert [(claim.entry, claim.attempt) for claim in claims] == [("a", 1)]
    assert [work.drop(fake_space, one.id) for one in work.dead_letters(fake_space)] == [True]
    assert work.dead_letters(fake_space) == []


def test_one_holds_a_lock_and_each_holder_has_a_higher_number(fake_space: Space) -> None:
    with singleflight(fake_space, "consolidate", LEASE) as first:
        with singleflight(fake_space, "consolidate", LEASE) as second:
            assert second is None
        with singleflight(fake_space, "other", LEASE) as other:
            assert other == 1
    with singleflight(fake_space, "consolidate", LEASE) as third:
        assert (first, third) == (1, 2)
