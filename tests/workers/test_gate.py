"""What passes the gate has a known shape, whatever was sent."""

import json
import pickle
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kombu.utils.json import loads

from reverie.config.task_names import INGEST_DRAIN, OBSERVE_MESSAGE, REFUSE
from reverie.store.envelopes import MAX_DEPTH, Unreadable, read
from reverie.workers.gate import Gate, until
from reverie.workers.ingest import drain_messages

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "task",
                    "id",
                    "headers",
                    "body",
                    "properties",
                    "args",
                    "kwargs",
                    "namespace",
                    "__type__",
                    "__value__",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
HEADERS = st.dictionaries(
    st.sampled_from(["task", "id", "eta", "expires", "retries", "group", "timelimit", "compression", "stamps"]),
    JSON | st.sampled_from([OBSERVE_MESSAGE, INGEST_DRAIN, REFUSE, "2026-01-01T00:00:00", "x"]),
)
BODY = JSON | st.tuples(st.lists(JSON, max_size=2), st.dictionaries(st.just("document"), JSON), JSON)
PROPERTIES = st.dictionaries(
    st.sampled_from(["delivery_tag", "delivery_info", "body_encoding", "priority", "reply_to"]), JSON
)
CHANGES = st.dictionaries(st.sampled_from(["content-type", "content-encoding", "body", "headers", "properties"]), JSON)


def message(body: Any, headers: dict[str, Any], properties: dict[str, Any], changes: dict[str, Any]) -> bytes:
    whole = {
        "body": json.dumps(body),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"task": OBSERVE_MESSAGE, "id": "t-1"} | headers,
        "properties": {"body_encoding": None} | properties,
    }
    return json.dumps(whole | changes).encode()


MESSAGES = (
    st.binary(max_size=40)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.builds(message, BODY, HEADERS, PROPERTIES, CHANGES)
)
"""Bytes, any JSON, and what looks like a task but for some parts."""


@pytest.fixture(scope="module")
def gate() -> Gate:
    return Gate({INGEST_DRAIN: drain_messages}.get)


@given(raw=MESSAGES)
def test_what_is_admitted_can_be_decoded_and_handed_to_another_process(gate: Gate, raw: bytes) -> None:
    payload, _ = gate.admit(raw, "ingest", "tag")
    arguments, named, embed = loads(payload["body"])
    assert isinstance(arguments, list)
    assert isinstance(named, dict)
    assert isinstance(embed, dict)
    assert isinstance(payload["headers"]["id"], str)
    assert payload["headers"]["task"] in (OBSERVE_MESSAGE, INGEST_DRAIN, REFUSE)
    assert payload["properties"]["delivery_tag"] == "tag"
    pickle.dumps((payload, arguments, named, embed))


@given(depth=st.integers(1, 3 * MAX_DEPTH))
def test_what_is_deeper_than_a_worker_can_pass_on_is_unreadable(depth: int) -> None:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    raw = message([[value], {}, {}], {}, {}, {})
    if depth <= 100:
        assert read(raw).arguments == [value]
    elif depth > MAX_DEPTH:
        with pytest.raises(Unreadable, match="levels deep"):
            read(raw)


def test_a_reason_quotes_nothing_of_the_message(gate: Gate) -> None:
    for raw in (b"lions", message("lions", {}, {}, {}), message([[], {}, {}], {"retries": "lions"}, {}, {})):
        payload, _ = gate.admit(raw, "ingest", "tag")
        (refused,), _, _ = json.loads(payload["body"])
        assert refused["error"]
        assert "lions" not in refused["error"]


def test_what_is_due_later_is_told_so(gate: Gate) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    _, eta = gate.admit(message([["n"], {}, {}], {"task": INGEST_DRAIN, "eta": later.isoformat()}, {}, {}), "q", "tag")
    assert eta == later
    assert 3590 < until(eta) <= 3600
    assert until(datetime(2020, 1, 1, tzinfo=UTC)) == until(None) == 0.0
