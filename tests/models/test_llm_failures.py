"""A language model's endpoint that fails: what is tried again, in which time, and what is said about it."""

import json
import logging
import pickle
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Thread
from typing import Any

import pytest
from conftest import ChatServer, Say
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from reverie.config.errors import ModelFailed, ModelRefused
from reverie.models.llm import Prompt, WatchedModel, ask, habits
from reverie.models.llm.failures import Endpoint, retry_after
from reverie.models.llm.openai import OpenAIModel

ASKED = [Prompt("user", "Which colour has the door of the harbour office in Tromsø?")]
KEY = "sk-topsecret-0123456789"


class Colour(BaseModel):
    name: str


def refusal(message: str, status: int = 400, **more: Any) -> Say:
    return Say(status=status, body=json.dumps({"error": {"message": message, **more}}).encode())


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    habits.KNOWN.clear()
    yield
    habits.KNOWN.clear()


@pytest.fixture
def model(chat_server: ChatServer) -> OpenAIModel:
    return OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY, timeout=10.0)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(chat_server: ChatServer, model: OpenAIModel, status: int) -> None:
    chat_server.script = [Say(status=status), Say(status=status), Say("Red.")]
    assert model.complete(ASKED).text == "Red."
    assert len(chat_server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_cannot_pass_is_not_tried_again(chat_server: ChatServer, model: OpenAIModel, status: int) -> None:
    chat_server.script = [Say(status=status)]
    with pytest.raises(ModelFailed):
        model.complete(ASKED)
    assert len(chat_server.requests) == 1


def test_a_reply_that_breaks_off_is_asked_for_again(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say("Red.", cut=True), Say(status=503, body=b'{"error": ', cut=True), Say("Red.")]
    assert model.complete(ASKED).text == "Red."
    assert len(chat_server.requests) == 3


def test_a_refused_connection_is_tried_again_until_there_is_one() -> None:
    with socket.socket() as unbound:
        unbound.bind(("127.0.0.1", 0))
        port = unbound.getsockname()[1]
        model = OpenAIModel("scripted", base_url=f"http://127.0.0.1:{port}/v1", api_key=KEY, timeout=10.0)
        replies: list[str] = []
        asking = Thread(target=lambda: replies.append(model.complete(ASKED).text))
        asking.start()
        assert not replies
        unbound.listen()
        unbound.settimeout(10)
        peer, _ = unbound.accept()
        with peer:
            peer.recv(65536)
            body = {
                "id": "1", "object": "chat.completion", "created": 0, "model": "m",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": "Red."}, "finish_reason": "stop"}],
            }  # fmt: skip
            said = json.dumps(body).encode()
            peer.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (len(said), said))
            asking.join(10)
    assert replies == ["Red."]


@pytest.mark.parametrize("told", ["1", "date", "ms"])
def test_the_delay_that_the_server_asks_for_is_kept(chat_server: ChatServer, model: OpenAIModel, told: str) -> None:
    now = datetime(2020, 1, 1, tzinfo=UTC)  # the server's clock is wrong, as clocks are
    headers = {
        "1": {"retry-after": "1"},
        "date": {"retry-after": format_datetime(now + timedelta(seconds=1), usegmt=True), "date": format_datetime(now)},
        "ms": {"retry-after-ms": "1000", "retry-after": "60"},
    }[told]
    if told == "date":
        assert retry_after(headers) == 1.0
        headers = {"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)}
    chat_server.script = [Say(status=429, headers=headers), Say("Red.")]
    began = time.monotonic()
    assert model.complete(ASKED).text == "Red."
    assert 0.9 < time.monotonic() - began < 8


def test_a_delay_beyond_the_time_is_not_waited_for(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say(status=429, headers={"retry-after": "60"})]
    began = time.monotonic()
    with pytest.raises(ModelFailed, match="left alone for 60 s") as failed:
        model.complete(ASKED)
    assert time.monotonic() - began < 5
    assert failed.value.retry_after == 60
    assert len(chat_server.requests) == 1


def test_further_tries_stay_within_the_time(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say(status=503)]
    began = time.monotonic()
    with pytest.raises(ModelFailed):
        model.complete(ASKED, timeout=1.0)
    assert time.monotonic() - began < 3


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text(max_size=40)))
def test_any_header_is_a_delay_or_none(headers: dict[str, str]) -> None:
    found = retry_after(headers)
    assert found is None or 0 <= found < float("inf")


