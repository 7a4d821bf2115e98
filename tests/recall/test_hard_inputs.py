"""Long messages, hostile ids, a small namespace beside a large one, and what only one agent may see."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie import Memory
from reverie.config.settings import Settings
from reverie.pipelines.ingest import ingest
from reverie.store import recalled
from reverie.store.hits import read, similarities
from reverie.store.rows import Row
from reverie.store.search import Filter, Search, find

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_very_long_message_is_found_by_its_last_sentence(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    filler = " ".join(f"filler{number % 997}" for number in range(50_000))
    last = "The safe combination is kept inside the walnut clock."
    wanted = agent.session("s").observe(sender="ana", content=f"{filler} {last}")
    agent.session("s").observe(sender="bob", content="Noted.")

    def found() -> str:
        bundle = agent.recall("Where is the safe combination kept, in the walnut clock?", token_budget=1500)
        assert wanted.message_id in bundle.items[0].sources
        assert bundle.total_tokens <= 1500
        return bundle.items[0].content

    assert last in found()
    ingest(quick_memory.ctx, [wanted.message_id])
    assert last in found()


def test_a_very_long_message_is_found_among_many_before_any_worker_ran(memory: Memory) -> None:
    agent = memory.agent("assistant")
    agent.session("n").observe_many(
        [{"sender": "bob", "content": f"Combination {number} is kept in a clock."} for number in range(60)]
    )
    filler = " ".join(f"filler{number % 997}" for number in range(20_000))
    wanted = agent.session("s").observe(sender="ana", content=f"{filler} The combination is kept in Zanzibar. {filler}")
    items = agent.recall("Is the combination kept in Zanzibar?").items
    assert ["kept in Zanzibar" in item.content for item in items if wanted.message_id in item.sources] == [True]


def test_an_artifact_is_found_by_what_stands_in_its_middle(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s").observe(sender="ana", content="The log of the build is long.")
    lines = [f"line {number} of the log: all is well" for number in range(1000)]
    lines[500] = "the quagga exploded"
    done = agent.record_action(action_type="shell", input={"cmd": "build"}, output="\n".join(lines))
    bundle = agent.recall("Did the quagga explode in the log?", limit=3)
    item = next(item for item in bundle.items if item.kind == "artifact")
    assert item.id == done.overflow_artifact
    assert "the quagga exploded" in item.content
    artifact = agent.artifact(item.id)
    assert artifact is not None
    assert artifact.action_id == done.action_id
    assert quick_memory.agent("other").recall("Did the quagga explode?", kinds=["artifact"]).items == ()


@pytest.mark.parametrize(
    "who", ["550e8400-e29b-41d4-a716-446655440000", "alice", "Alice", "bob,carol", "a|b", "{x}", "*", "../x", "咖啡"]
)
def test_any_id_may_stand_in_a_bound(quick_memory: Memory, who: str) -> None:
    agent = quick_memory.agent("assistant")
    agent.session(who).observe(sender=who, content="violet curtains", message_id="mine")
    agent.session("other").observe(sender=f"{who}2", content="violet curtains", message_id="theirs")
    for bounds in ({"participants": [who]}, {"sessions": [who]}):
        assert [item.id for item in agent.recall("curtains", **bounds).items] == ["mine"]


def test_a_small_namespace_finds_its_exact_neighbours_beside_a_large_one(settings: Settings, namespace: str) -> None:
    random = np.random.default_rng(5)

    def unit(count: int) -> np.ndarray:
        vectors = random.normal(size=(count, 384)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    with Memory(namespace, settings=settings) as small, Memory(f"{namespace}-large", settings=settings) as large:
        for memory, count in ((small, 50), (large, 3000)):
            for start in range(0, count, 500):
                transaction = memory.ctx.ns.transaction()
                for place, vector in enumerate(unit(min(500, count - start)), start):
                    transaction.row(Row("message", f"m-{place}", f"note {place}", NOON, vector))
                assert transaction.commit().committed
        ns, everything = small.ctx.ns, Filter("assistant")
        rows = read(ns, find(ns, [Search(everything, 100)])[0].keys)
        assert len(rows) == 50
        for query in unit(20):
            exact = [rows[place].key for place in np.argsort(-similarities(rows, query))[:10]]
            found = find(ns, [Search(everything, 10, vector=query)])[0].keys
            assert set(found) == set(exact)


def test_what_one_agent_did_is_not_recalled_by_another(quick_memory: Memory) -> None:
    quick_memory.agent("assistant").record_episode(action_type="deploy", state={"topic": "violet curtains rollout"})
    assert quick_memory.agent("assistant").recall("violet curtains rollout").items[0].kind == "episode"
    assert quick_memory.agent("other").recall("violet curtains rollout").items == ()


def test_facts_are_current_unless_asked(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    lives = {"subject": "Ana", "predicate": "lives in"}
    agent.assert_fact(**lives, object="Lyon", valid_from=NOON)
    agent.assert_fact(**lives, object="Lisbon", valid_from=NOON + timedelta(days=30))

    def found(**bounds: object) -> list[str]:
        items = agent.recall(
            "Where does Ana live, which city?", kinds=["fact"], at=NOON + timedelta(days=60), **bounds
        ).items
        return [item.content for item in items]

    assert [text for text in found() if "Lyon" in text] == []
    assert any("Lisbon" in text for text in found())
    assert any("Lyon" in text for text in found(valid_as_of=NOON + timedelta(days=1)))


def test_what_was_recalled_is_remembered_as_such(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    written = agent.session("s").observe(sender="ana", content="violet curtains")
    before = quick_memory.ctx.clock()
    agent.recall("curtains")
    echoes = recalled.between(quick_memory.ctx.ns, "assistant", before, quick_memory.ctx.clock())
    assert [(echo.kind, echo.id) for echo in echoes] == [("message", written.message_id)]


def test_a_word_asked_for_in_vain_is_found_once_it_is_written(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s").observe(sender="bob", content="Nothing of note.")
    assert agent.recall("violet", channels=("text",)).items == ()
    written = agent.session("s").observe(sender="ana", content="violet curtains")
    assert [item.id for item in agent.recall("violet", channels=("text",)).items] == [written.message_id]


def test_near_repeats_are_one_item(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    for place in range(6):
        agent.session(f"s-{place}").observe(sender="ana", content="The violet curtains hang in the hall now.")
    agent.session("x").observe(sender="ana", content="The violet lamp broke.")
    bundle = agent.recall("violet curtains hall")
    assert sum("curtains" in item.content for item in bundle.items) == 1
    assert len(bundle.trace.reasons[0].joined) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The indigo server is up", "The indigo server is not up"),
        ("bob owes ana ten indigo coins", "ana owes bob ten indigo coins"),
        (
            "Payment of the indigo invoice to the supplier was confirmed on 3 May by the bank",
            "Payment of the indigo invoice to the supplier was confirmed on 9 May by the bank",
        ),
    ],
)
def test_what_contradicts_is_no_repeat(quick_memory: Memory, one: str, other: str) -> None:
    agent = quick_memory.agent("assistant")
    for place, said in enumerate((one, other, one)):
        agent.session(f"s-{place}").observe(sender="ana", content=said, message_id=f"m-{place}")
    assert len(agent.recall("indigo").items) == 2


def test_messages_side_by_side_are_one_item_in_their_order(quick_memory: Memory) -> None:
    session = quick_memory.agent("assistant").session("s")
    asked = session.observe(sender="bob", content="Where did the violet curtains come from?")
    told = session.observe(sender="ana", content="My aunt sewed them.")
    item = quick_memory.agent("assistant").recall("Who made the violet curtains?").items[0]
    assert item.content == "bob: Where did the violet curtains come from?\nana: My aunt sewed them."
    assert item.sources == (asked.message_id, told.message_id)


def test_the_graph_reaches_what_no_word_does(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    told = agent.session("s").observe(sender="ana", content="The violet curtains arrived.", message_id="m-1")
    agent.add_observation(message_id=told.message_id, content="Delivery complete", subject="order")
    bundle = agent.recall("violet curtains", channels=("text", "graph"))
    found = {reason.id: reason.channels for reason in bundle.trace.reasons}
    joined = {id for reason in bundle.trace.reasons for id in reason.joined}
    assert "graph" in found["m-1"]
    reached = [reason for reason in bundle.trace.reasons if reason.kind == "observation"]
    assert reached or len(joined) == 1
    assert all(set(reason.channels) == {"graph"} for reason in reached)


def test_the_graph_keeps_to_the_bounds(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    agent.session("s").observe(sender="ana", content="The violet curtains arrived.", message_id="m-1")
    agent.add_observation(message_id="m-1", content="Delivery complete", subject="order")
    bundle = agent.recall("violet curtains", channels=("text", "graph"), kinds=["message"])
    assert {item.kind for item in bundle.items} == {"message"}
