"""`reverie facts`, `reverie consolidate` and `reverie cycles`."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import typer
from typer.testing import CliRunner

from reverie import Memory
from reverie.cli.app import app
from reverie.cli.moments import moment
from reverie.config.settings import Settings, current
from reverie.pipelines import ingest

JANUARY = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def told(memory: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory whose observations wait, and whose server the command line finds."""
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("COLUMNS", "200")
    current.cache_clear()
    session = memory.agent("assistant").session("s-1")
    first = session.observe(sender="Ana", content="I live in Paris.", at=JANUARY)
    second = session.observe(sender="Ana", content="I moved to Lyon.", at=JANUARY + timedelta(days=60))
    ingest.ingest(memory.ctx, [first.message_id, second.message_id])
    yield memory
    current.cache_clear()


def run(memory: Memory, *arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments, "-n", memory.namespace], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_observations_become_facts_that_can_be_listed_and_taken_back(told: Memory) -> None:
    plan = run(told, "consolidate", "--dry-run")
    assert "planned" in plan
    assert "Ana lives in Paris" in plan
    assert "no facts" in run(told, "facts")

    assert "Ana lives in Lyon" in run(told, "consolidate")
    assert "nothing to consolidate" in run(told, "consolidate")

    now = json.loads(run(told, "facts", "--subject", "Ana", "--json"))
    assert [(fact["object"], fact["source"], fact["unstable"]) for fact in now] == [("Lyon", "user", False)]
    then = json.loads(run(told, "facts", "--as-of", "2026-02-01", "--json"))
    assert [fact["object"] for fact in then] == ["Paris"]
    assert json.loads(run(told, "facts", "--known", "2026-01-01", "--json")) == []
    assert "Lyon" in run(told, "facts")

    (cycle,) = json.loads(run(told, "cycles", "--json"))
    assert (cycle["state"], cycle["observations"], cycle["created"]) == ("done", 2, 2)
    assert "Ana lives in Lyon" in run(told, "cycles", cycle["cycle_id"])
    assert "undone" in run(told, "cycles", "--undo", cycle["cycle_id"])
    assert "no facts" in run(told, "facts")


@pytest.mark.parametrize("text", ["yesterday", "2026-05-01T12:00", "2026-13-01"])
def test_a_moment_is_a_day_or_a_time_with_its_zone(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        moment(text)
    assert moment("2026-05-01") == datetime(2026, 5, 1, tzinfo=UTC)
    assert moment("2026-05-01T12:00+02:00") == datetime(2026, 5, 1, 10, tzinfo=UTC)
