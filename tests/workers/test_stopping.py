"""A worker stops soon, whenever it is told to."""

import time
from types import SimpleNamespace

import pytest
from billiard import get_context, pool

from reverie.workers.stopping import SECONDS, wait_a_moment_only


def test_a_process_whose_last_task_was_forgotten_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT", 300)
    counted = SimpleNamespace(value=0)
    inbox, outbox = get_context().SimpleQueue(), get_context().SimpleQueue()
    process = pool.Worker(inbox, outbox, on_ready_counter=counted)
    wait_a_moment_only()

    began = time.monotonic()
    assert not process._ensure_messages_consumed(completed=1)
    assert time.monotonic() - began < 10 * SECONDS
    counted.value = 1
    assert process._ensure_messages_consumed(completed=1)
