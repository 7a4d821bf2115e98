"""Messages as transcripts hold them: of several parts, without words beside tool calls, in batches with bad ones."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from reverie import Conflict, Memory, ValidationFailed
from reverie.pipelines.ingest import ingest

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
CALL = {"id": "call-1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}


@pytest.mark.parametrize("content", [None, "", "  ", []])
def test_a_message_without_words_is_stored_and_read(quick_memory: Memory, content: Any) -> None:
    session = quick_memory.agent("assistant").session("s")
    receipt = session.observe(sender="assistant", content=content, role="assistant", metadata={"tool_calls": [CALL]})
    ingest(quick_memory.ctx, [receipt.message_id])
    [message] = session.messages()
    assert message.content == (content or "")
    assert message.metadata["tool_calls"] == [CALL]
    items = quick_memory.agent("assistant").recall("weather in Oslo").items
    assert [(item.id, item.content) for item in items] == [(receipt.message_id, 'calls get_weather {"city": "Oslo"}')]


def test_content_may_be_left_out_beside_tool_calls_alone(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s")
    session.observe_many([{"sender": "assistant", "role": "assistant", "tool_calls": [CALL], "message_id": "m"}])
    session.observe(sender="get_weather", role="tool", tool_call_id="call-1", content="Rain.")
    asked, answered = session.messages()
    assert (asked.content, asked.metadata) == ("", {"tool_calls": [CALL]})
    assert answered.metadata == {"tool_call_id": "call-1"}
    assert not session.observe(sender="assistant", role="assistant", metadata={"tool_calls": [CALL]}, message_id="m",
                               content=None).created  # fmt: skip
    with pytest.raises(ValidationFailed, match=r"^messages.0.content: is required"):
        session.observe_many([{"sender": "ana"}])


def test_what_says_nothing_at_all_is_stored_and_is_no_answer(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s")
    receipt = session.observe(sender="ana", content="")
    ingest(quick_memory.ctx, [receipt.message_id])
    assert [message.content for message in session.messages()] == [""]
    assert quick_memory.agent("assistant").recall("ana").items == ()
    assert quick_memory.forget(message=receipt.message_id, verify=True).verified
    assert session.messages() == []


def test_the_parts_of_a_message_are_joined_and_kept(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s")
    parts = [
        {"type": "text", "text": "The violet curtains arrived."},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        "They are long.",
        {"type": "output_text", "text": "Hang them."},
        {"type": "refusal", "refusal": "I cannot."},
        {"type": "text", "text": {"value": "Done.", "annotations": []}},
    ]
    receipt = session.observe(sender="ana", content=parts, metadata={"source": "chat"})
    [message] = session.messages()
    assert message.content == "The violet curtains arrived.\nThey are long.\nHang them.\nI cannot.\nDone."
    assert message.metadata == {"source": "chat", "parts": parts}
    assert quick_memory.agent("assistant").recall("violet curtains").items[0].id == receipt.message_id


def test_a_part_that_is_none_is_refused_by_name(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s")
    with pytest.raises(ValidationFailed, match=r"^content: part 1 must be a text or an object"):
        session.observe(sender="ana", content=["a", 3])
    with pytest.raises(ValidationFailed, match=r"metadata holds another parts"):
        session.observe(sender="ana", content=["a"], metadata={"parts": ["b"]})
    assert session.messages() == []


BATCH: list[dict[str, Any]] = [
    {"sender": "ana", "content": "one", "message_id": "m-1"},
    {"sender": "ana", "content": "two", "message_id": "m-2", "at": "yesterday"},
    {"sender": "ana", "content": "three", "message_id": "m-3"},
    {"sender": "ana", "content": "other words", "message_id": "taken"},
]


@pytest.fixture
def taken(quick_memory: Memory) -> Memory:
    quick_memory.agent("assistant").session("s").observe(sender="ana", content="first", message_id="taken")
    return quick_memory


def test_a_batch_with_a_bad_message_is_refused_whole(taken: Memory) -> None:
    session = taken.agent("assistant").session("s")
    with pytest.raises(ValidationFailed) as wrong:
        session.observe_many(BATCH)
    assert wrong.value.field == "messages.1.at"
    assert "'m-2'" in wrong.value.reason
    with pytest.raises(Conflict, match=r"'taken'.*messages\.2") as conflict:
        session.observe_many([BATCH[0], BATCH[2], BATCH[3]])
    assert conflict.value.id == "taken"
    with pytest.raises(Conflict, match=r"'m-1'.*messages\.1"):
        session.observe_many([BATCH[0], BATCH[0] | {"content": "another"}])
    assert [message.message_id for message in session.messages()] == ["taken"]


def test_a_batch_stores_the_others_when_asked(taken: Memory) -> None:
    session = taken.agent("assistant").session("s", goal_id="none")
    done = session.observe_many([*BATCH, None, BATCH[0]], on_error="skip")  # type: ignore[list-item]  # wrong on purpose
    assert [(one.message_id, one.created) for one in done] == [("m-1", True), ("m-3", True), ("m-1", False)]
    assert [(one.place, one.message_id, type(one.error)) for one in done.refused] == [
        (1, "m-2", ValidationFailed),
        (3, "taken", Conflict),
        (4, None, ValidationFailed),
    ]
    assert {message.message_id for message in session.messages()} == {"m-1", "m-3", "taken"}
    assert done[0].skipped_links == ("goal_id",)


@pytest.mark.parametrize("messages", ["ab", b"ab", None, 7, {"sender": "ana"}])
def test_what_is_no_list_of_messages_is_refused(quick_memory: Memory, messages: Any) -> None:
    with pytest.raises(ValidationFailed, match=r"^messages"):
        quick_memory.agent("assistant").session("s").observe_many(messages)


def test_nothing_is_a_batch_too(quick_memory: Memory) -> None:
    done = quick_memory.agent("assistant").session("s").observe_many([])
    assert (list(done), done.refused) == ([], ())


def test_parts_travel_through_a_document_as_they_are() -> None:
    from reverie.tools.documents import ObserveDocument
    from reverie.tools.fields import validated

    sent = json.loads(
        json.dumps({"namespace": "n", "agent": "a", "session": "s", "sender": "ana", "content": ["x", "y"]})
    )
    document = validated(ObserveDocument, sent)
    assert (document.content, document.metadata) == ("x\ny", {"parts": ["x", "y"]})
    with pytest.raises(ValidationFailed, match=r"^content: part 0"):
        validated(ObserveDocument, sent | {"content": [1]})
