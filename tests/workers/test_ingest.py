"""A real worker ingests what was observed."""

import subprocess

import pytest

from reverie import Memory
from reverie.config.settings import Settings
from reverie.store.records.knowledge import ObservationRecord


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


def test_a_worker_finds_what_a_message_says(memory: Memory, worker: subprocess.Popen[bytes]) -> None:
    session = memory.agent("assistant").session("s-1")
    receipt = session.observe(sender="Ana", content="I work at Acme as a designer.")

    memory.wait(receipt, timeout=60)

    ids = memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", receipt.message_id))
    found = [record for record in memory.ctx.ns.get_many(ObservationRecord, ids) if record]
    assert [(record.subject, record.object) for record in found] == [("Ana", "Acme")]
    assert found[0].said_by == "Ana"
