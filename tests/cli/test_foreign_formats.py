"""What other systems export: each format by the example that its module documents, its bad entries, and the guess."""

import importlib
import json
import pkgutil
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

import reverie.cli.formats
from reverie import Agent, Graph, ValidationFailed
from reverie.cli.formats import Claim, Format, Item, Thing, Tie, Turn, guess, items
from reverie.cli.knowledge import store_knowledge
from reverie.pipelines.context import Context

LYON = "I moved to Lyon."
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _example(format: str) -> str:
    """The example in the docstring of a format's module."""
    module = importlib.import_module(f"reverie.cli.formats.{format.replace('-', '_')}")
    found = re.search(r"^    .*", module.__doc__ or "", re.MULTILINE | re.DOTALL)
    assert found is not None, format
    return "\n".join(line.removeprefix("    ") for line in found[0].splitlines())


def _file(folder: Path, format: str, text: str) -> Path:
    name = {"whatsapp": "WhatsApp Chat with Ben.txt", "markdown": "moving.md"}.get(format, "file.json")
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _said(items: list[Item]) -> list[tuple[str, str, datetime | None]]:
    return [(one.message.sender, one.message.content, one.message.at) for one in items if isinstance(one, Turn)]


EXPECTED: dict[str, list[Any]] = {
    "agent-memory-server": [("ana", LYON, NOON), ("ana", "Ana lives in Lyon", None)],
    "chat": [("user", "I moved to Lyon in May.", None)],
    "chatgpt": [("user", LYON, datetime(2026, 5, 1, 12, 0, 0, 500000, tzinfo=UTC))],
    "claude": [("user", LYON, NOON)],
    "langgraph": [("ana", "Moved to Lyon", datetime(2026, 5, 2, 12, tzinfo=UTC))],
    "locomo": [("Ana", "Hello.", datetime(2023, 5, 8, 13, 56, tzinfo=UTC))],
    "markdown": [("ana", "Moving\n\nI moved to Lyon.", datetime(2026, 5, 1, tzinfo=UTC))],
    "mcp-memory": [],
    "mem0": [("ana", "Moved to Lyon in May", datetime(2026, 5, 1, 19, tzinfo=UTC))],
    "slack": [("U1", LYON, datetime(2024, 5, 1, 10, 40, 0, 100, tzinfo=UTC))],
    "whatsapp": [("Ana", LYON, NOON), ("Ben", "Really?", datetime(2026, 5, 1, 12, 1, tzinfo=UTC))],
    "zep": [("Ana", LYON, NOON)],
}


def test_every_format_has_its_module_and_example() -> None:
    modules = {one.name for one in pkgutil.iter_modules(reverie.cli.formats.__path__)} - {"base"}
    assert modules == {name.replace("-", "_") for name in get_args(Format)}
    assert EXPECTED.keys() == set(get_args(Format))


@pytest.mark.parametrize("format", get_args(Format))
def test_the_documented_example_is_guessed_and_read_twice_the_same(tmp_path: Path, format: Format) -> None:
    path = _file(tmp_path, format, _example(format))
    assert guess(path) == format
    found = list(items(path, format))
    assert _said(found) == EXPECTED[format]
    assert list(items(path, format)) == found
    ids = [one.message.message_id for one in found if isinstance(one, Turn)]
    assert None not in ids
    assert len(set(ids)) == len(ids)


def test_knowledge_is_read_as_such(tmp_path: Path) -> None:
    assert list(items(_file(tmp_path, "mcp-memory", _example("mcp-memory")), "mcp-memory")) == [
        Thing("Ana", "person", ("lives in Lyon",)),
        Tie("Ana", "works at", "Acme"),
    ]
    claims = [one for one in items(_file(tmp_path, "zep", _example("zep")), "zep") if isinstance(one, Claim)]
    assert claims == [Claim("d-1", "Ana", "lives in", "Lyon", datetime(2026, 5, 1, tzinfo=UTC), None)]


