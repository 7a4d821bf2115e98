"""What runs when, and who sees it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import WordEmbedder, eventually, running_worker

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.config.task_names import DECAY_ARCHIVE, ROUTES, SESSIONS_CLOSE_IDLE
from reverie.store import runs
from reverie.workers.schedule import SCHEDULE, beat_schedule


def test_every_interval_is_a_setting() -> None:
    settings = load(decay_every=timedelta(seconds=7))

    planned = beat_schedule(settings)

    assert planned["archive weak episodes"]["schedule"] == 7.0
    assert {one.task for one in SCHEDULE} == {entry["task"] for entry in planned.values()}
    assert "reverie.*" in ROUTES


@pytest.fixture
def own_memory(own_settings: Settings) -> Iterator[Memory]:
    with Memory("ageing", settings=own_settings, embedder=WordEmbedder()) as opened:
        yield opened


def test_beat_and_worker_age_what_is_due_and_the_schedule_says_so(
    own_settings: Settings, own_memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = own_memory.agent("assistant")
    agent.session("s-1").observe(sender="Ana", content="I adopted Rex.", at=datetime.now(UTC) - timedelta(days=1))
    id = agent.record_episode(action_type="build", importance=0.01).episode_id
    for name in ("REVERIE_SESSIONS_EVERY", "REVERIE_DECAY_EVERY", "REVERIE_SWEEP_EVERY"):
        monkeypatch.setenv(name, "PT1S")
    with running_worker(own_settings, tmp_path / "worker.log", beat=True):
        eventually(lambda: agent.session("s-1").closed_at is not None, "the session is closed", within=120)
        eventually(
            lambda: getattr(agent.explain_decay(id), "archived_at", None) is not None,
            "the episode is archived",
            within=60,
        )
        eventually(lambda: agent.recall("Rex", kinds=("summary",)).items, "the summary is found", within=60)
        eventually(lambda: SESSIONS_CLOSE_IDLE in runs.last(own_memory.ctx.ns), "the run is noted")

    log = (tmp_path / "worker.log").read_text()
    assert "1 messages ingested, " in log
    assert "1 sessions closed in 1 namespaces, 0 left" in log
    assert "1 episodes archived in 1 namespaces, 0 left" in log
    assert "summaries written" in log
    shown = _schedule(own_settings).splitlines()
    assert max(map(len, shown)) <= 80
    assert "REVERIE_SESSIONS_EVERY" in "\n".join(shown)
    said = json.loads(_schedule(own_settings, "--json"))
    archive = next(row for row in said if row["task"] == DECAY_ARCHIVE)
    assert archive["last_run"]["succeeded"]
    assert archive["setting"] == "REVERIE_DECAY_EVERY"


def _schedule(settings: Settings, *options: str) -> str:
    assert settings.redis_url is not None
    command = [sys.executable, "-m", "reverie.cli", "schedule", *options]
    environment = {"REVERIE_REDIS_URL": settings.redis_url.get_secret_value(), "PATH": "", "COLUMNS": "80"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