@pytest.mark.parametrize(
    ("say", "setting", "words"),
    [
        (refusal("Incorrect API key provided: sk-tops*****6789", 401), "REVERIE_LLM_API_KEY", "Incorrect API key"),
        (refusal("The model `scripted` does not exist", 404), "REVERIE_LLM_MODEL", "does not exist"),
        (refusal("You exceeded your quota", 429, code="insufficient_quota"), "REVERIE_LLM_API_KEY", "quota"),
        (refusal("maximum context length is 12 tokens"), "REVERIE_LLM_MAX_TOKENS", "context length"),
        (Say(status=502, body=b"<html><style>a{}</style><h1>Bad  Gateway</h1></html>"), "REVERIE_LLM_BASE_URL",
         "502: Bad Gateway"),
        (Say(body=b"<html>Welcome to nginx</html>"), "REVERIE_LLM_BASE_URL", "Welcome to nginx"),
        (Say(body=b'{"detail": [{"msg": "value is not a list"}]}', status=422), "REVERIE_LLM_MODEL", "not a list"),
        (Say(body=b""), "REVERIE_LLM_BASE_URL", "nothing"),
        (Say("late", delay=20), "REVERIE_LLM_TIMEOUT", "too slow"),
    ],
)  # fmt: skip
def test_an_error_names_the_setting_and_says_what_the_server_said(
    chat_server: ChatServer, model: OpenAIModel, say: Say, setting: str, words: str
) -> None:
    chat_server.script = [say]
    with pytest.raises(ModelFailed) as failed:
        model.complete(ASKED, timeout=0.5)
    assert setting in str(failed.value)
    assert words in str(failed.value)
    assert "\n" not in str(failed.value)
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


def test_an_address_that_nobody_listens_at_is_named_without_its_login() -> None:
    with socket.socket() as unbound:
        unbound.bind(("127.0.0.1", 0))
        url = f"http://reader:hunter22@127.0.0.1:{unbound.getsockname()[1]}/v1?token=abcdefgh"
        model = OpenAIModel("scripted", base_url=url, api_key=KEY, timeout=0.3)
        with pytest.raises(ModelFailed, match=r"cannot be reached .* REVERIE_LLM_BASE_URL") as failed:
            model.complete(ASKED)
    assert not {word for word in ("reader", "hunter22", "abcdefgh", KEY) if word in str(failed.value)}


def test_words_of_a_server_hold_no_secret_and_nothing_of_what_was_asked() -> None:
    endpoint = Endpoint("m", "https://reader:hunter22@llm.example/v1?token=abcdefgh", "my-own-key-1")
    said = f"no my-own-key-1, {KEY}, Bearer abc.def, https://me:pw@other.example, hunter22 reader abcdefgh"
    words = endpoint.words({"error": {"message": said}}, [])
    assert words == "no ***, ***, *** https://***other.example, *** *** ***"
    echo = endpoint.words({"detail": f"not allowed: {ASKED[0].content[8:60]}"}, ASKED)
    assert "harbour" not in echo
    assert len(endpoint.words("long " * 1000, [])) < 210


OTHER_FORMS = [
    ("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
     {"max_completion_tokens", "temperature", "response_format"}),
    ("Unsupported value: 'temperature' does not support 0 with this model.", {"max_tokens", "response_format"}),
]  # fmt: skip


@pytest.mark.parametrize(("message", "taken"), OTHER_FORMS)
def test_a_request_takes_the_form_that_the_endpoint_knows_and_keeps_it(
    chat_server: ChatServer, model: OpenAIModel, message: str, taken: set[str]
) -> None:
    chat_server.script = [refusal(message), Say('{"name": "red"}')]
    another = OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY)
    for asked in (model, another):
        assert ask(asked, ASKED, Colour, timeout=5).value == Colour(name="red")
    assert len(chat_server.requests) == 3
    for request in chat_server.requests[1:]:
        assert set(request) - {"model", "messages"} == taken


