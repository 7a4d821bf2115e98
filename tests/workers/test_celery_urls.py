"""Celery works on the Redis that Reverie works on, in whichever way its URL says where that is."""

import contextlib
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from celery import Celery
from conftest import eventually, running_worker, settled
from faults import redis_server
from hypothesis import given
from hypothesis import strategies as st
from kombu.utils.url import parse_url
from redis import Redis

from reverie import Memory
from reverie.config.task_names import OBSERVE_MESSAGE
from reverie.pipelines.ingest import TOPIC
from reverie.store import work
from reverie.store.celery_urls import celery_url, results_options, results_url
from reverie.store.connection import database

USER, PASSWORD = "ana@home", "p/w@:?# ü%2F"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://h:1/2", "redis://h:1/2"),
        ("redis://h", "redis://h:6379/0"),
        ("redis://h:1/2?socket_timeout=3&password=a%20b", "redis://:a%20b@h:1/2"),
        ("redis://u:p@[::1]:1/2", "redis://u:p@[::1]:1/2"),
        ("unix:///run/redis.sock?db=1", "redis+socket:///run/redis.sock?virtual_host=1"),
        ("unix://:p%2F@/run/redis.sock", "redis+socket://:p%2F@/run/redis.sock?virtual_host=0"),
        ("rediss://h:1/2", "rediss://h:1/2?ssl_cert_reqs=required"),
        (
            "rediss://h:1/2?ssl_ca_certs=/a/b.pem&ssl_cert_reqs=none&health_check_interval=3",
            "rediss://h:1/2?ssl_cert_reqs=none&ssl_ca_certs=%2Fa%2Fb.pem",
        ),
        ("amqp://guest:x@h:5672//", "amqp://guest:x@h:5672//"),
    ],
)
def test_a_url_is_translated(url: str, expected: str) -> None:
    assert celery_url(url) == expected


LOGIN = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


@given(LOGIN, LOGIN)
def test_any_user_and_password_are_read_by_celery_as_they_are(user: str, password: str) -> None:
    login = f"{quote(user, safe='')}:{quote(password, safe='')}"
    read = parse_url(celery_url(f"redis://{login}@h:1/2"))
    assert (read["userid"], read["password"], read["hostname"]) == (user, password, "h")


class TlsProxy:
    """Speaks TLS to whoever connects, and plainly to the server."""

    def __init__(self, folder: Path, to: int) -> None:
        self.certificate = folder / "ca.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", self.certificate]
        subprocess.run(command, check=True, capture_output=True)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, folder / "key.pem")
        self._listener = socket.create_server(("localhost", 0))
        self.port: int = self._listener.getsockname()[1]
        self._to = to
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, do: object, *arguments: object) -> None:
        thread = threading.Thread(target=do, args=arguments)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                plain, _ = self._listener.accept()
                with contextlib.suppress(ssl.SSLError, ConnectionError):
                    client = self._context.wrap_socket(plain, server_side=True)
                    server = socket.create_connection(("127.0.0.1", self._to))
                    self._open += [client, server]
                    self._start(self._pass, client, server)
                    self._start(self._pass, server, client)

    def _pass(self, origin: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while sent := origin.recv(1 << 16):
                target.sendall(sent)
        for one in (origin, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        for one in self._open:
            one.close()


@contextmanager
def given_as(form: str, folder: Path) -> Iterator[str]:
    """A server with a user and a password, and a URL of it in this form."""
    with redis_server(folder / "server") as plain, Redis.from_url(plain) as admin:
        admin.acl_setuser(USER, enabled=True, passwords=[f"+{PASSWORD}"], keys="*", channels="*", commands=["+@all"])
        admin.acl_setuser("default", enabled=True, reset_passwords=True, passwords=[f"+{PASSWORD}"])
        port = int(plain.rsplit(":", 1)[1].split("/")[0])
        login = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
        if form == "socket":
            yield f"unix://{login}@{folder}/server/redis.sock"
        elif form == "query":
            yield f"redis://127.0.0.1:{port}/0?username={quote(USER, safe='')}&password={quote(PASSWORD, safe='')}"
        else:
            proxy = TlsProxy(folder, port)
            try:
                url = f"rediss://{login}@localhost:{proxy.port}/0?ssl_ca_certs={proxy.certificate}"
                if form == "tls of another name":
                    url = url.replace("localhost", "127.0.0.1") + "&ssl_check_hostname=false"
                yield url
            finally:
                proxy.close()


@pytest.mark.parametrize("form", ["socket", "query", "tls", "tls of another name"])
def test_messages_are_worked_on_and_documents_answered(form: str, tmp_path: Path) -> None:
    with given_as(form, tmp_path) as url:
        settings = settled(url, tmp_path / "data")
        with (
            Memory("kept", settings=settings) as memory,
            Celery(
                broker=celery_url(database(url, 1)), backend=results_url(database(url, 2)), set_as_current=False
            ) as app,
            running_worker(settings, tmp_path / "worker.log"),
        ):
            app.conf.redis_backend_use_ssl = results_options(url)
            written = memory.agent("a").session("s").observe(sender="Ana", content="I keep bees.").message_id
            eventually(lambda: not any(work.pending(memory.ctx.ns, TOPIC, [written])), "it is ingested", within=60)
            document = {"namespace": "kept", "agent": "a", "session": "s", "sender": "Ana", "content": "I keep cats."}
            assert app.send_task(OBSERVE_MESSAGE, [document], queue="documents").get(timeout=60)["created"]
            assert app.control.ping(timeout=5.0)
