"""What is left of a history, whatever is forgotten of it, is what a memory holds that never heard it."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from conftest import WordEmbedder
from hypothesis import HealthCheck, example, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from reverie import Memory
from reverie.config.errors import ModelFailed
from reverie.config.settings import Settings
from reverie.models.embedders import Vectors
from reverie.pipelines import consolidate, facts, ingest, topics
from reverie.pipelines.entities import entities
from reverie.pipelines.graph import learning
from reverie.store import contents, work
from reverie.store.analysis import keywords
from reverie.store.records.activity import ActionRecord, EpisodeRecord
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import ObservationRecord

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
PLACES = ("Qwarkville", "Zyxtown", "Vloom")
TEMPLATES = ("I live in {}.", "I moved to {}.", "I no longer live in {}.", "I work at {}.", "I like {}.")
TEXTS = (
    *(template.format(place) for template in TEMPLATES for place in PLACES),
    "My friends call me Nickzq.",
    "My friends call me Brzl.",
    "Nickzq lives in Vloom.",
    "Nickzq works at Zyxtown with Brzl.",
    "I met Nickzq in Qwarkville.",
)


@dataclass(frozen=True)
class Event:
    """A message, and what the agent did because of it."""

    text: str
    sender: str
    session: str
    deed: str = "none"
    consolidated: bool = True


EVENTS = st.builds(
    Event,
    st.sampled_from(TEXTS),
    st.sampled_from(("Ana", "Bob")),
    st.sampled_from(("s-1", "s-2")),
    st.sampled_from(("none", "none", "action", "episode")),
    st.booleans(),
)


def live(memory: Memory, events: list[tuple[int, Event]]) -> None:
    """Let a memory hear these events, each with its number in the whole history."""
    agent = memory.agent("assistant")
    for number, one in events:
        session, at = agent.session(one.session), START + timedelta(days=number)
        id = session.observe(sender=one.sender, content=one.text, at=at, message_id=f"m-{number}").message_id
        ingest.ingest(memory.ctx, [id])
        topics.count(memory.ctx, [id])
        learning.learn(memory.ctx, [id])
        noted = {"text": f"{one.sender} said: {one.text} deed{number}word"}
        if one.deed == "action":
            agent.record_action(
                action_type="note", action_id=f"a-{number}", input=noted, triggered_by_message_id=id, started_at=at
            )
        if one.deed == "episode":
            agent.record_episode(
                action_type="note", episode_id=f"e-{number}", state=noted, triggered_by_message_id=id, at=at
            )
        if one.consolidated:
            consolidate.consolidate(memory.ctx, "assistant")
    consolidate.consolidate(memory.ctx, "assistant")


def held(memory: Memory) -> dict[str, object]:
    """All that a memory knows, but for when the machine worked it out and by which of its runs.

    Left out with that are the retired versions of facts: what was believed at which moment of the machine follows from
    when the cycles ran, and they run anew after an erasure.
    """
    ctx = memory.ctx
    found: dict[str, object] = {
        "facts": sorted(
            (one.fact_id, one.content, one.valid_from, str(one.valid_to), one.confidence, one.source,
             sorted(one.observations), sorted(one.messages), sorted(one.participants))
            for record in facts.records(ctx.ns)
            for one in facts.history(ctx.ns, record.id)
            if one.retired_at is None
        ),
        "entities": sorted((one.name, one.type, one.aliases) for one in entities(ctx.ns)),
    }  # fmt: skip
    for model, fields in (
        (MessageRecord, ("id", "content", "sender", "session")),
        (ObservationRecord, ("id", "content", "subject", "predicate", "object", "message")),
        (ActionRecord, ("id", "input")),
        (EpisodeRecord, ("id", "text")),
    ):
        base = ctx.ns.keys.record(model.kind, "x")[:-1].encode()
        documents = [
            json.loads(one.document.strip(b"[]") if one.document[:1] == b"[" else one.document)
            for one in contents.contents(ctx.ns)
            if one.document is not None and one.whole.startswith(base)
        ]
        found[model.kind] = sorted(tuple(str(one.get(name)) for name in fields) for one in documents)
    graphs = [(user, memory.graph(app="assistant", user=user).read_graph()) for user in ("Ana", "Bob")]
    found["graphs"] = sorted(
        (user, entity.name, one.text, one.valid_from, one.valid_to, sorted(one.sources))
        for user, view in graphs
        for entity in view.entities
        for one in entity.observations
    )
    found["relations"] = sorted(
        (user, one.source, one.relation_type, one.target, one.valid_from, one.valid_to)
        for user, view in graphs
        for one in view.relations
    )
    found["rows"] = sorted(
        (one.key.decode(), one.fields[b"text"].decode(), one.fields[b"t"].decode(), one.fields.get(b"c", b"").decode())
        for one in contents.contents(ctx.ns)
        if one.is_row and not one.key.startswith((b"fact:", b"topic:"))
    )
    found["recall"] = {
        query: sorted((one.kind, one.content) for one in memory.agent("assistant").recall(query).items)
        for query in ("Where does Ana live?", "Zyxtown", "deed")
    }
    return found


def words_of(memory: Memory) -> set[str]:
    """Every word in any key or value of the namespace, whatever its type."""
    found: set[str] = set()
    for one in contents.contents(memory.ctx.ns):
        for part in (one.whole, *one.fields.keys(), *one.fields.values(), *one.values):
            found |= set(keywords(part.decode("utf-8", "replace")))
    return found


def forget_and_compare(settings: Settings, events: list[Event], scope: str, name: str) -> None:
    numbered = list(enumerate(events))
    gone = [
        (number, one) for number, one in numbered
        if name == {"message": f"m-{number}", "session": one.session, "participant": one.sender}[scope]
    ]  # fmt: skip
    kept = [pair for pair in numbered if pair not in gone]
    run = uuid.uuid4().hex
    learning_graphs = settings.model_copy(update={"graph_learns": True})
    with (
        Memory(f"heard-{run}", settings=learning_graphs, embedder=WordEmbedder()) as heard,
        Memory(f"never-{run}", settings=learning_graphs, embedder=WordEmbedder()) as never,
    ):
        live(heard, numbered)
        live(never, kept)

        report = heard.forget(**{scope: name}, verify=True)

        assert report.verified, (report.traces, scope, name)
        now, wanted = held(heard), held(never)
        for kind in wanted:
            assert now[kind] == wanted[kind], kind
        told = {word for _, one in kept for word in keywords(one.text)}
        unique = {word for number, one in gone for word in (*keywords(one.text), f"deed{number}word")} - told
        telling = unique & {word for text in (*PLACES, "Nickzq", "Brzl") for word in keywords(text)}
        telling |= {word for word in unique if word.startswith("deed")}
        assert telling & words_of(heard) == set()
        for memory in (heard, never):
            memory.forget(namespace=memory.namespace, verify=True)
            assert list(contents.keys(memory.ctx.ns)) == []


@pytest.mark.parametrize("scope", ["message", "session", "participant"])
def test_what_is_left_is_what_a_memory_holds_that_never_heard_the_forgotten(settings: Settings, scope: str) -> None:
    names = {"message": [f"m-{n}" for n in range(4)], "session": ["s-1", "s-2"], "participant": ["Ana", "Bob"]}[scope]

    @trials(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    @given(st.lists(EVENTS, min_size=2, max_size=4), st.sampled_from(names))
    @example(
        [
            Event("I live in Qwarkville.", "Ana", "s-1"),
            Event("I moved to Zyxtown.", "Ana", "s-2", "action"),
            Event("My friends call me Nickzq.", "Ana", "s-2", "episode"),
            Event("I like Vloom.", "Bob", "s-1"),
        ],
        names[1],
    )
    def holds(events: list[Event], name: str) -> None:
        forget_and_compare(settings, events, scope, name)

    holds()


@pytest.mark.parametrize(
    "used",
    [
        "Nickzq lives in Vloom.",
        "I met Nickzq in Qwarkville.",
        "Nickzq is my brother.",
        "Nickzq said: I like Vloom.",
        "I like Nickzq.",
    ],
)
@pytest.mark.parametrize("sender", ["Ana", "Bob"])
def test_what_was_said_under_an_erased_nickname_is_read_anew(settings: Settings, used: str, sender: str) -> None:
    events = [
        Event("My friends call me Nickzq.", "Ana", "s-1"),
        Event(used, sender, "s-2"),
        Event("Nickzq no longer lives in Vloom.", "Bob", "s-2"),
    ]
    forget_and_compare(settings, events, "message", "m-0")


class Failing(WordEmbedder):
    """Fails as long as it is told to."""

    fails = False

    def documents(self, texts: Sequence[str]) -> Vectors:
        if self.fails:
            raise ModelFailed("the embedder is out")
        return super().documents(texts)


def test_what_cannot_be_read_anew_at_once_is_left_to_the_workers(settings: Settings, namespace: str) -> None:
    embedder = Failing()
    given, used = Event("My friends call me Nickzq.", "Ana", "s-1"), Event("Nickzq lives in Vloom.", "Bob", "s-2")
    with Memory(namespace, settings=settings, embedder=embedder) as memory:
        live(memory, [(0, given), (1, used)])
        assert [one.subject for one in memory.facts(predicate="live in")] == ["Ana"]
        embedder.fails = True
        assert memory.forget(message="m-0", verify=True).verified
        embedder.fails = False

        assert memory.facts(predicate="live in") == []
        assert work.entries(memory.ctx.ns, ingest.TOPIC) == ["m-1"]
        ingest.ingest(memory.ctx, ["m-1"])
        consolidate.consolidate(memory.ctx, "assistant")
        assert [one.subject for one in memory.facts(predicate="live in")] == ["Nickzq"]
