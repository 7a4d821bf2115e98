"""Rows are read as they are now, whether this process read them before or not."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie import Memory
from reverie.store import hits, scripts
from reverie.store.hits import read, row_keys
from reverie.store.namespace import Namespace
from reverie.store.rows import Row, floats, vector_bytes

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def ns(quick_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    monkeypatch.setattr(hits, "_KEPT", hits._Kept(1024 * 1024))
    return quick_memory.ctx.ns


def store(ns: Namespace, *rows: Row) -> list[bytes]:
    transaction = ns.transaction()
    for row in rows:
        transaction.row(row)
    assert transaction.commit().committed
    return [key for row in rows for key in row_keys(ns, row.kind, [row.id])]


def sent(ns: Namespace, keys: list[bytes], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many of the rows the server sends when they are read."""
    replies: list[list[object]] = []
    run = scripts.run
    with monkeypatch.context() as patched:
        patched.setattr(scripts, "run", lambda *given: replies.append(run(*given)) or replies[-1])
        read(ns, keys)
    return sum(row != 1 for row in replies[0])


def test_a_row_that_did_not_change_is_sent_once(ns: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = store(ns, Row("message", "1", "violet lamp", NOON), Row("message", "2", "scarlet chair", NOON))
    first = read(ns, keys)
    assert sent(ns, keys, monkeypatch) == 0
    assert read(ns, keys[::-1]) == first[::-1]


@pytest.mark.parametrize(
    "changed",
    [
        Row("message", "1", "green lamp", NOON),
        Row("message", "1", "violet lamp", NOON + timedelta(days=1)),
        Row("message", "1", "violet lamp", NOON, np.ones(384, np.float32)),
        Row("message", "1", "violet lamp", NOON, owner="ana"),
    ],
)
def test_a_row_that_changed_is_read_anew(ns: Namespace, changed: Row) -> None:
    keys = store(ns, Row("message", "1", "violet lamp", NOON))
    [before] = read(ns, keys)
    store(ns, changed)
    [after] = read(ns, keys)
    assert (before.text, before.at, before.vector, before.owner) != (after.text, after.at, after.vector, after.owner)
    assert (after.text, after.at, after.owner) == (changed.text, changed.at, changed.owner)


def test_a_row_of_which_a_part_changed_is_read_anew_each_time(ns: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = store(ns, Row("fact", "1", "Ana sings", NOON, valid_from=NOON))
    read(ns, keys)
    transaction = ns.transaction()
    transaction.close_row("fact", "1", NOON, NOON + timedelta(days=1))
    assert transaction.commit().committed
    assert [hit.valid_to for hit in read(ns, keys)] == [NOON + timedelta(days=1)]
    assert sent(ns, keys, monkeypatch) == 1


def test_a_row_that_is_gone_is_not_given(ns: Namespace) -> None:
    keys = store(ns, Row("message", "1", "violet lamp", NOON))
    assert len(read(ns, keys)) == 1
    transaction = ns.transaction()
    transaction.drop_row("message", "1")
    transaction.commit()
    assert read(ns, keys) == []
    assert not hits._KEPT.known(keys)


def test_of_a_long_text_what_is_asked_for_is_read_each_time(ns: Namespace) -> None:
    keys = store(ns, Row("message", "1", f"{'lorem ipsum ' * 800} violet", NOON))
    assert "violet" not in read(ns, keys)[0].words
    assert "violet" in read(ns, keys, ["violet"])[0].words
    assert read(ns, keys)[0].cut


def test_no_more_is_kept_than_the_bound(ns: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hits, "_KEPT", hits._Kept(3000))
    keys = store(ns, *(Row("message", str(number), "violet lamp", NOON) for number in range(5)))
    assert len(read(ns, keys)) == 5
    assert list(hits._KEPT.known(keys)) == keys[-2:]


def test_vectors_come_back_as_they_were_packed() -> None:
    vectors = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    packed = b"".join(vector_bytes(vector) for vector in vectors)
    np.testing.assert_allclose(floats(packed, 3), vectors, atol=1e-3)
