"""Beat starts whatever became of its file."""

import errno
import gc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from reverie.config.settings import load
from reverie.workers.app import app
from reverie.workers.beat import Scheduler
from reverie.workers.schedule import beat_schedule


def scheduler(folder: Path) -> Scheduler:
    return Scheduler(app, schedule_filename=str(folder / "schedule"))


def scheduled(folder: Path) -> set[str]:
    """What a scheduler that starts now would send."""
    with closing(scheduler(folder)) as one:
        return set(one.schedule)


def broken(folder: Path, change: Callable[[bytes], bytes]) -> None:
    files = list(folder.iterdir())
    assert files
    for file in files:
        file.write_bytes(change(file.read_bytes()))


# Python 3.13's dbm leaves the connection to a malformed file open.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <sqlite3.Connection:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "change",
    [lambda old: b"", lambda old: b"c" * len(old), lambda old: old[: len(old) // 2], lambda old: old],
    ids=["empty", "garbage", "half", "whole"],
)
def test_a_file_that_cannot_be_read_is_begun_anew(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    scheduler(tmp_path).close()
    broken(tmp_path, change)

    again = scheduler(tmp_path)
    gc.collect()  # what was left open is complained of here, and not in another test

    assert set(again.schedule) == set(beat_schedule(load()))
    again.close()
    assert scheduled(tmp_path) == set(beat_schedule(load()))


def test_data_that_its_index_does_not_fit_is_no_matter(tmp_path: Path) -> None:
    scheduler(tmp_path).close()
    for data in tmp_path.glob("*.dat"):
        data.write_bytes(b"")

    assert scheduled(tmp_path) == set(beat_schedule(load()))


def test_two_on_one_file_do_no_harm(tmp_path: Path) -> None:
    first, second = scheduler(tmp_path), scheduler(tmp_path)
    for one in (first, second, first):
        one.sync()
        assert set(one.schedule) == set(beat_schedule(load()))
    second.close()
    first.close()

    assert scheduled(tmp_path) == set(beat_schedule(load()))


def test_where_no_file_can_be_it_goes_on_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    one = scheduler(tmp_path / "not" / "there")
    assert set(one.schedule) == set(beat_schedule(load()))
    one.sync()
    one.close()
    assert "beat goes on without" in caplog.text


def test_a_disk_that_fills_ends_no_beat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    one = scheduler(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(one._store, "sync", full)
        one.sync()
    assert "No space left" in caplog.text
    assert set(one.schedule) == set(beat_schedule(load()))
    one.close()
    assert scheduled(tmp_path) == set(beat_schedule(load()))
