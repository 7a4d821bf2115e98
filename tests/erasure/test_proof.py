"""The proof of an erasure finds what was learned, of any erasure, and excuses what somebody said elsewhere."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines import consolidate, ingest, topics
from reverie.store import nicknames

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory(settings: Settings, namespace: str) -> Iterator[Memory]:
    with Memory(namespace, settings=settings, embedder=WordEmbedder()) as opened:
        yield opened


def say(memory: Memory, content: str, minute: int = 0, sender: str = "Ana", session: str = "s-1") -> str:
    at = NOON + timedelta(minutes=minute)
    id = memory.agent("assistant").session(session).observe(sender=sender, content=content, at=at).message_id
    ingest.ingest(memory.ctx, [id])
    topics.count(memory.ctx, [id])
    consolidate.consolidate(memory.ctx, "assistant")
    return id


def test_the_same_sentence_in_another_session_stays_and_is_named(memory: Memory) -> None:
    one = say(memory, "I play the quokkaphone in Lyon.")
    other = say(memory, "I play the quokkaphone in Lyon.", 1, session="s-2")

    report = memory.forget(message=one, verify=True)

    assert report.verified, report.traces
    assert [(one.kind, one.id) for one in report.elsewhere] == [("message", other)]
    assert "another message" in report.elsewhere[0].why
    assert memory.agent("assistant").recall("quokkaphone").items
    last = memory.forget(message=other, verify=True)
    assert (last.verified, last.elsewhere) == (True, ())


def test_what_an_agent_wrote_down_in_the_same_words_is_named(memory: Memory) -> None:
    text = "my locker code is quokka four seven"
    id = say(memory, text)
    goal = memory.agent("assistant").goals.create(title="Remember this", description=f"Ana: {text}")

    report = memory.forget(message=id, verify=True)

    assert (report.verified, [(one.kind, one.id) for one in report.elsewhere]) == (True, [("goal", goal.goal_id)])


def test_a_nickname_goes_with_the_message_that_gave_it(memory: Memory) -> None:
    say(memory, "Ana and I met in Lyon.", sender="Bob")
    say(memory, "I live in Lyon.", 1)
    id = say(memory, "My friends call me Nickzq.", 2)

    report = memory.forget(message=id, verify=True)

    assert report.verified, report.traces
    assert nicknames.given(memory.ctx.ns) == []


@pytest.mark.parametrize("left", ["observation", "fact", "entity", "row", "nickname"])
def test_a_later_proof_finds_what_an_earlier_erasure_left(memory: Memory, left: str) -> None:
    """Whatever it was that could not be removed then: nothing stands behind it any more."""
    id = say(memory, "I work at Zyxcorp with Quentin.")
    say(memory, "I like tea.", 1)
    ns = memory.ctx.ns
    pattern = f"rvr*{{{ns.keys.tag}}}:*" if left == "row" else f"rv:{{{ns.keys.tag}}}:{left}*"
    kept = {key: ns.client.dump(key) for key in ns.client.scan_iter(match=pattern)}
    if left == "nickname":
        transaction = ns.transaction()
        nicknames.give(transaction, nicknames.Given("Nickzq", "Ana", "Ana", id))
        memory.forget(message=id)
        transaction.commit()
    else:
        memory.forget(message=id)
    for key, value in kept.items():
        if not ns.client.exists(key):
            ns.client.restore(key, 0, value)

    report = memory.forget(message="another", verify=True)

    assert report.verified is False
    assert report.traces
