"""Writing messages."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie import Conflict, Memory, ValidationFailed

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_session_gives_its_messages_in_order_of_time_with_their_gaps(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    session.observe(sender="ana", content="second", at=NOON + timedelta(seconds=90))
    session.observe(sender="ana", content="first", at=NOON)
    session.observe(sender="bob", content="third", at=NOON + timedelta(seconds=90))

    messages = session.messages()

    assert [(m.content, m.gap) for m in messages] == [("first", None), ("second", 90.0), ("third", 0.0)]
    assert [m.content for m in session.messages(newest=1)] == ["third"]
    assert session.messages(newest=1)[0].gap == 0.0


def test_the_same_message_twice_is_one(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    first = session.observe(sender="ana", content="hello", message_id="m", at=NOON)
    second = session.observe(sender="ana", content="hello", message_id="m", at=NOON)

    assert (first.created, second.created) == (True, False)
    assert len(session.messages()) == 1


@pytest.mark.parametrize("changed", [{"content": "other"}, {"sender": "bob"}, {"at": NOON + timedelta(hours=1)}])
def test_the_same_id_with_other_content_is_a_conflict(quick_memory: Memory, changed: dict[str, object]) -> None:
    session = quick_memory.agent("assistant").session("s-1")
    given = {"sender": "ana", "content": "hello", "message_id": "m", "at": NOON}
    session.observe(**given)

    with pytest.raises(Conflict):
        session.observe(**(given | changed))
    with pytest.raises(Conflict, match="session"):
        quick_memory.agent("assistant").session("s-2").observe(**given)
    assert [m.content for m in session.messages()] == ["hello"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", 7),
        ("content", ["text", 7]),
        ("content", "\ud800"),
        ("content", "x" * (1024 * 1024 + 1)),
        ("sender", ""),
        ("message_id", "x" * 257),
        ("at", datetime(2026, 5, 1)),  # noqa: DTZ001  # naive on purpose
        ("at", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))),
        ("at", datetime(9999, 12, 31, tzinfo=timezone(timedelta(hours=-12)))),
        ("at", datetime(2300, 1, 1, tzinfo=UTC)),
        ("sender", b"ana"),
        ("sender", b""),
        ("content", b"hello"),
        ("content_type", "\ud800"),
        ("metadata", {"n": float("nan")}),
    ],
)
def test_what_is_wrong_is_refused_by_name(quick_memory: Memory, field: str, value: object) -> None:
    session = quick_memory.agent("assistant").session("s-1")

    with pytest.raises(ValidationFailed) as caught:
        session.observe(**({"sender": "ana", "content": "hello"} | {field: value}))

    assert caught.value.field == field
    assert session.messages() == []
