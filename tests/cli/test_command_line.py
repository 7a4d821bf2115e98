"""The command line as its users meet it: real processes on the real server."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import WordEmbedder, eventually

from reverie import Memory
from reverie.cli.app import main
from reverie.config.settings import Settings, current
from reverie.config.task_names import OBSERVE_MESSAGE
from reverie.knowledge.quotation import FENCE_OPEN
from reverie.store import work

Reverie = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


@pytest.fixture
def reverie(settings: Settings) -> Reverie:
    """Runs `reverie ARGUMENTS` on the server of the tests."""
    assert settings.redis_url is not None
    base = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
        "COLUMNS": "200",
    }

    def run(*arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-m", "reverie.cli", *arguments]
        done = subprocess.run(command, env=base | environment, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run


Here = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Here]:
    """Runs `reverie ARGUMENTS` in this process: exit code, stdout, stderr."""
    assert settings.redis_url is not None
    monkeypatch.setenv("REVERIE_REDIS_URL", settings.redis_url.get_secret_value())
    monkeypatch.setenv("REVERIE_DATA_DIR", str(settings.data_dir))

    def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["reverie", *arguments])
        current.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), *capsys.readouterr()

    yield run
    current.cache_clear()


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    lines: list[dict[str, Any]] = [
        {"sender": "Ana", "content": "I work at Acme.", "at": "2026-05-01T12:00:00Z", "message_id": "m-1"},
        {"sender": "Ben", "content": "I live in Lyon.", "at": "2026-05-01T12:01:00Z", "message_id": "m-2"},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def test_a_file_is_ingested_once_and_status_says_so(
    reverie: Reverie, talk: Path, namespace: str, worker: subprocess.Popen[bytes]
) -> None:
    first = json.loads(reverie("ingest", str(talk), "-n", namespace, "--wait", "--json").stdout)
    again = json.loads(reverie("ingest", str(talk), "-n", namespace, "--wait", "--json").stdout)
    assert (first["messages"], first["new"], again["new"]) == (2, 2, 0)
    assert first["observations"] == again["observations"] >= 2
    assert first["failed"] == 0

    found = json.loads(reverie("recall", "Where does Ben live?", "-n", namespace, "--json").stdout)
    assert "m-2" in found["items"][0]["sources"]

    status = json.loads(reverie("status", "--all", "--json").stdout)
    assert status["namespaces"][namespace]["rows"]["message"] == 2
    assert status["namespaces"][namespace]["work"]["ingest"]["waiting"] == 0
    assert status["index"]["failures"] == 0
    assert status["workers"]


def test_a_file_with_bad_messages_is_refused_whole_or_stored_without_them(
    here: Here, talk: Path, namespace: str
) -> None:
    taken = {"sender": "Ana", "content": "I work at Acme, I said.", "message_id": "m-1"}
    talk.write_text("\n".join([talk.read_text(), "{", json.dumps({"role": "user", "content": "Hello."})]))
    code, _, told = here("ingest", str(talk), "-n", namespace, "--on-error", "refuse")
    assert code == 1
    assert "line 3 is not JSON" in told
    assert json.loads(here("ingest", str(talk), "-n", namespace, "--json")[1])["new"] == 3

    talk.write_text("\n".join([json.dumps(taken), '{"sender": "Ana", "content": "Bye."}']))
    code, said, told = here("ingest", str(talk), "-n", namespace, "--on-error", "skip")
    assert code == 0
    assert "1 messages (1 new)" in said
    assert "1 skipped" in said
    assert "skipped: message 'm-1'" in told
    assert here("ingest", str(talk), "-n", namespace, "--on-error", "refuse")[0] == 1


def test_the_demo_ends_with_answers_and_their_sources(reverie: Reverie, worker: subprocess.Popen[bytes]) -> None:
    said = reverie("demo").stdout
    answers = said.partition("Answers with their sources")[2]
    assert "m5  Nadia: " in answers.partition("allergic to?")[2].partition("?")[0]
    assert "m1  Nadia: " in answers.partition("When did Nadia move")[2]
    assert "28 Feb 2026" in said, "the Saturday before, where it was said"
    assert "Atlantica" in said.partition("Worked out afterwards")[2].partition("Answers")[0]


def test_recall_prints_for_people_and_for_prompts(here: Here, memory: Memory) -> None:
    memory.agent("assistant").session("s").observe(sender="Ana", content="I keep bees.", message_id="m-1")
    code, said, _ = here("recall", "Who keeps bees?", "-n", memory.namespace)
    assert (code, "m-1  Ana: I keep bees." in said) == (0, True)
    assert FENCE_OPEN in here("recall", "Who keeps bees?", "-n", memory.namespace, "--prompt")[1]


def test_what_was_stored_does_not_steer_the_terminal(here: Here, memory: Memory) -> None:
    memory.agent("assistant").session("s").observe(sender="Eve", content="bees \x1b]0;owned\x07\x1b[2J\x9b5m sting")
    for options in ([], ["--prompt"]):
        said = here("recall", "What do bees do?", "-n", memory.namespace, *options)[1]
        assert "sting" in said
        assert not set("\x1b\x07\x9b") & set(said)


def test_recall_says_why_as_a_table(here: Here, memory: Memory) -> None:
    memory.agent("assistant").session("s").observe(sender="Ana", content="I keep bees.", message_id="m-1")
    told = here("recall", "Who keeps bees?", "-n", memory.namespace)[1]
    assert "keywords: keep, bee" in told
    [row] = [line for line in told.splitlines() if line.startswith("1.")]
    assert "text 1" in row
    assert re.search(r"[a-z] [+-]\d+\.\d", row), "what spoke for it, and how much"
    assert "text 1" not in here("recall", "Who keeps bees?", "-n", memory.namespace, "--no-trace")[1]


def test_recall_is_narrowed_by_its_options(here: Here, memory: Memory) -> None:
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    for number, sender in enumerate(("Ana", "Ben")):
        memory.agent("assistant").session(f"s-{number}").observe(
            sender=sender, content="I keep bees.", message_id=f"m-{number}", at=at + number * timedelta(days=1)
        )

    def found(*options: str) -> list[str]:
        said = json.loads(here("recall", "Who keeps bees?", "-n", memory.namespace, "--json", *options)[1])
        return sorted(source for item in said["items"] for source in item["sources"])

    assert found("--session", "s-1") == ["m-1"]
    assert found("--participant", "Ana") == ["m-0"]
    assert found("--until", "2026-03-03") == ["m-0"]
    assert found("--since", "2026-03-03") == ["m-1"]
    assert found("--kind", "fact") == []
    assert here("recall", "bees", "-n", memory.namespace, "--since", "2026-03-03T10:00")[0] == 2


def test_settings_are_shown_with_their_defaults_and_without_secrets(here: Here) -> None:
    rows = {row["variable"]: row for row in json.loads(here("settings", "--json", REVERIE_RECALL_LIMIT="7")[1])}
    assert rows["REVERIE_RECALL_LIMIT"]["value"] == 7
    assert rows["REVERIE_RECALL_LIMIT"]["default"] == 15
    assert rows["REVERIE_REDIS_URL"]["value"] == "set, not shown"
    assert "REVERIE_WORK_LEASE" in here("settings")[1]


def test_status_starts_no_server(here: Here, tmp_path: Path) -> None:
    code, said, _ = here("status", REVERIE_REDIS_URL="", REVERIE_DATA_DIR=str(tmp_path / "nothing"))
    assert (code, "not running" in said) == (3, True)
    assert not (tmp_path / "nothing").exists()


def test_ids_and_words_with_brackets_are_printed_as_they_are(here: Here, settings: Settings) -> None:
    odd = "[/bold] [red]x"
    with Memory(odd, settings=settings, embedder=WordEmbedder()) as memory:
        memory.agent("assistant").session(odd).observe(sender=odd, content=f"{odd} bees", message_id=odd)
        work.bury(memory.ctx.ns, "ingest", odd, odd, 1, memory.ctx.clock())
        memory.graph(app=odd, user=odd).remember(odd, [odd])
        asked = (
            ["status"],
            ["recall", "bees", "-n", odd],
            ["dead-letters", "list", "-n", odd],
            ["graph", "show", "--app", odd, "--user", odd, "-n", odd],
        )
        for arguments in asked:
            code, said, told = here(*arguments)
            assert (code, odd in said, told) == (0, True, ""), arguments
        memory.forget(namespace=odd)


def test_flower_refuses_a_port_that_is_taken_in_one_line(here: Here) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, _, told = here("flower", REVERIE_FLOWER_PORT=port)
    assert (code, "REVERIE_FLOWER_PORT" in told, len(told.splitlines())) == (1, True, 1)


def test_status_counts_in_words(here: Here, settings: Settings) -> None:
    with Memory("counted", settings=settings, embedder=WordEmbedder()) as memory:
        session = memory.agent("assistant").session("s")
        session.observe(sender="Ana", content="I keep bees. They swarm in May.", at=datetime(2026, 5, 1, tzinfo=UTC))
        session.observe(sender="Ana", content="I sell the honey.", at=datetime(2026, 5, 1, 0, 1, tzinfo=UTC))
        session.summarize()
        lines = here("status")[1].splitlines()
        below = " ".join(lines[lines.index("counted") + 1 :][:4])
        assert "2 messages" in below
        assert "1 summary" in below
        memory.forget(namespace="counted")


def test_status_tells_of_a_broker_that_is_down(here: Here) -> None:
    code, said, _ = here("status", REVERIE_BROKER_URL="redis://127.0.0.1:1/1")
    assert (code, "the broker cannot be reached" in said) == (0, True)
    found = json.loads(here("status", "--json")[1])
    assert (found["workers"], found["queues"]) == (None, None)


def test_dead_letters_are_listed_retried_and_dropped(
    here: Here, quick_memory: Memory, worker: subprocess.Popen[bytes]
) -> None:
    ctx = quick_memory.ctx
    first = work.bury(ctx.ns, "ingest", "m-1", "too odd", 5, ctx.clock())
    document = json.dumps({"namespace": ctx.namespace, "sender": "Ana"})
    second = work.bury(ctx.ns, OBSERVE_MESSAGE, document, "no content", 1, ctx.clock())

    listed = json.loads(here("dead-letters", "list", "-n", ctx.namespace, "--json")[1])
    assert [(letter["id"], letter["error"]) for letter in listed] == [(first.id, "too odd"), (second.id, "no content")]

    assert here("dead-letters", "retry", first.id, "-n", ctx.namespace)[0] == 0
    assert [letter.id for letter in work.dead_letters(ctx.ns)] == [second.id]
    assert here("dead-letters", "retry", second.id, "-n", ctx.namespace)[0] == 0
    eventually(lambda: work.dead_letters(ctx.ns), "the document comes back, for it is still wrong")
    (third,) = work.dead_letters(ctx.ns)
    assert (third.id != second.id, json.loads(third.entry)) == (True, json.loads(document))
    assert here("dead-letters", "drop", "--all", "-n", ctx.namespace)[0] == 0
    assert work.dead_letters(ctx.ns) == []


def test_a_dead_letter_of_which_nothing_was_kept_is_not_tried_again(here: Here, quick_memory: Memory) -> None:
    ctx = quick_memory.ctx
    kept = [
        work.bury(ctx.ns, topic, work.withheld("it cannot be read", bytes=7), "no JSON", 1, ctx.clock())
        for topic in ("unreadable", "reverie.nothing", OBSERVE_MESSAGE)
    ]
    code, said, _ = here("dead-letters", "retry", "--all", "-n", ctx.namespace)
    assert (code, said.count("cannot be tried again")) == (0, 3)
    assert [letter.id for letter in work.dead_letters(ctx.ns)] == [letter.id for letter in kept]


def test_the_published_schema_is_the_one_that_is_checked(here: Here) -> None:
    schema = json.loads(here("schema", "messages.observe")[1])
    assert schema["x-celery-task"] == OBSERVE_MESSAGE
    assert schema["x-celery-queue"] == "documents"
    assert set(schema["required"]) == {"namespace", "agent", "session", "sender", "content"}


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["ingest", "nowhere.jsonl"], {}, "nowhere.jsonl cannot be read"),
        (["schema", "nothing"], {}, "nothing"),
        (["dead-letters", "drop", "x"], {}, "dead letter"),
        (["dead-letters", "drop"], {}, "--all"),
        (["status"], {"REVERIE_RECALL_LIMIT": "many"}, "REVERIE_RECALL_LIMIT"),
        (["status"], {"REVERIE_REDIS_URL": "redis://127.0.0.1:1/0"}, "Redis cannot be reached"),
        (["status"], {"REVERIE_REDIS_URL": "127.0.0.1:1"}, "REVERIE_REDIS_URL"),
        (["ingest", "TALK", "--wait"], {"REVERIE_BROKER_URL": "redis://127.0.0.1:1/1"}, "REVERIE_BROKER_URL"),
    ],
)
def test_what_a_user_can_mend_is_one_line(
    here: Here, talk: Path, arguments: list[str], environment: dict[str, str], said: str
) -> None:
    code, _, told = here(*(str(talk) if one == "TALK" else one for one in arguments), **environment)
    assert code == 1
    (problem,) = [line for line in told.strip().splitlines() if not line.startswith("note: ")]
    assert problem.startswith("error: ")
    assert said in problem
