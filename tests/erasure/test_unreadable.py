"""A record that cannot be read lies in the way of no erasure: what is known of it by its key and its edges goes too."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory, RecordUnreadable
from reverie.config.settings import Settings
from reverie.pipelines import consolidate, erasure, ingest, summaries, topics
from reverie.store import contents, stats

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SAID = (
    "I live in Qwarkville.",
    "My friends call me Nickzq.",
    "I work at Zyxcorp with Quentin.",
    "I moved to Vloomtown. " + "It is long to tell of the quokkaphone. " * 80,
)
OWN_WORDS = ("qwarkville", "nickzq", "zyxcorp", "quentin", "vloomtown", "quokkaphone")
KINDS = (
    "action", "artifact", "chunk", "cycle", "entity", "episode", "fact", "graph_entity", "graph_observation",
    "graph_turn", "message", "observation", "participant", "session", "summary",
)  # fmt: skip
SCOPES = ({"message": "m-0"}, {"episode": "e"}, {"action": "act"}, {"session": "s"}, {"user": "Ana"})


@pytest.fixture
def memory(settings: Settings, namespace: str, caplog: pytest.LogCaptureFixture) -> Iterator[Memory]:
    """What Ana said and what was made of it, each kind of record at least once."""
    caplog.set_level(logging.ERROR)
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as opened:
        agent = opened.agent("assistant")
        for number, text in enumerate(SAID):
            at = NOON + timedelta(minutes=number)
            agent.session("s").observe(sender="Ana", content=text, message_id=f"m-{number}", at=at)
            ingest.ingest(opened.ctx, [f"m-{number}"])
            topics.count(opened.ctx, [f"m-{number}"])
        agent.record_action(
            "note", action_id="act", output="Qwarkville " * 400, triggered_by_message_id="m-0", session_id="s"
        )
        agent.record_episode("note", episode_id="e", state={"topic": "Qwarkville"}, triggered_by_message_id="m-0")
        consolidate.consolidate(opened.ctx, "assistant")
        summaries.summarize(opened.ctx, "s")
        graph = opened.graph(app="app", user="Ana")
        graph.create_entities([{"name": "Ana", "observations": ["lives in Qwarkville"]}])
        graph.add_session(["I live in Qwarkville"])
        yield opened


def spoil(memory: Memory, kind: str, path: str, value: str) -> int:
    """Make every record of a kind one that cannot be read; how many."""
    ns = memory.ctx.ns
    keys = [one.whole for one in contents.contents(ns) if one.document and one.key.startswith(f"{kind}:".encode())]
    for key in keys:
        ns.client.execute_command("JSON.SET", key, path, value)
    return len(keys)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("path", "value"), [("$.recorded_at", '"never"'), ("$", '"nothing"')])
def test_what_cannot_be_read_goes_with_what_it_belongs_to(memory: Memory, kind: str, path: str, value: str) -> None:
    assert spoil(memory, kind, path, value)
    memory.agent("assistant").recall("Qwarkville")  # sets aside what it meets

    assert erasure.extent(memory.ctx, "user", "Ana")
    report = memory.forget(user="Ana", verify=True)

    assert report.verified, report.traces
    held = b" ".join(
        part.lower()
        for one in contents.contents(memory.ctx.ns)
        for part in (one.whole, *one.fields.values(), *one.values, one.document or b"")
    )
    assert [word for word in OWN_WORDS if word.encode() in held] == []
    assert stats.unreadable_records(memory.ctx.ns) == []


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: next(iter(scope)))
@pytest.mark.parametrize(("path", "value"), [("$.recorded_at", "[]"), ("$", "[1]")])
def test_each_scope_reaches_what_cannot_be_read(memory: Memory, scope: dict[str, str], path: str, value: str) -> None:
    (kind, id), ns = next(iter(scope.items())), memory.ctx.ns
    kind = {"user": "participant"}.get(kind, kind)
    ns.client.execute_command("JSON.SET", ns.keys.record(kind, id), path, value)

    report = memory.forget(**scope, verify=True)  # type: ignore[arg-type]

    assert report.verified, report.traces
    assert report.erased[kind] >= 1
    assert not ns.client.exists(ns.keys.record(kind, id))


def test_elsewhere_it_is_named_and_left_as_it_is(memory: Memory) -> None:
    spoil(memory, "episode", "$", '"nothing"')
    with pytest.raises(RecordUnreadable, match="the episode 'e' cannot be read"):
        memory.agent("assistant").episode("e")
    assert memory.ctx.ns.documents("episode", ["e"]) == [b'"nothing"']
