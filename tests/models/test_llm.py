"""A language model over real HTTP: what it says well, badly, late or not at all."""

import time

import pytest
from conftest import ChatServer, Say
from pydantic import BaseModel

from reverie.config.errors import ModelFailed
from reverie.config.settings import load
from reverie.models import llm
from reverie.models.llm import Prompt, ask
from reverie.models.llm.openai import OpenAIModel


class Colour(BaseModel):
    name: str
    warmth: float


ASKED = [Prompt("user", "Which colour?")]


@pytest.fixture
def model(chat_server: ChatServer) -> OpenAIModel:
    return OpenAIModel("scripted", base_url=chat_server.url, api_key="none", timeout=5.0)


def test_a_reply_comes_with_its_tokens(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say("Red.")]
    reply = model.complete(ASKED)
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("Red.", 11, 7)
    assert chat_server.requests[0]["temperature"] == 0


@pytest.mark.parametrize(
    "text",
    [
        'Here you are: {"name": "red", "warmth": 1}. Anything else?',
        '```json\n{"name": "red", "warmth": 1}\n```',
        'First {"oops": 1}, no: {"name": "red", "warmth": 1}',
        'Braces { like these } and {"name": "red", "warmth": 1}',
    ],
)
def test_prose_around_the_object_does_not_matter(chat_server: ChatServer, model: OpenAIModel, text: str) -> None:
    chat_server.script = [Say(text)]
    assert ask(model, ASKED, Colour, timeout=5).value == Colour(name="red", warmth=1)
    assert len(chat_server.requests) == 1


def test_a_reply_that_was_cut_is_repaired_once(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say('{"name": "re', finish="length"), Say('{"name": "red", "warmth": 1}')]
    answer = ask(model, ASKED, Colour, timeout=5)
    assert answer.value == Colour(name="red", warmth=1)
    assert answer.usage.requests == 2


def test_a_reply_of_the_wrong_shape_twice_is_none_and_paid_for(chat_server: ChatServer, model: OpenAIModel) -> None:
    chat_server.script = [Say('{"name": "red", "warmth": "secret"}')]
    answer = ask(model, ASKED, Colour, timeout=5)
    assert answer.value is None
    assert answer.usage.output_tokens == 14
    assert "warmth" in answer.error
    assert "secret" not in answer.error


@pytest.mark.parametrize("slow", [Say("late", delay=20), Say("late" * 200, dripping=True)], ids=["silent", "dripping"])
def test_a_slow_endpoint_is_left_in_time(chat_server: ChatServer, slow: Say) -> None:
    model = OpenAIModel("scripted", base_url=chat_server.url, api_key="none", timeout=0.4)
    chat_server.script = [slow]
    began = time.monotonic()
    with pytest.raises(ModelFailed):
        model.complete(ASKED)
    assert time.monotonic() - began < 3


def test_no_model_is_made_unless_one_is_named(chat_server: ChatServer) -> None:
    assert llm.create(load()) is None
    made = llm.create(load(llm_model="scripted", llm_base_url=chat_server.url, llm_api_key="none"))
    assert made is not None
    assert made.name == "scripted"