def test_knowledge_that_is_stored_twice_counts_once(fake_ctx: Context) -> None:
    agent, graph = Agent(fake_ctx, "a"), Graph(fake_ctx, "import", "a")
    known: list[Item] = [
        Claim("c", "Ana", "lives in", "Lyon", NOON),
        Thing("Ana", "person", ("lives in Lyon", "lives in Lyon")),
        Tie("Ana", "works at", "Acme"),
        Thing(" ", None, ()),
    ]
    for _ in range(2):
        skipped: list[str] = []
        assert store_knowledge(agent, graph, known, skipped, "skip") == {"facts": 1, "entities": 1, "relations": 1}
        assert len(skipped) == 1
    assert [(one.content, one.observation_count) for one in agent.facts()] == [("Ana lives in Lyon", 1)]
    (ana,) = graph.open_nodes(["Ana"])
    assert [(one.text, one.support) for one in ana.observations] == [("lives in Lyon", 1)]
    assert len(ana.relations) == 1
    with pytest.raises(ValidationFailed):
        store_knowledge(agent, graph, known, [], "refuse")


BAD: dict[str, tuple[Any, str]] = {
    "chat": ([{"role": "user", "content": "x", "at": "long ago"}, {"role": "user", "content": "ok"}], "message 1, at"),
    "chatgpt": ([{"mapping": 1}, json.loads(_example("chatgpt"))[0]], "message 1 is no conversation"),
    "claude": (
        [{"chat_messages": [{"sender": "dog", "text": "x"}, {"sender": "human", "text": "ok"}]}],
        "its message 1",
    ),
    "langgraph": ([{"key": "k"}, {"namespace": ["n"], "key": "k", "value": {"text": "ok"}}], "message 1 is no item"),
    "mem0": ({"results": [{"id": 1}, {"id": "m", "memory": "ok"}]}, "memory 1 is no memory"),
    "slack": ([{"type": "x"}, {"type": "message", "ts": "1.5", "user": "u", "text": "ok"}], "message 1 is no message"),
    "zep": ({"edges": [{"uuid": "d"}], "episodes": [{"content": "ok", "valid_at": "2026-05-01"}]}, "edge 1"),
    "mcp-memory": (
        [{"type": "entity"}, {"type": "relation", "from": "a", "to": "b", "relationType": "r"}],
        "message 1",
    ),
    "agent-memory-server": (
        [{"session_id": "s", "messages": [{"role": "dog", "content": "x"}, {"role": "user", "content": "ok"}]}],
        "its message 1",
    ),
}


@pytest.mark.parametrize("format", BAD)
def test_a_bad_entry_is_named_and_the_others_are_read(tmp_path: Path, format: Format) -> None:
    document, where = BAD[format]
    path = _file(tmp_path, format, json.dumps(document))
    wrong: list[str] = []
    found = list(items(path, format, skip=lambda error: wrong.append(str(error))))
    assert len(found) == 1
    assert len(wrong) == 1
    assert where in wrong[0]
    with pytest.raises(ValidationFailed, match=re.escape(where)):
        list(items(path, format))


def test_the_branch_that_chatgpt_shows_is_read(tmp_path: Path) -> None:
    def node(parent: str | None, text: str | None, role: str = "user") -> dict[str, Any]:
        message = None if text is None else {"author": {"role": role}, "content": {"parts": [text]}, "id": text}
        return {"parent": parent, "message": message}

    mapping = {
        "root": node(None, None),
        "sys": node("root", "be kind", "system"),
        "q": node("sys", "old question"),
        "q2": node("sys", "new question"),
        "a": node("q", "old answer", "assistant"),
        "a2": node("q2", "new answer", "assistant"),
    }
    path = _file(tmp_path, "chatgpt", json.dumps([{"id": "c", "mapping": mapping, "current_node": "a2"}]))
    assert [content for _, content, _ in _said(list(items(path, "chatgpt")))] == ["new question", "new answer"]


