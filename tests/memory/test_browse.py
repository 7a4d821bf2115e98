"""Listing: pages that meet everything once, whatever is written and forgotten between them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from reverie import Agent, Browse, Memory, Page, ValidationFailed
from reverie.pipelines.context import Context
from reverie.store.commit import Transaction
from reverie.store.keys import SCHEMA
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord
from reverie.store.schema_version import STEPS
from reverie.testing import FixedClock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _walk(call: Callable[..., Page[Any]], **asked: Any) -> list[Any]:
    """The items of all pages."""
    found: list[Any] = []
    page = call(**asked)
    found += page.items
    while page.cursor is not None:
        page = call(**asked, cursor=page.cursor)
        found += page.items
    return found


@pytest.fixture
def browse(fake_ctx: Context) -> Browse:
    """Six messages of two people in two sessions, two facts, two episodes."""
    agent = Agent(fake_ctx, "bot")
    for number in range(6):
        agent.session("work" if number % 3 else "home").observe(
            "ana" if number % 2 else "bob",
            f"message {number}",
            f"m-{number}",
            at=NOON + timedelta(minutes=number // 2),
            role="assistant" if number == 5 else "user",
            metadata={"channel": "mail", "urgent": number == 3},
        )
    agent.record_episode("build", episode_id="e-0", outcome="success", at=NOON)
    agent.record_episode("deploy", episode_id="e-1", outcome="failure", at=NOON + timedelta(minutes=5))
    agent.assert_fact("Ana", "plays", "chess", source="user")
    agent.assert_fact("Ana", "lives in", "Bath", source="model")
    agent.assert_fact("Ana", "lives in", "Lyon", source="user")
    return Browse(fake_ctx)


@pytest.mark.parametrize("limit", [1, 2, 5, 50])
@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_meet_every_message_once_in_order_of_time(browse: Browse, limit: int, newest_first: bool) -> None:
    found = [one.message_id for one in _walk(browse.messages, limit=limit, newest_first=newest_first)]
    assert found == sorted((f"m-{number}" for number in range(6)), reverse=newest_first)
    assert browse.messages(limit=limit).total == 6


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({"session": "home"}, [0, 3]),
        ({"participant": "ana"}, [1, 3, 5]),
        ({"session": "work", "participant": "ana"}, [1, 5]),
        ({"role": "assistant"}, [5]),
        ({"agent": "bot", "content_type": "text"}, range(6)),
        ({"agent": "nobody"}, []),
        ({"metadata": {"urgent": True}}, [3]),
        ({"metadata": {"urgent": 1}}, []),
        ({"metadata": {"channel": "mail", "urgent": False}, "participant": "ana"}, [1, 5]),
        ({"since": NOON + timedelta(minutes=1)}, [2, 3, 4, 5]),
        ({"until": NOON + timedelta(minutes=1)}, [0, 1]),
        ({"since": NOON, "until": NOON + timedelta(minutes=2), "session": "work"}, [1, 2]),
    ],
)
def test_messages_are_filtered(browse: Browse, asked: dict[str, Any], numbers: list[int]) -> None:
    wanted = [f"m-{number}" for number in numbers]
    for limit in (1, 50):
        assert [one.message_id for one in _walk(browse.messages, limit=limit, **asked)] == wanted
    assert browse.messages(count=True, limit=1, **asked).total == len(wanted)


def test_a_message_is_shown_with_the_gap_before_it(browse: Browse) -> None:
    gaps = {one.message_id: one.gap for one in browse.messages(limit=50).items}
    assert gaps == {"m-0": None, "m-1": None, "m-2": 60.0, "m-3": 60.0, "m-4": 60.0, "m-5": 0.0}


def test_facts_are_filtered(browse: Browse) -> None:
    def objects(**asked: Any) -> list[str | None]:
        return [one.object for one in _walk(browse.facts, limit=1, **asked)]

    assert objects() == ["chess", "Lyon"]
    assert objects(current=False) == ["chess", "Bath", "Lyon"]
    assert objects(predicate="LIVES in", current=False) == ["Bath", "Lyon"]
    assert objects(subject="ana", object="lyon") == ["Lyon"]
    assert objects(source="model", current=False) == ["Bath"]
    assert objects(participant="ana") == []
    assert objects(message="m-0") == []
    assert browse.facts(current=False).total == 3
    assert browse.facts().total is None
    assert browse.facts(count=True).total == 2


def test_facts_are_found_by_who_said_them_and_in_which_message(fake_ctx: Context) -> None:
    agent, browse = Agent(fake_ctx, "bot"), Browse(fake_ctx)
    agent.session("s").observe("ana", "I play chess and tennis.", "m")
    seen = agent.add_observation("m", "Ana plays chess.", subject="Ana", predicate="plays", object="chess")
    agent.assert_fact("Ana", "plays", "chess", supporting_observation_ids=[seen.observation_id])
    agent.assert_fact("Ana", "plays", "tennis")
    for asked in ({"participant": "ana"}, {"message": "m"}, {"participant": "ana", "message": "m", "subject": "Ana"}):
        assert [one.object for one in browse.facts(**asked).items] == ["chess"]  # type: ignore[arg-type]


def test_episodes_sessions_participants_and_namespaces(browse: Browse, fake_ctx: Context) -> None:
    assert [one.episode_id for one in _walk(browse.episodes, limit=1)] == ["e-0", "e-1"]
    assert [one.follows for one in browse.episodes().items] == [None, "e-0"]
    assert [one.follows for one in browse.episodes(outcome="failure").items] == ["e-0"]
    assert browse.episodes(agent="somebody").items == ()

    sessions = {one.session_id: one for one in _walk(browse.sessions, limit=1)}
    assert {name: one.messages for name, one in sessions.items()} == {"home": 2, "work": 4}
    assert sessions["work"].first_at == NOON
    assert sessions["work"].last_at == NOON + timedelta(minutes=2)
    Agent(fake_ctx, "bot").session("home").close()
    assert [one.session_id for one in browse.sessions(open=True).items] == ["work"]
    closed = browse.sessions(open=False).items
    assert [one.session_id for one in closed] == ["home"]
    assert closed[0].closed_at is not None

    people = {one.participant_id: one.messages for one in _walk(browse.participants, limit=1)}
    assert people == {"ana": 3, "bob": 3, "bot": 0}
    counts = {"message": 6, "session": 2, "participant": 3, "episode": 2, "fact": 3}
    assert browse.counts() == counts
    assert [(one.namespace, one.counts) for one in browse.namespaces().items] == [(fake_ctx.namespace, counts)]
    assert browse.namespaces(prefix="other").items == ()


def test_entities_are_filtered(fake_ctx: Context, clock: FixedClock) -> None:
    for number, (name, type) in enumerate([("Ana", "person"), ("Bath", "place"), ("Bob", "person")]):
        transaction = fake_ctx.ns.transaction()
        transaction.put(EntityRecord.new(fake_ctx.ns, f"x-{number}", name=name, type=type, recorded_at=clock()))
        transaction.commit()
    browse = Browse(fake_ctx)
    assert [one.name for one in _walk(browse.entities, limit=1)] == ["Ana", "Bath", "Bob"]
    assert [one.name for one in _walk(browse.entities, limit=1, type="person")] == ["Ana", "Bob"]
    assert [one.name for one in browse.entities(name="BATH").items] == ["Bath"]


def test_a_cursor_is_of_one_listing_alone(browse: Browse) -> None:
    cursor = browse.messages(limit=1).cursor
    assert browse.messages(limit=3, cursor=cursor).items[0].message_id == "m-1"
    for call, asked in (
        (browse.messages, {"participant": "ana"}),
        (browse.messages, {"newest_first": True}),
        (browse.episodes, {}),
    ):
        with pytest.raises(ValidationFailed, match="cursor"):
            call(cursor=cursor, **asked)


@pytest.mark.parametrize("cursor", ["x", "", "bnVsbA", "WzEsMiwzXQ", "é", "[" * 9000])
def test_what_is_no_cursor_is_refused(browse: Browse, cursor: str) -> None:
    with pytest.raises(ValidationFailed, match="cursor"):
        browse.messages(cursor=cursor)


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": 0},
        {"limit": 1001},
        {"since": datetime(2026, 1, 1)},  # noqa: DTZ001  # naive on purpose
        {"since": NOON, "until": NOON},
        {"metadata": {"a": float("nan")}},
        {"session": ""},
    ],
)
def test_wrong_bounds_are_refused(browse: Browse, asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed):
        browse.messages(**asked)


_NAMES = count()
_STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "remove"]), st.integers(0, 3), st.integers(0, 30)), min_size=1, max_size=12
)


@examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    minutes=st.lists(st.integers(0, 3), max_size=20),
    between=st.lists(_STEPS, max_size=6),
    limit=st.integers(1, 4),
    newest_first=st.booleans(),
)
def test_what_is_there_all_the_while_is_met_once(
    fake_ctx: Context, minutes: list[int], between: list[Any], limit: int, newest_first: bool
) -> None:
    ns = fake_ctx.ns.beside(f"walk-{next(_NAMES)}")
    ctx = Context(ns, fake_ctx.settings, fake_ctx.embedder, fake_ctx.quick_embedder, fake_ctx.tokens)
    made = [_store(ctx, number, minute) for number, minute in enumerate(minutes)]
    standing, met = set(made), []
    page = Browse(ctx).messages(limit=limit, newest_first=newest_first)
    met += [one.message_id for one in page.items]
    waiting = list(between)
    while page.cursor is not None:
        for what, minute, place in waiting.pop(0) if waiting else []:
            if what == "write":
                made.append(_store(ctx, len(made), minute))
            elif made:
                gone = made[place % len(made)]
                standing.discard(gone)
                _remove(ctx, gone)
        page = Browse(ctx).messages(limit=limit, newest_first=newest_first, cursor=page.cursor)
        met += [one.message_id for one in page.items]
    assert len(met) == len(set(met))
    assert standing <= set(met)


def _store(ctx: Context, number: int, minute: int) -> str:
    at = NOON + timedelta(minutes=minute)
    record = MessageRecord.new(
        ctx.ns, f"m-{number}", session="s", agent="bot", sender="ana", content="x", at=at, recorded_at=at
    )
    transaction = ctx.ns.transaction()
    transaction.put(record)
    transaction.commit()
    return record.id


def _remove(ctx: Context, id: str) -> None:
    transaction: Transaction = ctx.ns.transaction()
    transaction.delete("message", id)
    transaction.commit()


def test_what_is_forgotten_is_listed_no_more(quick_memory: Memory) -> None:
    session = quick_memory.agent("bot").session("s")
    session.observe("ana", "hello", "m-1")
    session.observe("ana", "goodbye", "m-2")
    quick_memory.forget(message="m-1")
    page = quick_memory.browse.messages()
    assert ([one.message_id for one in page.items], page.total) == (["m-2"], 1)
    quick_memory.forget(participant="ana")
    assert quick_memory.browse.counts().get("message") is None


def test_stores_from_before_there_were_pages_are_brought_up_to_date(browse: Browse, fake_ctx: Context) -> None:
    before = [one.message_id for one in browse.messages().items], browse.counts()
    client, keys = fake_ctx.ns.client, fake_ctx.ns.keys
    client.delete(*client.keys(keys.every("*").replace("{", r"\{")))
    client.set(SCHEMA, 1)
    assert browse.messages().items == ()
    STEPS[1](client)
    STEPS[1](client)
    assert ([one.message_id for one in browse.messages().items], browse.counts()) == before
