"""The next message of a session is written without reading, and never upon a wrong idea of what came before it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Conflict, Memory
from reverie.agent import Agent
from reverie.config.settings import Settings
from reverie.pipelines.context import Context
from reverie.pipelines.rows import DRAFTERS
from reverie.store import timeline

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Noted(WordEmbedder):
    """Remembers what it embedded."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def documents(self, texts: list[str]) -> object:  # type: ignore[override]  # the same
        self.texts += texts
        return super().documents(texts)


@pytest.fixture
def two(settings: Settings, namespace: str) -> Iterator[tuple[Memory, Memory]]:
    """Two front doors to one namespace, as two processes have them."""
    with (
        Memory(namespace, settings=settings, embedder=Noted()) as one,
        Memory(namespace, settings=settings, embedder=Noted()) as other,
    ):
        yield one, other


def reads(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    made: list[object] = []
    before = timeline.before

    def counted(*given: object) -> object:
        made.append(given)
        return before(*given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(timeline, "before", counted)
    return made


def test_the_next_message_needs_no_reading(fake_ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    made = reads(fake_ctx, monkeypatch)
    session = Agent(fake_ctx, "assistant").session("s")
    for number in range(5):
        session.observe(
            sender="ana", content=f"word{number}", message_id=f"m{number}", at=NOON + timedelta(minutes=number)
        )
    assert len(made) == 1

    session.observe(sender="ana", content="late", message_id="late", at=NOON + timedelta(seconds=90))
    session.observe(sender="ana", content="after", message_id="after", at=NOON + timedelta(hours=1))
    assert [message.message_id for message in session.messages()] == ["m0", "m1", "late", "m2", "m3", "m4", "after"]


def test_what_is_embedded_is_what_a_rebuild_would_embed(two: tuple[Memory, Memory]) -> None:
    """Whoever wrote before, and in whatever order: the context is that of the stored session."""
    sessions = [memory.agent("assistant").session("s") for memory in two]
    for number, (who, minute) in enumerate([(0, 0), (0, 1), (1, 2), (0, 3), (1, 4), (1, 5), (0, 6), (0, 7)]):
        embedder = two[who].connection.embedder
        assert isinstance(embedder, Noted)
        embedder.texts.clear()
        sessions[who].observe(
            sender="ana", content=f"word{number}", message_id=f"m{number}", at=NOON + timedelta(minutes=minute)
        )
        (draft,) = DRAFTERS["message"](two[0].ctx.ns, [f"m{number}"])
        assert embedder.texts[-1] == draft.embedded


def test_a_repeated_message_is_still_one_and_another_a_conflict(fake_ctx: Context) -> None:
    session = Agent(fake_ctx, "assistant").session("s")
    given = {"sender": "ana", "content": "hello", "message_id": "m", "at": NOON}
    session.observe(sender="ana", content="first", at=NOON - timedelta(minutes=1))
    assert session.observe(**given).created
    assert not session.observe(**given).created
    later = given | {"at": NOON + timedelta(minutes=1)}
    with pytest.raises(Conflict):
        session.observe(**later)
    assert len(session.messages()) == 2


def test_a_message_that_was_erased_is_not_built_upon(fake_ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Agent(fake_ctx, "assistant").session("s")
    session.observe(sender="ana", content="secret", message_id="m1", at=NOON)
    session.observe(sender="ana", content="open", message_id="m2", at=NOON + timedelta(minutes=1))
    ns = fake_ctx.ns
    ns.client.zremrangebyrank(timeline.order_key(ns, "s"), 0, 0)
    ns.client.delete(ns.keys.record("message", "m1"))
    made = reads(fake_ctx, monkeypatch)

    session.observe(sender="ana", content="next", message_id="m3", at=NOON + timedelta(minutes=2))
    assert len(made) == 1
    assert "secret" not in ns.client.hget(ns.keys.row("message", "m3"), "c").decode()