def test_a_folder_of_slack_is_read_with_its_names_and_threads(tmp_path: Path) -> None:
    (tmp_path / "general").mkdir()
    users = [{"id": "U1", "profile": {"real_name": "Ana"}}, {"id": "U2", "name": "ben"}]
    (tmp_path / "users.json").write_text(json.dumps(users))
    messages = [
        {
            "type": "message",
            "user": "U1",
            "ts": "1714560000.000100",
            "text": "hi <@U2>, see <https://x.org|this> &amp; that",
        },
        {"type": "message", "user": "U2", "ts": "1714560001.0", "thread_ts": "1714560000.000100", "text": "ok"},
        {"type": "message", "subtype": "channel_join", "user": "U2", "ts": "1714560002.0", "text": "joined"},
    ]
    (tmp_path / "general" / "2024-05-01.json").write_text(json.dumps(messages))
    assert guess(tmp_path) == "slack"
    found = list(items(tmp_path, "slack"))
    assert [(sender, content) for sender, content, _ in _said(found)] == [
        ("Ana", "hi ben, see this & that"),
        ("ben", "ok"),
    ]
    assert [one.session for one in found if isinstance(one, Turn)] == [
        "general/2024-05-01",
        "general/1714560000.000100",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("12/31/25, 11:59 PM - Ana: hi\n1/2/26, 12:01 AM - Ana: ho", ["2025-12-31T23:59", "2026-01-02T00:01"]),
        ("31.12.25, 23:59 - Ana: hi\n02.01.26, 00:01 - Ana: ho", ["2025-12-31T23:59", "2026-01-02T00:01"]),
        ("[2025-12-31, 23:59:10] Ana: hi\n[2026-01-02, 00:01:10] Ana: ho", ["2025-12-31T23:59", "2026-01-02T00:01"]),
        ("‎[01/02/26, 7:05:10\u202fPM] ‎Ana: hi", ["2026-02-01T19:05"]),
    ],
)
def test_the_times_of_whatsapp(tmp_path: Path, lines: str, expected: list[str]) -> None:
    path = _file(tmp_path, "whatsapp", lines)
    assert guess(path) == "whatsapp"
    said = _said(list(items(path, "whatsapp")))
    assert [f"{at:%Y-%m-%dT%H:%M}" for _, _, at in said if at] == expected
    assert {sender for sender, _, _ in said} == {"Ana"}


def test_whatsapp_keeps_lines_together_and_leaves_its_own_words_out(tmp_path: Path) -> None:
    text = (
        "[01/05/2026, 12:00] Messages are encrypted.\n[01/05/2026, 12:01] Ana: one\ntwo: three\n"
        "[01/05/2026, 12:02] Ben: <Media omitted>"
    )
    assert [content for _, content, _ in _said(list(items(_file(tmp_path, "whatsapp", text), "whatsapp")))] == [
        "one\ntwo: three"
    ]


def test_notes_of_a_folder_are_read_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "plain.md").write_text("# Plain\n\nNothing above.")
    (tmp_path / "dated.md").write_text("---\ndate: 2026-05-01T12:00:00Z\ntags: [a, b]\nid: note-1\n---\nA body.")
    (tmp_path / "broken.md").write_text("---\n: [\n---\nA body.")
    wrong: list[str] = []
    assert guess(tmp_path) == "markdown"
    found = [
        one for one in items(tmp_path, "markdown", skip=lambda error: wrong.append(str(error))) if isinstance(one, Turn)
    ]
    assert [(one.message.message_id, one.message.content) for one in found] == [
        ("note-1", "A body."),
        ("deep/plain", "# Plain\n\nNothing above."),
    ]
    assert found[0].message.metadata["tags"] == ["a", "b"]
    assert found[0].message.at == NOON
    assert "broken" in wrong[0]


@pytest.mark.parametrize("text", ["", "nothing of note", '{"a": 1}', "[1, 2]", "[]", "null"])
def test_what_is_like_no_format_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValidationFailed, match="name one of"):
        guess(_file(tmp_path, "other", text))


_NAMES = (
    *("mapping", "message", "content", "parts", "author", "role", "chat_messages", "text", "sender", "ts", "type"),
    *("user", "memory", "id", "results", "key", "value", "namespace", "episodes", "edges", "nodes", "uuid", "name"),
    *("entity", "observations", "session_id", "messages", "memories", "created_at"),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_NAMES),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@trials(max_examples=150, deadline=None)
@given(document=_JSON, format=st.sampled_from(get_args(Format)))
def test_any_document_is_read_or_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, document: Any, format: Format
) -> None:
    path = _file(tmp_path_factory.mktemp("any"), format, json.dumps(document))
    try:
        found = list(items(path, format, skip=lambda _: None))
    except ValidationFailed:
        return
    assert all(isinstance(one, Item) for one in found)
