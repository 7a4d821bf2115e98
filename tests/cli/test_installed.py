"""What is installed from a built wheel works as the sources do."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import eventually

from reverie import Memory
from reverie.config.settings import load
from reverie.pipelines import ingest
from reverie.store import embedded, work

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that imports Reverie from a wheel, built and unpacked here."""
    home = tmp_path_factory.mktemp("wheel")
    kept = shutil.ignore_patterns(".*", "tests", "bench", "docs", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, home / "source", ignore=kept)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(home), str(home / "source")]
    subprocess.run([*pip, *build], check=True, cwd=home)
    (wheel,) = home.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(home / "site"), str(wheel)], check=True, cwd=home)
    return {**os.environ, "PYTHONPATH": str(home / "site"), "PYTHONUNBUFFERED": "1"}


def test_it_is_what_is_imported(installed: dict[str, str], tmp_path: Path) -> None:
    code = "import reverie, reverie.cli, reverie.workers.app as app; print(reverie.__file__, app.__file__)"
    environment = installed | {"REVERIE_REDIS_URL": "redis://127.0.0.1:1/0"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert [path.startswith(installed["PYTHONPATH"]) for path in said.stdout.split()] == [True, True]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_up_works_and_ends_with_all_that_it_started(
    installed: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "data"
    environment = installed | {"REVERIE_DATA_DIR": str(folder)}
    environment.pop("REVERIE_REDIS_URL", None)
    log = tmp_path / "log"
    with log.open("wb") as out:
        command = [sys.executable, "-m", "reverie.cli", "up", "--no-flower", "--concurrency=1"]
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=out, stderr=out)
    try:
        eventually(lambda: "Ctrl-C stops everything" in log.read_text(), "it started", within=60)
        with Memory("installed", settings=load(data_dir=folder)) as memory:
            receipt = memory.agent("assistant").session("s").observe(sender="Ana", content="I live in Lyon.")
            ids = [receipt.message_id]
            eventually(lambda: not any(work.pending(memory.ctx.ns, ingest.TOPIC, ids)), "it is ingested", within=90)
        process.send_signal(number)
        assert process.wait(60) == 0, log.read_text()
        assert "Traceback" not in log.read_text()
        eventually(lambda: not embedded.status(folder).running, "its server ended too")
    finally:
        process.kill()
        process.wait()
