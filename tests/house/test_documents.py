"""What the documents print works as printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import eventually

from reverie import Memory
from reverie.config.settings import Settings
from reverie.knowledge.quotation import FENCE_OPEN
from reverie.pipelines.ingest import TOPIC
from reverie.store import stats, work

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


def _blocks(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def _run(code: str, settings: Settings) -> str:
    assert settings.redis_url is not None
    environment = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
    }
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if _blocks(path)], ids=lambda path: path.name)
def test_its_examples_run(path: Path, settings: Settings, worker: subprocess.Popen[bytes]) -> None:
    """The blocks of one document are one program, in order."""
    assert _run("\n".join(_blocks(path)), settings)


def test_the_readme_says_what_it_found(settings: Settings, worker: subprocess.Popen[bytes]) -> None:
    (code,) = _blocks(ROOT / "README.md")
    said = _run(code.replace('"travel"', '"travel-readme"'), settings)
    assert "peanuts" in said
    assert FENCE_OPEN in said
    assert "Lisbon" in said.partition(FENCE_OPEN)[2]
    assert len(code.splitlines()) <= 36


def test_the_readme_run_twice_doubles_nothing(settings: Settings, worker: subprocess.Popen[bytes]) -> None:
    (code,) = _blocks(ROOT / "README.md")
    held = []
    with Memory("travel-twice", settings=settings) as memory:
        for _ in range(2):
            _run(code.replace('"travel"', '"travel-twice"'), settings)
            agent = memory.agent("assistant")
            eventually(lambda: not work.entries(memory.ctx.ns, TOPIC), "all is ingested")
            agent.consolidate()
            said = agent.session("monday").messages()
            goals, tasks = agent.goals.all(), agent.goals.tasks_of("flat")
            held.append(
                (said, goals, tasks, [one.content for one in memory.facts()], stats.rows_by_kind(memory.ctx.ns))
            )
    assert held[0] == held[1]
    assert (len(held[0][0]), len(held[0][1]), len(held[0][2])) == (2, 1, 1)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_its_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert missing == []
