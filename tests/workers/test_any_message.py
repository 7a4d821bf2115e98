"""Whatever lies in a queue, the worker goes on, and keeps what it cannot use as a dead letter that says why."""

import base64
import json
import subprocess
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from conftest import eventually, running_worker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis
from test_gate import MESSAGES

from reverie import Memory
from reverie.config.settings import Settings
from reverie.config.task_names import CALL_TOOL, INGEST_DRAIN, INGEST_MESSAGE, OBSERVE_MESSAGE, QUEUES, REFUSE
from reverie.store import deliveries, work
from reverie.store.connection import database
from reverie.workers.documents import UNREADABLE

SECRET = "my neighbour keeps lions"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worker") / "worker.log"


@pytest.fixture(scope="module")
def worker(apart_settings: Settings, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with running_worker(apart_settings, log) as process:
        yield process


@pytest.fixture(scope="module")
def url(apart_settings: Settings) -> str:
    assert apart_settings.redis_url is not None
    return apart_settings.redis_url.get_secret_value()


@pytest.fixture
def broker(url: str) -> Iterator[Redis]:
    with Redis.from_url(database(url, 1)) as client:
        yield client


@pytest.fixture
def app(url: str) -> Iterator[Celery]:
    with Celery(broker=database(url, 1), backend=database(url, 2), set_as_current=False) as client:
        yield client


@pytest.fixture
def opened(apart_settings: Settings, namespace: str) -> Iterator[Memory]:
    with Memory(namespace, settings=apart_settings) as memory:
        yield memory


Alive = Callable[[], None]


@pytest.fixture
def alive(broker: Redis, app: Celery, opened: Memory, worker: subprocess.Popen[bytes]) -> Alive:
    """Asserts that everything in the queues was worked off, and that an innocent document is stored by the worker."""

    def check() -> None:
        answer = app.send_task(OBSERVE_MESSAGE, [document(opened.namespace)], queue="documents").get(timeout=60)
        assert answer["created"]
        eventually(lambda: not any(broker.llen(queue) for queue in QUEUES), "the queues are empty", within=60)
        eventually(lambda: not broker.hlen(deliveries.TAKEN), "everything is acknowledged", within=60)
        assert worker.poll() is None

    return check


def document(namespace: Any, **changes: Any) -> dict[str, Any]:
    return {"namespace": namespace, "agent": "a", "session": "s", "sender": "Ana", "content": SECRET} | changes


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def message(body: Any, **changes: Any) -> dict[str, Any]:
    """As Celery would write it, save for the changes; `headers` and `properties` are merged into the usual."""
    headers = {"task": OBSERVE_MESSAGE, "id": "t-1"} | changes.pop("headers", {})
    properties = {"delivery_tag": "1", "delivery_info": {"exchange": "", "routing_key": "documents"}, "priority": 0}
    properties |= {"body_encoding": "base64"} | changes.pop("properties", {})
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return {
        "body": base64.b64encode(text).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": headers,
        "properties": properties,
    } | changes


def letters(memory: Memory) -> list[work.DeadLetter]:
    return work.dead_letters(memory.ctx.ns)


def good(n: str) -> list[Any]:
    """The body of an innocent document."""
    return [[document(n)], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}]


def refused_at_home(n: str) -> dict[str, Any]:
    """Messages that name the namespace in which they are kept."""
    return {
        "an unknown tag": message([[document(n, metadata={"__type__": "lion", "__value__": 1})], {}, {}]),
        "a tagged value that is none": message([[document(n, at={"__type__": "datetime", "__value__": 1})], {}, {}]),
        "a tag that unpacks": message([[document(n, at={"__type__": "uuid", "__value__": [1]})], {}, {}]),
        "a tagged time in metadata": message(
            [[document(n, metadata={"x": {"__type__": "datetime", "__value__": "2026-05-01T12:00:00+00:00"}})], {}, {}]
        ),
        "a deep document": message([[document(n, metadata={"x": nested(600)})], {}, {}]),
        "no list of arguments": message([{"document": 1}, {"document": document(n)}, {}]),
        "a bare document": message(document(n)),
        "a body of two": message([[document(n)], {}]),
        "options that are a list": message([[document(n)], {}, [1]]),
        "callbacks that are numbers": message([[document(n)], {}, {"callbacks": [1]}]),
        "an unknown task": message(good(n), headers={"task": "reverie.nothing"}),
        "a task of Celery's own": message([[document(n)], {}, {}], headers={"task": "celery.map"}),
        "the task of the refused": message([[document(n)], {}, {}], headers={"task": REFUSE}),
        "a document for a wake-up": message([[document(n)], {}, {}], headers={"task": INGEST_DRAIN}),
        "retries that are a text": message(good(n), headers={"retries": "x"}),
        "huge retries": message(good(n), headers={"retries": 10**309}),
        "an eta that is no time": message(good(n), headers={"eta": "soon"}),
        "expires that is a number": message(good(n), headers={"expires": 5}),
        "no id": message(good(n), headers={"id": None}),
        "an id that forges a line of the log": message(good(n), headers={"id": "a\nERROR b"}),
        "half a character as id": message(good(n), headers={"id": "\ud800"}),
        "other arguments": message([[document(n), 2], {}, {}]),
        "a field that is wrong": message([[document(n, at=10**309)], {}, {}]),
    }


