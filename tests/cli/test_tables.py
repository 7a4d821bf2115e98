"""What a user has to copy stands whole on a narrow screen, and what holds nothing is said."""

import io
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.cli import cycles, dead_letters, facts, output, status
from reverie.cli.reading import reading, say_if_unknown
from reverie.config.settings import Settings, current
from reverie.pipelines.consolidate import CycleView
from reverie.store import work

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def screen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the commands print, on a screen of the width that the test names."""
    shown = io.StringIO()
    for console in (output.console, output.errors):
        monkeypatch.setattr(console, "_file", shown, raising=False)
        monkeypatch.setattr(console, "_width", request.param)
    return shown


@pytest.mark.parametrize("screen", [80, 120], indirect=True)
def test_the_id_of_a_cycle_is_whole(screen: io.StringIO) -> None:
    cycle = CycleView(
        cycle_id="01M8QBC0ZVFGCP7WRSQSMWTG33",
        agent="assistant-of-the-harbour",
        state="done",
        started_at=NOON,
        finished_at=NOON,
        undone_at=None,
        observations=1200,
        unused=30,
        put_off=4,
        created=500,
        reinforced=600,
        revised=7,
        closed=80,
        changes=(),
        refusals=(),
        unstable=("Nadia",),
        merges=0,
        unusable_replies=0,
    )
    cycles._show([cycle], False, empty="", changes=False)
    lines = screen.getvalue().splitlines()
    assert sum(cycle.cycle_id in line for line in lines) == 1
    assert "…" not in screen.getvalue()
    shown = screen.getvalue().split()
    assert {"1200", "500", "80", "Nadia"} <= set(shown)


@pytest.mark.parametrize("screen", [80, 120], indirect=True)
def test_the_table_of_facts_shows_ids_and_headings_whole(screen: io.StringIO, quick_memory: Memory) -> None:
    agent = quick_memory.agent("a")
    made = agent.assert_fact("Nadia of the harbour", "prefers", "seats by the window in the first row")
    output.console.print(facts._table([quick_memory.facts.get(made.fact_id)]))
    lines = screen.getvalue().splitlines()
    assert sum(made.fact_id in line for line in lines) == 1
    assert lines[0].split() == ["fact", "since", "until", "support", "sure", "source", "id"]
    assert "…" not in screen.getvalue()


@pytest.mark.parametrize("screen", [80, 120], indirect=True)
def test_the_id_of_a_dead_letter_is_whole(
    screen: io.StringIO, settings: Settings, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))
    current.cache_clear()
    with Memory(namespace) as memory:
        letter = work.bury(memory.ctx.ns, "reverie.messages.observe", "{}", "content: is required " * 4, 1, NOON)
    dead_letters.list_letters(namespace=namespace)
    current.cache_clear()
    lines = screen.getvalue().splitlines()
    assert sum(letter.id in line for line in lines) == 1
    assert max(map(len, lines)) <= output.console.width
    assert " ".join(screen.getvalue().split()).count("content: is required") == 4


@pytest.mark.parametrize("screen", [80, 120], indirect=True)
def test_the_names_of_namespaces_are_whole_in_status(
    screen: io.StringIO, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    current.cache_clear()
    name = f"customer-support-of-the-{uuid.uuid4().hex}"
    with Memory(name, settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("assistant").session("s").observe(sender="ana", content="hello")
        work.bury(memory.ctx.ns, "ingest", "m-1", "too odd", 5, NOON)
        status.status(every=True)
    current.cache_clear()
    lines = screen.getvalue().splitlines()
    below = " ".join(line.strip() for line in lines[lines.index(name) + 1 :][:4])
    assert "holds 1 message" in below
    assert "waiting: 1 ingest" in below
    assert "1 dead letter" in below


@pytest.mark.parametrize("screen", [120], indirect=True)
def test_what_holds_nothing_is_said(
    screen: io.StringIO, settings: Settings, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))
    current.cache_clear()
    with reading(f"{namespace}-nope"):
        assert f"nothing was ever written to the namespace '{namespace}-nope'" in screen.getvalue()
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("assistant").session("s").observe(sender="ana", content="hello")
    screen.truncate(0)
    with reading(namespace) as memory:
        say_if_unknown(memory, "assistant")
        assert screen.getvalue() == ""
        say_if_unknown(memory, "nobody")
        assert "no agent 'nobody' wrote to" in screen.getvalue()
    current.cache_clear()


@pytest.mark.parametrize("after", [0.15, 0.5, 1.0])
def test_ctrl_c_at_the_start_is_no_traceback(tmp_path: Path, after: float) -> None:
    program = "from reverie.cli.start import main\nprint('begun', flush=True)\nmain()"
    command = [sys.executable, "-c", program, "ingest", str(tmp_path / "none.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        with suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    # A signal that comes when Python has ended the command and takes itself down ends the process as it ends any other.
    assert process.returncode in (1, 130, -signal.SIGINT)
