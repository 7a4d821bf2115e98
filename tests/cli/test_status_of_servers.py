"""`reverie status` tells in one look what is wrong with a server, and ends with a code of its own."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import WordEmbedder
from faults import proxied, redis_server, within

from reverie import Memory
from reverie.cli import status as command
from reverie.cli.app import main
from reverie.config.settings import current, load
from reverie.store import connection, schema_version
from reverie.store.keys import SCHEMA

Status = Callable[..., tuple[int, str]]


@pytest.fixture
def status(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Status:
    """Runs `reverie ARGUMENTS` on a server: exit code and what was printed."""

    def run(url: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setenv("REVERIE_REDIS_URL", url)
        monkeypatch.setenv("REVERIE_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.setattr(sys, "argv", ["reverie", *(arguments or ("status",))])
        current.cache_clear()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        finally:
            current.cache_clear()
        said = capsys.readouterr()
        return int(code or 0), said.out + said.err

    return run


def test_a_server_that_serves_is_described(tmp_path: Path, status: Status) -> None:
    with redis_server(tmp_path / "own", "--maxmemory", "400mb") as url:
        Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()).close()
        code, said = status(url)
        assert code == 0
        assert "of 419 MB in memory" in said
        assert f"primary, maxmemory-policy noeviction, schema {schema_version.VERSION}" in said
        code, said = status(url, "status", "--json")
        server = json.loads(said)["server"]
        assert (code, server["problems"], server["max_memory_bytes"]) == (0, [], 400 * 1024 * 1024)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"], "CONFIG SET maxmemory-policy noeviction"),
        (["CONFIG", "SET", "maxmemory", "1"], "Redis is full"),
        (["REPLICAOF", "127.0.0.1", "1"], "read-only replica"),
        (["SET", SCHEMA, str(schema_version.VERSION + 1)], "written by a newer Reverie"),
    ],
)
def test_what_is_wrong_is_told_in_words_and_for_machines(
    tmp_path: Path, status: Status, change: list[str], told: str
) -> None:
    with redis_server(tmp_path / "own") as url, closing(connection.connect(url)) as client:
        with Memory("n", settings=load(redis_url=url), embedder=WordEmbedder()) as memory:
            memory.agent("a").goals.create(title="Ship")
        client.execute_command(*change)
        code, said = status(url)
        assert (code, told in said, "[red]" in said) == (4, True, False), said
        code, said = status(url, "status", "--json")
        assert (code, told in json.loads(said)["server"]["problems"][0]) == (4, True)


def test_a_server_without_its_modules_is_told(tmp_path: Path, status: Status) -> None:
    with redis_server(tmp_path / "own", modules=False) as url:
        code, said = status(url)
    assert (code, "lacks search and JSON; use Redis Stack 7.4" in said) == (4, True)


def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, status: Status) -> None:
    with redis_server(tmp_path / "own") as url, Memory("n", redis_url=url, embedder=WordEmbedder()) as memory:
        memory.agent("a").goals.create(title="Ship", goal_id="g")
        key = memory.ctx.ns.keys.record("goal", "g")
        memory.ctx.ns.client.execute_command("JSON.DEL", key, "$.title")
        assert memory.agent("a").goals.all() == []
        assert "cannot be read and is left out: goal 'g' in 'n'" in status(url)[1]
        said = status(url, "status", "--json")[1]
        assert json.loads(said)["namespaces"]["n"]["unreadable"] == [{"kind": "goal", "id": "g"}]


def test_of_many_namespaces_those_where_work_waits_are_shown_and_all_when_asked(
    tmp_path: Path, status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_SHOWN", 2)
    with redis_server(tmp_path / "own") as url, Memory("a-idle", redis_url=url, embedder=WordEmbedder()) as memory:
        for name in ("a-idle", "b-idle", "c-idle"):
            memory.beside(name).agent("a").goals.create(title="Ship")
        memory.beside("z-busy").agent("a").session("s").observe(sender="Ana", content="I live in Lyon.")

        some, every = status(url)[1], status(url, "status", "--all")[1]
        few, whole = (json.loads(status(url, "status", "--json", *more)[1]) for more in ([], ["--all"]))

    assert [name in some for name in ("a-idle", "b-idle", "c-idle", "z-busy")] == [True, False, False, True]
    assert "and 2 more namespaces: --all shows them" in some
    assert all(name in every for name in ("a-idle", "b-idle", "c-idle", "z-busy"))
    assert "more namespaces" not in every
    assert (sorted(few["namespaces"]), few["namespaces_left_out"]) == (["a-idle", "z-busy"], 2)
    assert (len(whole["namespaces"]), whole["namespaces_left_out"]) == (4, 0)
    assert whole["namespaces"]["z-busy"]["work"]["ingest"]["waiting"] == 1


@pytest.mark.parametrize(
    "arguments",
    [["status"], ["facts"], ["entities"], ["cycles"], ["schedule"], ["dead-letters", "list"], ["recall", "violet"]],
)
def test_no_command_shows_a_traceback(tmp_path: Path, status: Status, arguments: list[str]) -> None:
    with redis_server(tmp_path / "own") as server, proxied(server) as (proxy, url):
        proxy.answer("LOADING Redis is loading the dataset in memory")
        code, said = status(url, *arguments)
        assert (code, "Traceback" in said, "loading its data" in said) == (1, False, True), said
        proxy.hang()
        with within(6):
            code, said = status(url, *arguments)
        assert (code, "Traceback" in said, "does not answer in time" in said) == (1, False, True), said
