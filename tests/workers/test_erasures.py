"""What an erasure leaves to the workers is done by a worker."""

import subprocess

import pytest
from conftest import eventually

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import erasure, ingest
from reverie.store import work


def test_a_worker_finishes_an_erasure_that_takes_long(
    apart_settings: Settings,
    apart_worker: "subprocess.Popen[bytes]",
    namespace: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Memory(namespace, settings=apart_settings) as memory:
        session = memory.agent("assistant").session("s")
        receipts = session.observe_many(
            [{"sender": "Ana", "content": f"I own the quokkaphone number {number}."} for number in range(12)]
        )
        ids = [one.message_id for one in receipts]
        eventually(lambda: not any(work.pending(memory.ctx.ns, ingest.TOPIC, ids)), "it is ingested", within=60)
        assert memory.observations_from(ids[0])
        # Too late from the beginning: only the messages themselves go before the caller is answered.
        monkeypatch.setattr("reverie.pipelines.erasure.scopes.PATIENCE", 0.0)

        report = memory.forget(session="s")

        assert (report.erased["message"], report.left) == (12, 12)
        assert not memory.agent("assistant").recall("quokkaphone").items
        eventually(lambda: not work.entries(memory.ctx.ns, erasure.TOPIC), "the worker did the rest", within=60)
        assert memory.forget(session="s", verify=True).verified
        assert not work.dead_letters(memory.ctx.ns)