@pytest.mark.parametrize("message", ["'response_format' of type 'json_schema' is not supported", ""])
def test_a_shape_is_asked_for_by_its_schema_then_as_json_then_in_words(
    chat_server: ChatServer, model: OpenAIModel, message: str
) -> None:
    chat_server.script = [refusal(message), refusal(message, 422), Say('Sure: {"name": "red"}')]
    for _ in range(2):
        assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")
    shapes = [request.get("response_format", {}).get("type") for request in chat_server.requests]
    assert shapes == ["json_schema", "json_object", None, None]
    assert '"name"' in chat_server.requests[-1]["messages"][-1]["content"]
    assert "name" not in chat_server.requests[0]["messages"][-1]["content"]


def test_a_model_that_refuses_all_of_it_is_asked_in_every_form_once(
    chat_server: ChatServer, model: OpenAIModel
) -> None:
    def picky(request: dict[str, Any]) -> Say:
        for refused in ("max_tokens", "temperature", "response_format"):
            if refused in request:
                return refusal(f"unknown field: {refused}")
        return Say('{"name": "red"}')

    chat_server.script = [picky]
    assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")
    assert len(chat_server.requests) == 5
    assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")
    assert len(chat_server.requests) == 6


def test_a_refusal_that_no_form_helps_is_the_first_one_and_is_not_remembered(
    chat_server: ChatServer, model: OpenAIModel
) -> None:
    chat_server.script = [refusal("no such luck"), refusal("still not"), refusal("never"), Say('{"name": "red"}')]
    with pytest.raises(ModelRefused, match="no such luck"):
        model.complete(ASKED, schema=Colour.model_json_schema())
    assert not habits.KNOWN
    assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")
    assert "response_format" in chat_server.requests[-1]


class Ticking:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_an_outage_is_one_warning_a_rest_and_one_line_at_its_end(
    chat_server: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Ticking()
    model = WatchedModel(OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY), 30.0, clock=clock)
    chat_server.script = [refusal("overloaded", 503)]
    with caplog.at_level(logging.INFO, "reverie.models"):
        for _ in range(3):
            answer = ask(model, ASKED, Colour, timeout=0.4)
            assert answer.unavailable
            assert "overloaded" in answer.error
        asked = len(chat_server.requests)
        clock.now += 31
        assert ask(model, ASKED, Colour, timeout=0.4).asked
        assert len(chat_server.requests) > asked
        chat_server.script = [Say('{"name": "red"}')]
        assert not ask(model, ASKED, Colour, timeout=5).asked
        clock.now += 31
        assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "overloaded" in caplog.messages[0]
    assert "is back after 2 failures" in caplog.messages[1]


def test_a_model_rests_as_long_as_it_was_asked_to(chat_server: ChatServer) -> None:
    clock = Ticking()
    model = WatchedModel(OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY), 1.0, clock=clock)
    chat_server.script = [Say(status=429, headers={"retry-after": "600"})]
    assert ask(model, ASKED, Colour, timeout=0.5).asked
    clock.now += 599
    assert not ask(model, ASKED, Colour, timeout=0.5).asked
    clock.now += 2
    assert ask(model, ASKED, Colour, timeout=0.5).asked


def test_who_has_no_other_way_asks_all_the_same_and_ends_the_outage(chat_server: ChatServer) -> None:
    model = WatchedModel(OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY), 600.0)
    chat_server.script = [Say(status=401), Say("Red."), Say('{"name": "red"}')]
    with pytest.raises(ModelFailed):
        model.complete(ASKED)
    assert model.resting()
    assert model.complete(ASKED).text == "Red."
    assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red")


def test_a_request_that_is_refused_is_no_outage(chat_server: ChatServer) -> None:
    model = WatchedModel(OpenAIModel("scripted", base_url=chat_server.url, api_key=KEY), 600.0)
    chat_server.script = [refusal("maximum context length exceeded")]
    answer = ask(model, ASKED, Colour, timeout=5)
    assert (answer.value, answer.unavailable, model.resting()) == (None, False, None)
