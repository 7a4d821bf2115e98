"""A document that somebody enqueued is worked on, or kept with the reason: whatever fails, it is not lost."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from celery.exceptions import Reject

from reverie import EmbedderMismatch, Memory, StoreUnavailable
from reverie.config.settings import load
from reverie.config.task_names import OBSERVE_MESSAGE
from reverie.pipelines.context import Context
from reverie.store import work
from reverie.workers import documents, messages, runtime, tools
from reverie.workers.messages import observe_message


@pytest.fixture
def ctx(quick_memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Context:
    monkeypatch.setattr(runtime, "context", lambda namespace: quick_memory.ctx)
    monkeypatch.setattr(runtime, "connection", lambda: quick_memory.connection)
    monkeypatch.setattr(documents, "current", lambda: load(work_attempts=3))
    return quick_memory.ctx


def document(ctx: Context, **changes: Any) -> dict[str, Any]:
    said = {"agent": "a", "session": "s", "sender": "Ana", "content": "I keep bees."}
    return {"namespace": ctx.namespace} | said | changes


def failing(monkeypatch: pytest.MonkeyPatch, *errors: Exception) -> Iterator[Exception]:
    """Have the writing fail with each of these errors once, and then go well."""
    left, well = iter(errors), messages.observe

    def observe(*arguments: Any) -> Any:
        error = next(left, None)
        if error is not None:
            raise error
        return well(*arguments)

    monkeypatch.setattr(messages, "observe", observe)
    return left


def run(*arguments: Any, **named: Any) -> Any:
    return observe_message.apply(arguments, named, task_id="t-1").get()


def test_a_store_that_is_away_is_waited_for_as_long_as_it_takes(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, *[StoreUnavailable()] * 7)
    assert run(document(ctx))["created"]
    assert work.dead_letters(ctx.ns) == []


def test_an_index_that_was_rebuilt_is_opened_anew(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    monkeypatch.setattr(runtime, "close", lambda: closed.append(1))
    failing(monkeypatch, EmbedderMismatch())
    assert run(document(ctx))["created"]
    assert closed == [1]


def test_what_fails_again_and_again_is_a_dead_letter_without_the_words_of_a_user(
    ctx: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    left = failing(monkeypatch, *[ValueError("my secret")] * 4)
    assert run(document(ctx))["error"] == "ValueError"
    (letter,) = work.dead_letters(ctx.ns)
    assert (letter.topic, letter.attempts, json.loads(letter.entry)["content"]) == (OBSERVE_MESSAGE, 3, "I keep bees.")
    assert len(list(left)) == 1
    assert "secret" not in caplog.text + letter.error


@pytest.mark.parametrize(
    ("arguments", "named"),
    [([], {}), ([1, 2], {}), (["DOCUMENT", 2], {}), (["DOCUMENT"], {"more": 1}), ([], {"document": 1, "more": 2})],
)
def test_other_arguments_are_kept_with_the_reason(ctx: Context, arguments: list[Any], named: dict[str, Any]) -> None:
    given = [document(ctx) if one == "DOCUMENT" else one for one in arguments]
    assert "one argument" in run(*given, **named)["error"]
    assert len(work.dead_letters(ctx.ns)) == 1


def test_a_document_may_be_named_and_its_fields_alone_may_not(ctx: Context) -> None:
    assert run(document=document(ctx))["created"]
    answer = run(**document(ctx))
    assert (answer["namespace"], "one argument" in answer["error"]) == (ctx.namespace, True)


@pytest.mark.parametrize("odd", [{"sender": "\ud800"}, {"content": "\ud800"}, {"\ud800": 1}])
def test_a_document_with_half_a_character_is_kept_too(ctx: Context, odd: dict[str, Any]) -> None:
    assert run(document(ctx, **odd))["error"]
    (letter,) = work.dead_letters(ctx.ns)
    assert odd.items() <= json.loads(letter.entry).items()


@pytest.mark.parametrize(
    "homeless",
    [
        "\ud800",
        "my secret",
        {"content": "my secret"},
        {"content": "my secret", "namespace": "\ud800"},
        {"content": "my secret", "namespace": ["my secret"]},
        {"content": "my secret", "namespace": ""},
    ],
)
def test_a_document_that_nobody_could_forget_is_kept_without_its_text(ctx: Context, homeless: Any) -> None:
    assert run(homeless)["namespace"] == documents.UNREADABLE
    (letter,) = work.dead_letters(ctx.ns)
    assert json.loads(letter.entry)["characters"] > 0
    assert "secret" not in letter.entry + letter.error


def test_a_time_that_a_client_tagged_is_kept_as_it_was_sent(ctx: Context) -> None:
    assert "metadata" in run(document(ctx, metadata={"seen": datetime(2026, 5, 1, tzinfo=UTC)}))["error"]
    (letter,) = work.dead_letters(ctx.ns)
    assert json.loads(letter.entry)["metadata"]["seen"] == {
        "__type__": "datetime",
        "__value__": "2026-05-01T00:00:00+00:00",
    }


def test_what_cannot_be_sent_for_another_try_goes_back_to_its_queue(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, StoreUnavailable())

    def full(*_: Any, **__: Any) -> None:
        raise Reject("the broker is full", requeue=False)

    monkeypatch.setattr(observe_message, "retry", full)
    with pytest.raises(Reject) as given_back:
        observe_message.run(document(ctx))
    assert given_back.value.requeue


def test_what_a_tool_gives_is_not_logged(
    ctx: Context, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run(document(ctx))
    call = {"namespace": ctx.namespace, "agent": "a", "tool": "recall", "arguments": {"query": "bees"}}
    with caplog.at_level("INFO"):
        given = tools.call_tool.apply([call], task_id="t-2").get()
    assert "I keep bees" in given["memory"]
    assert "succeeded" in caplog.text
    assert "bees" not in caplog.text


def test_a_document_on_which_every_worker_died_is_a_dead_letter(ctx: Context) -> None:
    given, again = document(ctx), {"id": f"t-{ctx.namespace}", "delivery_info": {"redelivered": True}}
    answers = []
    for _ in range(4):
        observe_message.push_request(**again, called_directly=False)
        answers.append(observe_message.run(given))
        observe_message.pop_request()
    assert [answer.get("created") for answer in answers] == [True, False, False, None]
    assert answers[3]["error"] == "every worker died on it"
