"""Fixtures: one embedded server for the whole run, one namespace a test."""

import gc
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import redis

from reverie import Memory
from reverie.config.settings import Settings, load
from reverie.pipelines.context import Context
from reverie.store import embedded, keyspace
from reverie.store.namespace import Namespace
from reverie.testing import FixedClock as Clock
from reverie.testing import WordEmbedder, fake_client, fake_context

# Read once, when the command line makes its console: wide enough that no table is cut.
os.environ["COLUMNS"] = "200"
# What starts a server without being told where does so here, not in the home of whoever runs the tests.
os.environ.setdefault(
    "REVERIE_DATA_DIR",
    str(Path(tempfile.gettempdir()) / f"reverie-tests-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"),
)


_SLOW_FIXTURES = {"redis_url", "worker", "apart_worker", "apart_settings", "own_settings", "bare_python", "reverie"}
_SLOW_CALLS = {"running_worker", "own_server", "redis_server", "Popen", "memory_for_tests"}
"""What needs the embedded server (`redis_url`), or starts processes of its own: workers, servers, the command line."""
_LONG: tuple[str, ...] = ()
"""Files and tests that took more than three seconds when they were measured alone (`--durations=60`)."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what `pytest -m "not slow"` leaves out."""
    for item in items:
        function = getattr(item, "function", None)
        calls = set() if function is None else {*inspect.unwrap(function).__code__.co_names}
        is_long = any(name in item.nodeid for name in _LONG)
        if is_long or _SLOW_FIXTURES & {*getattr(item, "fixturenames", ())} or _SLOW_CALLS & calls:
            item.add_marker(pytest.mark.slow)


# A property holds on a busy machine too, where any one example may take long.
hypothesis.settings.register_profile("reverie", deadline=None)
hypothesis.settings.load_profile("reverie")

HOSTILE_IDS = (
    "a",
    "A",
    "a,b",
    "a|b",
    "{x}",
    "*",
    "550e8400-e29b-41d4-a716-446655440000",
    "咖啡",
    "../x",
    " a",
    "a ",
    "_",
    "_61",
    "_shared",
    "a\0b",
)
"""Ids that are alike, or mean something in a key, a filter or a path."""


def eventually(condition: Callable[[], object], what: str, within: float = 30.0) -> None:
    """Wait until the condition holds; fail with `what` when it does not in time."""
    deadline = time.monotonic() + within
    gate = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {within:g} s: {what}")
        gate.wait(0.02)


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the run; in a parallel run one a process, so that no worker takes another's work."""
    return tmp_path_factory.getbasetemp() / "reverie-data"


@pytest.fixture(scope="session")
def redis_url(data_dir: Path) -> Iterator[str]:
    """The real thing: search, JSON and persistence."""
    with embedded.acquire(data_dir) as lease:
        yield lease.endpoint.url()
        with redis.Redis.from_url(lease.endpoint.url()) as client:
            assert keyspace.unknown(Namespace(client, "any")) == [], "keys that store/schema.py does not name"


def settled(url: str, folder: Path) -> Settings:
    """Settings of a server. On a busy machine too every vector and reply is there at once; deadlines have own tests."""
    minute = timedelta(seconds=60)
    return load(redis_url=url, data_dir=folder, embed_deadline=minute, redis_timeout=minute)


@pytest.fixture(scope="session")
def settings(redis_url: str, data_dir: Path) -> Settings:
    return settled(redis_url, data_dir)


@contextmanager
def own_server(folder: Path) -> Iterator[Settings]:
    """A server apart, for tests whose workers must neither meet another test's work nor leave theirs to others."""
    with embedded.acquire(folder) as lease:
        yield settled(lease.endpoint.url(), folder)
        # Celery's results unsubscribe when they are collected; after the server's end they would try for 20 seconds.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # sockets that Celery itself leaves to the collector
            gc.collect()


@pytest.fixture
def own_settings(tmp_path: Path) -> Iterator[Settings]:
    """A server of the test's own."""
    with own_server(tmp_path / "own-data") as settings:
        yield settings


@pytest.fixture
def namespace() -> str:
    return f"test-{uuid.uuid4().hex}"


