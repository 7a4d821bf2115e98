"""Reading conversations from files."""

import json
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from reverie import ValidationFailed
from reverie.cli.formats import read

DIALOGUE = {
    "speaker_a": "Ana",
    "speaker_b": "Ben",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "Hello."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red kite"},
    ],
    "session_3_date_time": "9:05 am on 1 June, 2023",
    "session_3": [{"speaker": "Ana", "dia_id": "D3:1", "text": "Back again."}],
}


def _file(folder: Path, text: str, name: str = "talk.jsonl") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_chat_lines_and_a_chat_list_say_the_same(tmp_path: Path) -> None:
    messages = [
        {"sender": "ana", "content": "hi", "at": "2026-05-01T12:00:00+02:00", "session": "s", "message_id": "m"},
        {"sender": "ben", "content": "ho", "addressed_to": ["ana"]},
    ]
    lines = read(_file(tmp_path, "\n".join(json.dumps(message) for message in messages) + "\n\n"), "chat")
    listed = read(_file(tmp_path, json.dumps(messages), "talk.json"), "chat")

    assert [turn.message for turn in lines] == [turn.message for turn in listed]
    assert [turn.session for turn in lines] == ["s", "talk"]
    assert lines[0].message.at == datetime(2026, 5, 1, 10, tzinfo=UTC)


def test_messages_without_an_id_get_the_same_one_each_time(tmp_path: Path) -> None:
    path = _file(tmp_path, '{"sender": "ana", "content": "hi"}\n{"sender": "ana", "content": "hi"}')
    first, second = read(path, "chat")

    assert first.message.message_id != second.message.message_id
    assert read(path, "chat") == [first, second]


def test_locomo_sessions_are_dated_and_keep_their_gaps(tmp_path: Path) -> None:
    path = _file(tmp_path, json.dumps([{"conversation": DIALOGUE}, {"conversation": DIALOGUE}]))
    turns = read(path, "locomo", 1)

    assert [turn.session for turn in turns] == ["session_1", "session_1", "session_3"]
    assert [turn.message.message_id for turn in turns] == ["D1:1", "D1:2", "D3:1"]
    assert turns[0].message.at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert turns[1].message.addressed_to == ("Ana",)
    assert "a red kite" in turns[1].message.content


def test_all_conversations_of_a_file_keep_apart(tmp_path: Path) -> None:
    path = _file(tmp_path, json.dumps([{"conversation": DIALOGUE}, {"conversation": DIALOGUE}]))
    turns = read(path, "locomo")

    assert len({turn.message.message_id for turn in turns}) == 6
    assert len({turn.session for turn in turns}) == 4


@pytest.mark.parametrize(
    ("text", "format", "where"),
    [
        ('{"sender": "ana", "content": "hi"}\n{"sender": "ana"}', "chat", "line 2, content"),
        ('{"sender": "ana", "content": "hi", "colour": 1}', "chat", "line 1, colour"),
        ('{"sender": "ana", "content": "hi", "at": "2026-05-01T12:00:00"}', "chat", "time zone"),
        ('{"sender": ', "chat", "line 1 is not JSON"),
        ("[1]", "chat", "message 1"),
        ("[1", "chat", "not JSON"),
        ('"text"', "locomo", "no list of LoCoMo conversations"),
        ('[{"conversation": {"session_1": [{"text": "x"}]}}]', "locomo", "session 1, turn 1"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, format: str, where: str) -> None:
    with pytest.raises(ValidationFailed, match=where):
        read(_file(tmp_path, text), format)  # type: ignore[arg-type]  # one of the two formats


def test_a_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    texts = ["one\u2028two", "three\x85four", "five\u2029", "咖啡"]
    lines = [json.dumps({"sender": "ana", "content": text}, ensure_ascii=False) for text in texts]
    path = tmp_path / "talk.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())

    assert [turn.message.content for turn in read(path, "chat")] == texts


def test_a_conversation_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = _file(tmp_path, json.dumps([{"conversation": DIALOGUE}]))
    with pytest.raises(ValidationFailed, match="0 to 0"):
        read(path, "locomo", 1)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValidationFailed, match="cannot be read"):
        read(tmp_path / "nothing.jsonl", "chat")
    (tmp_path / "latin.jsonl").write_bytes(b'{"sender": "Jos\xe9"}')
    with pytest.raises(ValidationFailed, match="UTF-8"):
        read(tmp_path / "latin.jsonl", "chat")


def test_the_sample_conversation_can_be_read() -> None:
    with as_file(files("reverie.cli") / "samples" / "harbour.jsonl") as sample:
        turns = read(sample, "chat")
    assert len(turns) >= 10
    assert all(turn.message.at is not None for turn in turns)


def test_a_bad_message_refuses_the_file_or_is_named_and_skipped(tmp_path: Path) -> None:
    good = ['{"sender": "ana", "content": "hi"}', '{"sender": "ben", "content": "ho"}']
    path = _file(tmp_path, "\n".join([good[0], "{", '{"sender": "ana"}', "[" * 5000, '"text"', good[1]]))
    wrong: list[str] = []
    turns = read(path, "chat", skip=lambda error: wrong.append(str(error)))

    assert [turn.message.content for turn in turns] == ["hi", "ho"]
    assert ["line 2" in wrong[0], "line 3" in wrong[1], "line 4" in wrong[2], "line 5" in wrong[3]] == [True] * 4
    with pytest.raises(ValidationFailed, match="line 2"):
        read(path, "chat")
    # Once the line is mended, what was stored before is the same message still.
    mended = read(_file(tmp_path, "\n".join([good[0], good[0], *["null"] * 3, good[1]])), "chat", skip=lambda _: None)
    assert [mended[0].message, mended[2].message] == [turn.message for turn in turns]


def test_a_bad_turn_of_a_locomo_file_is_skipped(tmp_path: Path) -> None:
    dialogue = DIALOGUE | {"session_3": [{"speaker": "Ana"}, {"speaker": "Ana", "dia_id": "D3:2", "text": "Back."}]}
    path = _file(tmp_path, json.dumps([{"conversation": dialogue}]))
    wrong: list[str] = []

    assert len(read(path, "locomo", skip=lambda error: wrong.append(str(error)))) == 3
    assert len(wrong) == 1
    assert "session 3, turn 1" in wrong[0]


def test_messages_of_a_chat_model_are_said_by_their_name_or_their_role(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": None, "refusal": None, "annotations": [], "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    said = [turn.message for turn in read(_file(tmp_path, json.dumps(messages)), "chat")]

    assert [message.sender for message in said] == ["system", "Ana", "assistant", "tool"]
    assert [message.role for message in said] == ["system", "user", "assistant", "tool"]
    assert [message.content for message in said] == ["Be brief.", "hi", "", "done"]
    with pytest.raises(ValidationFailed, match="sender: is required"):
        read(_file(tmp_path, '{"content": "hi"}'), "chat")
