"""A process that ended on an error says so to its supervisor; one that was told to stop ended well."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import eventually
from faults import redis_server

from reverie.config.settings import Settings

_FAILING = """
import sys
from {module} import {name} as broken
def fail(*arguments, **named):
    raise RuntimeError("broken")
broken.start = fail
sys.argv = ["reverie", {command!r}, *{options!r}]
from reverie.cli.app import main
main()
"""


@contextmanager
def running(settings: Settings, folder: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    assert settings.redis_url is not None
    environment = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(folder / "data"),
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, *command], env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("command", "ready"), [("worker", "ready."), ("beat", "Starting"), ("flower --port=0", "Flower: http")]
)
def test_told_to_stop_it_exits_with_zero(command: str, ready: str, own_settings: Settings, tmp_path: Path) -> None:
    with running(own_settings, tmp_path, "-m", "reverie.cli", *command.split()) as process:
        eventually(lambda: ready in (tmp_path / "log").read_text(), "it runs", within=60)
        eventually(lambda: _takes_signals(process.pid, signal.SIGTERM), "it handles signals", within=60)
        process.terminate()
        assert process.wait(60) == 0, (tmp_path / "log").read_text()


def _takes_signals(pid: int, number: int) -> bool:
    """Whether the process has a handler of its own for the signal."""
    line = next(one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("SigCgt"))
    return bool(int(line.split()[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize(
    ("command", "module", "name"),
    [
        ("worker", "celery.worker.consumer", "Consumer"),
        ("beat", "celery.beat", "Service"),
        ("flower", "flower.app", "Flower"),
    ],
)
def test_ended_by_an_error_it_exits_with_another_code(
    command: str, module: str, name: str, own_settings: Settings, tmp_path: Path
) -> None:
    options = ["--port=0"] if command == "flower" else []
    script = _FAILING.format(module=module, name=name, command=command, options=options)
    with running(own_settings, tmp_path, "-c", script) as process:
        assert process.wait(60) not in (0, None)
        assert "broken" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("command", ["worker", "up --no-flower"])
def test_a_redis_that_cannot_hold_a_memory_is_refused(command: str, own_settings: Settings, tmp_path: Path) -> None:
    with redis_server(tmp_path / "bare", modules=False) as url:
        unfit = own_settings.model_copy(update={"redis_url": type(own_settings.redis_url)(url)})
        with running(unfit, tmp_path, "-m", "reverie.cli", *command.split()) as process:
            assert process.wait(60) == 1
    assert "lacks search and JSON; use Redis Stack" in (tmp_path / "log").read_text()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_up_without_a_redis_exits_with_another_code(own_settings: Settings, tmp_path: Path) -> None:
    away = own_settings.model_copy(update={"redis_url": type(own_settings.redis_url)("redis://127.0.0.1:1/0")})
    with running(away, tmp_path, "-m", "reverie.cli", "up", "--no-flower") as process:
        assert process.wait(60) == 1
