"""The embedded server is killed under an open memory: the next call starts it again, once and on the same data."""

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import WordEmbedder, eventually

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.store import embedded
from reverie.store.embedded.locks import is_locked


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    # The deadline has its own tests; a busy machine needs longer to start a server.
    yield load(data_dir=tmp_path / "data", redis_timeout=30)
    embedded.stop(tmp_path / "data", force=True)


def _servers(folder: Path) -> int:
    """How many Redis servers run in this folder."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            name, where = (process / "comm").read_text(), (process / "cwd").readlink()
            count += name.startswith(("redis-server", "valkey-server")) and where == folder / "redis" / "data"
    return count


@pytest.mark.parametrize("victims", [("supervisor",), ("pid",), ("supervisor", "pid"), ("pid", "supervisor")])
def test_an_open_memory_goes_on(settings: Settings, victims: tuple[str, ...]) -> None:
    folder = settings.data_dir
    with Memory("n", settings=settings, embedder=WordEmbedder()) as memory:
        session = memory.agent("a").session("s")
        session.observe(sender="ana", content="the violet lamp", message_id="m-0")
        for round in (1, 2):
            running = json.loads((folder / "redis" / "running.json").read_text())
            for victim in victims:
                os.kill(running[victim], signal.SIGKILL)

            session.observe(sender="ana", content=f"round {round}", message_id=f"m-{round}")

            assert len(session.messages()) == round + 1
            assert [item.id for item in memory.agent("a").recall("violet lamp").items][:1] == ["m-0"]
            eventually(lambda: _servers(folder) == 1, "one server is left")


def test_many_threads_bring_one_server_back(settings: Settings) -> None:
    folder = settings.data_dir
    with Memory("n", settings=settings, embedder=WordEmbedder()) as memory:
        agent = memory.agent("a")
        agent.goals.create(title="Ship", goal_id="g")
        running = json.loads((folder / "redis" / "running.json").read_text())
        os.kill(running["supervisor"], signal.SIGKILL)
        os.kill(running["pid"], signal.SIGKILL)
        with ThreadPoolExecutor(8) as pool:
            created = list(pool.map(lambda number: agent.goals.create(title="Go", goal_id=f"g-{number}"), range(32)))
        assert [one.created for one in created] == [True] * 32
        assert len(agent.goals.all()) == 33
        assert _servers(folder) == 1


def test_a_server_that_comes_back_on_another_port_is_found(settings: Settings) -> None:
    folder = settings.data_dir
    with Memory("n", settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("a").goals.create(title="Ship", goal_id="g")
        running = json.loads((folder / "redis" / "running.json").read_text())
        os.kill(running["supervisor"], signal.SIGKILL)
        eventually(lambda: not is_locked(folder / "redis" / "server.lock"), "the server ends with its supervisor")
        (folder / "redis" / "port").write_text("")

        assert [goal.goal_id for goal in memory.agent("a").goals.all()] == ["g"]

        assert json.loads((folder / "redis" / "running.json").read_text())["port"] != running["port"]


def test_closing_the_last_memory_ends_the_server_before_it_returns(settings: Settings) -> None:
    folder = settings.data_dir
    for _ in range(3):
        Memory("n", settings=settings, embedder=WordEmbedder()).close()
        assert _servers(folder) == 0
        assert not is_locked(folder / "redis" / "supervisor.lock")
