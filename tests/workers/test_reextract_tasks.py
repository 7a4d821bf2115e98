"""A real worker and the real command line read anew what rules read while the language model was out."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from conftest import ChatServer, Say, eventually, running_worker

from reverie import Memory
from reverie.cli.app import main
from reverie.config.settings import Settings, current
from reverie.config.task_names import QUEUE_INGEST, REEXTRACT
from reverie.store import fallbacks

OUT = Say(status=401)
Here = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def settings(apart_settings: Settings) -> Settings:
    return apart_settings


@pytest.fixture
def here(
    settings: Settings, chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Here]:
    """Runs `reverie ARGUMENTS` in this process with the scripted model: exit code and stdout."""
    assert settings.redis_url is not None
    variables = {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
        "REVERIE_LLM_MODEL": "scripted",
        "REVERIE_LLM_BASE_URL": chat_server.url,
        "REVERIE_LLM_API_KEY": "none",
        "REVERIE_LLM_PAUSE": "0",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["reverie", *arguments])
        current.cache_clear()
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    yield run
    current.cache_clear()


def reads_nothing(request: dict[str, Any]) -> Say:
    turns = json.loads(request["messages"][1]["content"])["turns"]
    return Say(json.dumps({"turns": [{"turn": turn["turn"], "claims": []} for turn in turns]}))


def test_the_command_and_the_task_read_anew(
    memory: Memory, namespace: str, here: Here, chat_server: ChatServer, settings: Settings, tmp_path: Path
) -> None:
    chat_server.script = [OUT]
    session = memory.agent("assistant").session("s-1")
    with running_worker(settings, tmp_path / "worker.log"):
        receipts = session.observe_many([{"sender": "Ana", "content": f"I play chess on day {n}."} for n in range(3)])
        for receipt in receipts:
            memory.wait(receipt, timeout=60)

        report = json.loads(here("status", "--json")[1])
        assert report["namespaces"][namespace]["read_by_rules"] == 3
        code, said = here("reextract", "-n", namespace)
        assert (code, said.strip()) == (1, "0 messages read anew, 3 left, the language model is out")

        chat_server.script = [reads_nothing]
        code, said = here("reextract", "-n", namespace, "--most", "1", "--json")
        assert (code, json.loads(said)) == (0, {"read": 1, "missed": 0, "left": 2, "unavailable": False})

        with Celery(broker=memory.connection.broker_url, set_as_current=False) as client:
            client.send_task(REEXTRACT, [namespace], queue=QUEUE_INGEST)
        eventually(lambda: fallbacks.count(memory.ctx.ns) == 0, "the task read the other two")
    assert {message.fell_back for message in session.messages()} == {None}
    log = (tmp_path / "worker.log").read_text()
    assert log.count("REVERIE_LLM_API_KEY") == 1