@pytest.fixture
def memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    """A memory with the local embedder on the real server."""
    with Memory(namespace, settings=settings) as opened:
        yield opened


@pytest.fixture
def fake_ns(namespace: str) -> Iterator[Namespace]:
    """A namespace on fakeredis: keys, JSON and scripts, no search."""
    client = fake_client()
    yield Namespace(client, namespace)
    client.close()


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 5, 1, 12, tzinfo=UTC))


@pytest.fixture
def fake_ctx(fake_ns: Namespace, clock: Clock) -> Context:
    """A context on fakeredis; for tests that search nothing."""
    return fake_context(fake_ns, clock)


@pytest.fixture
def quick_memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    """A memory on the real server whose embedder costs nothing; for tests that do not turn on meaning."""
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as opened:
        yield opened


@dataclass
class Say:
    """One scripted reply of the chat server: a text, tool calls (name and arguments), or a status; after a delay, whole
    or drop by drop. A `body` stands in place of a chat completion; what is `cut` ends in its middle.
    """

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    status: int = 200
    delay: float = 0.0
    dripping: bool = False
    finish: str = "stop"
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    cut: bool = False


class ChatServer:
    """An OpenAI-compatible endpoint on a local port that says what the test wrote for it, the last reply for ever."""

    def __init__(self) -> None:
        self.script: list[Say | Callable[[dict[str, Any]], Say]] = [Say("hello")]
        self.requests: list[dict[str, Any]] = []
        self.stopped = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.requests.append(request)
                next_one = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                outer.answer(self, next_one(request) if callable(next_one) else next_one)

            def log_message(self, format: str, *args: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def answer(self, handler: BaseHTTPRequestHandler, say: Say) -> None:
        self.stopped.wait(say.delay)
        message: dict[str, Any] = {"role": "assistant", "content": say.text or None if say.calls else say.text}
        finish = "tool_calls" if say.calls else say.finish
        if say.calls:
            message["tool_calls"] = [
                {
                    "id": f"call_{len(self.requests)}_{place}",
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for place, (name, arguments) in enumerate(say.calls)
            ]
        body = json.dumps(
            {
                "id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
            }
        ).encode()  # fmt: skip
        body = body if say.body is None else say.body
        with suppress(ConnectionError):
            handler.send_response(say.status)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", str(len(body)))
            for name, value in say.headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            body = body[: len(body) // 2] if say.cut else body
            for start in range(0, len(body), 8) if say.dripping else [0]:
                handler.wfile.write(body[start : start + 8] if say.dripping else body)
                handler.wfile.flush()
                self.stopped.wait(0.05 if say.dripping else 0)

    def close(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    """A scripted OpenAI-compatible endpoint over real HTTP."""
    server = ChatServer()
    yield server
    server.close()


@contextmanager
def running_worker(
    settings: Settings, log: Path, *, concurrency: int = 1, beat: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """A real worker process on the settings' server; stopped at the end of the block."""
    assert settings.redis_url is not None
    environment = os.environ | {
        "REVERIE_REDIS_URL": settings.redis_url.get_secret_value(),
        "REVERIE_DATA_DIR": str(settings.data_dir),
    }
    command = [sys.executable, "-m", "celery", "-A", "reverie.workers.app", "worker", "-c", str(concurrency)]
    command += ["-l", "INFO", "--without-mingle", "--without-gossip"]
    command += ["-B", "-s", str(log.with_suffix(".beat"))] if beat else []
    with log.open("ab") as out, subprocess.Popen(command, env=environment, stdout=out, stderr=out) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                # Asked twice, Celery ends at once instead of waiting for its tasks.
                process.send_signal(signal.SIGQUIT)
                process.wait(30)


@pytest.fixture(scope="module")
def apart_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server apart: a worker of another test's that took a message here, and ended, would keep it for an hour."""
    with own_server(tmp_path_factory.mktemp("apart")) as settings:
        yield settings


@pytest.fixture(scope="module")
def apart_worker(
    apart_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[subprocess.Popen[bytes]]:
    """The one worker of the server apart."""
    with running_worker(apart_settings, tmp_path_factory.mktemp("worker") / "worker.log") as process:
        yield process
