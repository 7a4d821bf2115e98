"""What an open page hears of."""

import json
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from browsing import Explorer, browsing

from reverie import Memory
from reverie.web.live import changes


@pytest.fixture
def explorer(quick_memory: Memory) -> Iterator[Explorer]:
    with browsing(quick_memory) as opened:
        yield opened


class _Connected:
    """A request whose browser stays."""

    async def is_disconnected(self) -> bool:
        return False


def events(explorer: Explorer, act: Any) -> list[str]:
    """The events from before `act` until the first one after it."""
    heard: list[str] = []

    async def listen() -> None:
        with anyio.fail_after(30):
            async for one in changes(_Connected(), explorer.memory):  # type: ignore[arg-type]
                if not heard:
                    await anyio.to_thread.run_sync(act)
                heard.append(one)
                if one.startswith("event:"):
                    return

    anyio.run(listen)
    return heard


def test_what_is_written_is_told_to_open_pages(explorer: Explorer) -> None:
    def write() -> None:
        explorer.memory.agent("a").session("s").observe("Ana", "hello", message_id="m-1")

    assert events(explorer, write)[-1].startswith("event: changed")


def test_an_open_page_hears_that_its_namespace_was_erased(explorer: Explorer) -> None:
    explorer.memory.agent("a").session("s").observe("Ana", "hello", message_id="m-1")
    heard = events(explorer, lambda: explorer.memory.forget(namespace=explorer.memory.namespace))
    assert heard[-1].startswith("event: erased")
    assert "hello" not in json.dumps(heard)
