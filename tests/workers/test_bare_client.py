"""A runtime that only speaks Celery: it knows task names and JSON, and nothing of Reverie."""

import json
import os
import subprocess
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import celery
import pytest
from conftest import eventually

from reverie import Memory
from reverie.config.settings import Settings
from reverie.store import work
from reverie.store.connection import database

_CLIENT = """
import json, sys
try:
    import reverie
    sys.exit("Reverie is installed here")
except ImportError:
    pass
from celery import Celery
app = Celery(broker=sys.argv[1], backend=sys.argv[2])
for document in json.load(sys.stdin):
    result = app.send_task("reverie.messages.observe", [document], queue="documents")
    print(json.dumps(result.get(timeout=60)))
"""

Send = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture(scope="module")
def worker(apart_worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    return apart_worker


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that sees the installed libraries, but not Reverie."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=False)
    inside = next((home / "lib").glob("python3*")) / "site-packages"
    libraries = Path(celery.__file__).parents[1]
    for entry in libraries.iterdir():
        if "reverie" not in entry.name.lower() and entry.suffix != ".pth":
            (inside / entry.name).symlink_to(entry)
    return home / "bin" / "python"


@pytest.fixture
def send(bare_python: Path, settings: Settings, worker: subprocess.Popen[bytes]) -> Send:
    assert settings.redis_url is not None
    url = settings.redis_url.get_secret_value()

    def send(*documents: Any) -> list[dict[str, Any]]:
        done = subprocess.run(
            [bare_python, "-c", _CLIENT, database(url, 1), database(url, 2)],
            input=json.dumps(documents),
            capture_output=True,
            text=True,
            check=False,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return send


def _document(namespace: str, **changes: Any) -> dict[str, Any]:
    document = {
        "namespace": namespace,
        "agent": "assistant",
        "session": "s-1",
        "sender": "Ana",
        "content": "I work at Acme.",
        "message_id": "m-1",
        "at": "2026-05-01T12:00:00+02:00",
    }
    return document | changes


def test_a_document_becomes_a_message_once_and_is_ingested(send: Send, memory: Memory) -> None:
    document = _document(memory.namespace)
    first, second = send(document, document)

    assert (first["created"], second["created"]) == (True, False)
    (message,) = memory.agent("assistant").session("s-1").messages()
    assert (message.sender, message.content, message.at.isoformat()) == (
        "Ana",
        "I work at Acme.",
        "2026-05-01T10:00:00+00:00",
    )
    eventually(
        lambda: memory.ctx.ns.sources("OBSERVED_IN", "observation", ("message", "m-1")), "the message is ingested"
    )


def test_what_is_malformed_becomes_a_dead_letter_that_says_why(send: Send, memory: Memory) -> None:
    namespace = memory.namespace
    wrong = [
        _document(namespace, at="2026-05-01T12:00:00", message_id="m-2"),
        _document(namespace, role="king", message_id="m-3"),
        _document(namespace, colour="red", message_id="m-4"),
    ]
    replies = send(_document(namespace), *wrong, _document(namespace, content="something else"))

    letters = work.dead_letters(memory.ctx.ns)
    assert [letter.id for letter in letters] == [reply["dead_letter"] for reply in replies[1:]]
    told = [letter.error for letter in letters]
    assert [error.partition(":")[0] for error in told[:3]] == ["at", "role", "colour"]
    assert "time zone" in told[0]
    assert "m-1" in told[3]
    assert json.loads(letters[1].entry)["role"] == "king"
    assert len(memory.agent("assistant").session("s-1").messages()) == 1


@pytest.mark.parametrize("document", ["no object", 7, None, [1], {}, {"namespace": ""}, {"namespace": "x" * 300}])
def test_a_document_without_a_home_is_kept_too(send: Send, settings: Settings, document: Any) -> None:
    (reply,) = send(document)

    with Memory(reply["namespace"], settings=settings) as home:
        kept = {letter.id: letter for letter in work.dead_letters(home.ctx.ns)}
        assert kept[reply["dead_letter"]].error == reply["error"]
        work.drop(home.ctx.ns, reply["dead_letter"])


def test_a_document_of_several_parts_is_stored_by_its_texts(send: Send, memory: Memory) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    parts = [{"type": "text", "text": "I keep bees."}, {"type": "image_url", "image_url": {"url": "x"}}, "In Rome."]
    said = {"namespace": memory.namespace, "agent": "a", "session": "s"}
    answers = send(
        said | {"sender": "Ana", "content": parts, "message_id": "m-1"},
        said | {"sender": "a", "role": "assistant", "tool_calls": [call], "message_id": "m-2"},
    )
    assert [answer["created"] for answer in answers] == [True, True]
    first, second = memory.agent("a").session("s").messages()
    assert (first.content, first.metadata["parts"]) == ("I keep bees.\nIn Rome.", parts)
    assert (second.content, second.metadata) == ("", {"tool_calls": [call]})
