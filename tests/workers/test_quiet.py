"""A system at rest logs nothing; one at work says what each task did."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from reverie.config.task_names import INGEST_DRAIN, SESSIONS_CLOSE_IDLE, WORK_SWEEP
from reverie.workers import quiet


@pytest.fixture(autouse=True)
def level() -> Iterator[None]:
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.INFO)
    yield
    root.setLevel(before)


def _record(level: int, *arguments: Any) -> logging.LogRecord:
    return logging.LogRecord("celery", level, __file__, 1, "said", arguments, None)


def _done(task: str, said: str) -> logging.LogRecord:
    return _record(logging.INFO, {"name": task, "return_value": repr(said), "runtime": 0.01})


def test_scheduled_tasks_that_did_nothing_are_not_logged() -> None:
    silent = [
        _record(logging.INFO, "wake for waiting work", WORK_SWEEP),
        _record(logging.INFO, {"name": WORK_SWEEP, "id": "1"}),
        _done(WORK_SWEEP, quiet.IDLE),
        _done(SESSIONS_CLOSE_IDLE, quiet.IDLE),
    ]
    assert [record for record in silent if quiet.is_told(record)] == []


def test_what_did_something_or_failed_is_logged() -> None:
    told = [
        _done(WORK_SWEEP, "work waits: ingest"),
        _done(SESSIONS_CLOSE_IDLE, "1 sessions closed in 1 namespaces, 0 left"),
        _record(logging.INFO, {"name": INGEST_DRAIN, "id": "1"}),
        _done(INGEST_DRAIN, "nothing to do"),
        _record(logging.ERROR, {"name": WORK_SWEEP, "exc": "gone"}),
        _record(logging.INFO, "beat: Starting..."),
        _record(logging.INFO),
    ]
    assert [record for record in told if not quiet.is_told(record)] == []


def test_at_level_debug_all_is_logged() -> None:
    logging.getLogger().setLevel(logging.DEBUG)
    assert quiet.is_told(_done(WORK_SWEEP, quiet.IDLE))
