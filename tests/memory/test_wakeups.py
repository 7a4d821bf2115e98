"""A broker that is away, or of a kind that is not installed, delays no call and loses no work."""

import pytest
from conftest import WordEmbedder
from faults import within

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import ingest
from reverie.store import work


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/1", "amqp://127.0.0.1:1//", "sqs://", "magic://nowhere"])
def test_a_broker_that_cannot_be_reached_holds_up_nobody(
    settings: Settings, namespace: str, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    away = type(settings).model_validate({**settings.model_dump(), "broker_url": url})
    with within(5), Memory(namespace, settings=away, embedder=WordEmbedder()) as memory:
        session = memory.agent("assistant").session("s")
        for number in range(5):
            session.observe(sender="Ana", content=f"I own boat {number}.")
        memory.agent("assistant").record_episode("build", state={"topic": "boats"})
    assert "no wake-up sent, the sweep will" in caplog.text
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        assert len(work.entries(memory.ctx.ns, ingest.TOPIC)) == 5