def refused_without_a_home(n: str) -> dict[str, Any]:
    """Messages of which nobody can tell whose they are."""
    return {
        "no JSON": b"lions " * 100,
        "no UTF-8": b"\xff\xfe\x00",
        "a zero": b"0",
        "null": b"null",
        "a list": b"[1, 2, 3]",
        "an empty object": b"{}",
        "nothing but depth": b"[" * 100_000,
        "a message nested deep": b'{"headers":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        "a huge number": b'{"headers": ' + b"9" * 5000 + b"}",
        "properties that are a list": message(good(n)) | {"properties": []},
        "headers that are a text": message(good(n)) | {"headers": "x"},
        "no properties": {"body": "", "headers": {"task": OBSERVE_MESSAGE, "id": "t"}},
        "pickled": message(good(n)) | {"content-type": "application/x-python-serialize"},
        "no content type": message(good(n)) | {"content-type": None},
        "a body that is a number": message(good(n)) | {"body": 7},
        "no base64": message(good(n)) | {"body": "a"},
        "base64 of half a character": message(good(n)) | {"body": "\ud800"},
        "an encoding that is a list": message(good(n), properties={"body_encoding": ["base64"]}),
        "a body that is no UTF-8": message(b"\xff"),
        "a body that is no JSON": message(f"say {SECRET}".encode()),
        "a deep body": message(b"[" * 50_000),
        "a body that is null": message(b"null"),
        "a body that is a text": message(json.dumps(SECRET).encode()),
        "compressed in an unknown way": message(good(n), headers={"compression": "lion"}),
        "compression that is a list": message(good(n), headers={"compression": ["zlib"]}),
        "compressed and damaged": message(b"x", headers={"compression": "application/x-gzip"}),
        "a bomb": message(zlib.compress(b" " * 200_000_000), headers={"compression": "application/x-gzip"}),
        "larger than may be": b'"' + b"x" * (21 * 1024 * 1024) + b'"',
        "a document without a namespace": message([[{"agent": "a", "content": SECRET}], {}, {}]),
        "a namespace that is a list": message([[document([n])], {}, {}]),
        "a namespace that is too long": message([[document("n" * 300)], {}, {}]),
        "a document that is a text": message([[SECRET], {}, {}]),
    }


def worked_on(n: str) -> dict[str, Any]:
    """Messages that Celery would not send, and that say what is to be done all the same."""
    return {
        "as Celery sends it": message(good(n)),
        "no options": message([[document(n)], {}, None]),
        "named": message([[], {"document": document(n)}, {}]),
        "a body in plain text": message(good(n), properties={"body_encoding": None}) | {"body": json.dumps(good(n))},
        "no delivery tag": message(good(n)) | {"properties": {"body_encoding": "base64"}},
        "a delivery tag that is a list": message(good(n), properties={"delivery_tag": [1]}),
        "delivery info that is a text": message(good(n), properties={"delivery_info": "x"}),
        "a priority that is a text": message(good(n), properties={"priority": "high"}),
        "time limits that are a text": message(good(n), headers={"timelimit": "x"}),
        "a shadow that is a list": message(good(n), headers={"shadow": [1], "argsrepr": 5, "stamps": 4, "lang": []}),
        "compressed": message(
            zlib.compress(json.dumps(good(n)).encode()), headers={"compression": "application/x-gzip"}
        ),
        "of the first protocol": message({"task": OBSERVE_MESSAGE, "id": "p-1", "args": [document(n)], "kwargs": {}})
        | {"headers": {}},
        "a tagged time": message(
            [[document(n, at={"__type__": "datetime", "__value__": "2026-05-01T12:00:00Z"})], {}, {}]
        ),
        "due long ago": message(good(n), headers={"eta": "2020-01-01T00:00:00"}),
        "due now": message(good(n), headers={"eta": datetime.now(UTC).isoformat()}),
    }


def raw(one: Any) -> bytes:
    return one if isinstance(one, bytes) else json.dumps(one).encode()


def test_what_no_task_can_be_given_is_a_dead_letter_of_its_namespace(
    broker: Redis, opened: Memory, alive: Alive, log: Path
) -> None:
    refused = refused_at_home(opened.namespace)
    for one in refused.values():
        broker.lpush("documents", raw(one))
    alive()
    kept = letters(opened)
    assert len(kept) == len(refused)
    assert all(letter.error for letter in kept)
    assert "lions" not in log.read_text()


def test_a_refused_document_keeps_its_words_and_what_is_too_deep_its_size_alone(
    broker: Redis, opened: Memory, alive: Alive
) -> None:
    for name in ("an unknown tag", "a deep document"):
        broker.lpush("documents", raw(refused_at_home(opened.namespace)[name]))
    alive()
    tagged, deep = sorted(letters(opened), key=lambda letter: letter.error, reverse=True)
    assert "deep" in deep.error + tagged.error
    told = {letter.error: json.loads(letter.entry) for letter in (tagged, deep)}
    (words,) = [entry for error, entry in told.items() if "tagged" in error]
    (size,) = [entry for error, entry in told.items() if "deep" in error]
    assert words["content"] == SECRET
    assert (size.keys(), size["bytes"] > 600) == ({"withheld", "task_id", "bytes"}, True)


def test_what_names_no_namespace_is_kept_without_a_word_where_an_operator_forgets_it(
    broker: Redis, apart_settings: Settings, alive: Alive, log: Path
) -> None:
    refused = refused_without_a_home("n")
    for one in refused.values():
        broker.lpush("maintain", raw(one))
    alive()
    with Memory(UNREADABLE, settings=apart_settings) as nobody:
        kept = letters(nobody)
        assert len(kept) == len(refused)
        assert all("withheld" in json.loads(letter.entry) for letter in kept)
        assert "lions" not in log.read_text() + repr(kept)
        nobody.forget(namespace=UNREADABLE)
        assert letters(nobody) == []


def test_what_is_only_odd_is_worked_on(broker: Redis, opened: Memory, alive: Alive) -> None:
    sent = worked_on(opened.namespace)
    for number, one in enumerate(sent.values()):
        if one["headers"]:
            one["headers"]["id"] = f"t-{number}"
        broker.lpush("documents", raw(one))
    alive()
    assert letters(opened) == []
    assert len(opened.agent("a").session("s").messages(newest=100)) == len(sent) + 1


def test_messages_of_one_delivery_tag_are_all_worked_on(broker: Redis, opened: Memory, alive: Alive) -> None:
    for number in range(5):
        broker.lpush("documents", raw(message(good(opened.namespace), headers={"id": f"o-{number}"})))
    alive()
    assert len(opened.agent("a").session("s").messages()) == 6


def test_a_wake_up_of_anything_ends_no_worker(broker: Redis, alive: Alive) -> None:
    for task in (INGEST_DRAIN, INGEST_MESSAGE, CALL_TOOL):
        for arguments in ([], [1], [[]], ["x" * 300], ["\ud800"], ["a", "b", "c"], [{"namespace": 1}], [None]):
            broker.lpush("documents", json.dumps(message([arguments, {}, {}], headers={"task": task, "id": "w"})))
    alive()


def test_what_is_broadcast_to_workers_ends_none(broker: Redis, alive: Alive, app: Celery, log: Path) -> None:
    for said in (b"lions", b"[" * 100_000, b"{}", b"[]", b"7", b"\xff", json.dumps(message([1, 2])).encode()):
        assert broker.publish("/1.celery.pidbox", said) >= 1
    alive()
    assert app.control.ping(timeout=5.0)
    assert "lions" not in log.read_text()


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGES, min_size=20, max_size=40))
def test_no_message_of_any_shape_ends_the_worker(broker: Redis, alive: Alive, raws: list[bytes]) -> None:
    for one in raws:
        broker.lpush("documents", one)
    alive()
