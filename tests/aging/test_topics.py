"""Entities that are spoken of together."""

from datetime import UTC, datetime, timedelta

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import search

from reverie import Memory
from reverie.knowledge.ids import entity_id
from reverie.pipelines import ingest, topics
from reverie.pipelines.sweeps import Budget
from reverie.pipelines.topics.communities import Community, communities, matched
from reverie.store import topics as stored_topics
from reverie.store import work
from reverie.store.records.knowledge import EntityRecord
from reverie.store.search import Filter, Search

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MUSIC = ["Bach and Mozart were played in Vienna.", "In Vienna I heard Mozart and Haydn.", "Haydn knew Bach and Mozart."]
TRADE = ["Acme and Globex opened in Denver.", "Globex sold Initech to Acme.", "Initech moved to Denver with Acme."]


def tell(memory: Memory, lines: list[str], session: str) -> None:
    said = memory.agent("assistant").session(session)
    receipts = [
        said.observe(sender="reader", content=line, at=NOON + timedelta(minutes=place))
        for place, line in enumerate(lines)
    ]
    ingest.ingest(memory.ctx, [receipt.message_id for receipt in receipts])


def regroup(memory: Memory) -> None:
    ctx = memory.ctx
    while claims := work.claim(ctx.ns, topics.TOPIC, ctx.clock(), timedelta(minutes=1), 100)[0]:
        topics.count(ctx, [claim.entry for claim in claims])
    assert topics.regroup_changed(ctx, Budget(10_000, 60)).left == 0


def by_member(memory: Memory, name: str) -> topics.TopicView:
    found = [topic for topic in topics.topics(memory.ctx.ns) if name in topic.members]
    assert len(found) == 1, (name, topics.topics(memory.ctx.ns))
    return found[0]


def test_what_is_spoken_of_together_is_a_topic(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    tell(quick_memory, TRADE, "trade")
    regroup(quick_memory)

    assert {"Mozart", "Vienna"} <= set(by_member(quick_memory, "Mozart").members)
    assert {"Acme", "Denver"} <= set(by_member(quick_memory, "Acme").members)
    assert by_member(quick_memory, "Mozart").topic_id != by_member(quick_memory, "Acme").topic_id
    assert by_member(quick_memory, "Mozart").sources


def test_a_topic_keeps_its_id_as_members_come(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    regroup(quick_memory)
    before = by_member(quick_memory, "Mozart")

    tell(quick_memory, ["Salieri met Mozart in Vienna.", "Salieri and Haydn praised Mozart."], "later")
    regroup(quick_memory)

    after = by_member(quick_memory, "Salieri")
    assert after.topic_id == before.topic_id
    assert set(before.members) < set(after.members)


def test_a_topic_is_found_by_its_members(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    regroup(quick_memory)

    hits = search(quick_memory.ctx.ns, Search(Filter("anyone", kinds=("topic",)), 5, keywords=("mozart",)))

    assert [hit.id for hit in hits] == [by_member(quick_memory, "Mozart").topic_id]
    assert hits[0].sources


def test_counting_twice_counts_once(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    ctx = quick_memory.ctx
    claims, _ = work.claim(ctx.ns, topics.TOPIC, ctx.clock(), timedelta(minutes=1), 100)
    entries = [claim.entry for claim in claims]

    assert topics.count(ctx, entries).messages == 3
    weights = stored_topics.near(ctx.ns, _entities(quick_memory), 100)
    assert topics.count(ctx, entries).messages == 0
    assert stored_topics.near(ctx.ns, _entities(quick_memory), 100) == weights


def _entities(memory: Memory) -> list[str]:
    names = ["Bach", "Mozart", "Haydn", "Vienna"]
    return [entity_id(name) for name in names]


def test_nothing_changes_where_nothing_changed(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    regroup(quick_memory)
    before = topics.topics(quick_memory.ctx.ns)

    assert topics.regroup_changed(quick_memory.ctx, Budget(100, 10)).done == 0
    assert topics.topics(quick_memory.ctx.ns) == before


def test_an_erased_entity_is_named_nowhere(quick_memory: Memory) -> None:
    tell(quick_memory, MUSIC, "music")
    regroup(quick_memory)
    ctx = quick_memory.ctx
    mozart = entity_id("mozart")
    transaction = ctx.ns.transaction()
    topics.drop_entity(ctx, transaction, mozart)
    transaction.by_key.run("DEL", ctx.ns.keys.record("entity", mozart))
    transaction.commit()
    assert ctx.ns.get(EntityRecord, mozart) is None
    assert topics.topics(ctx.ns) == []

    regroup(quick_memory)
    assert topics.topics(ctx.ns)
    assert all("Mozart" not in topic.members for topic in topics.topics(ctx.ns))


@pytest.mark.parametrize("size", [3, 8])
def test_two_cliques_with_one_bridge_are_two_communities(size: int) -> None:
    graph = nx.barbell_graph(size, 0)
    weights = {str(one): {str(other): 1.0 for other in graph[one]} for one in graph}

    found = communities(weights)

    expected = sorted(tuple(sorted(map(str, group))) for group in (range(size), range(size, 2 * size)))
    assert sorted(tuple(sorted(one.members)) for one in found) == expected


names = st.sampled_from("abcdefgh")
groups = st.lists(st.frozensets(names, min_size=1), max_size=4)


@given(st.dictionaries(st.sampled_from(["t1", "t2", "t3"]), st.lists(names, min_size=1, unique=True)), groups)
def test_a_known_topic_is_continued_at_most_once(known: dict[str, list[str]], found: list[frozenset[str]]) -> None:
    asked = [Community(tuple(sorted(group)), (1.0,) * len(group)) for group in found]

    ids = [id for id in matched(asked, known) if id is not None]

    assert len(ids) == len(set(ids))
    for id, group in zip(matched(asked, known), found, strict=True):
        assert id is None or group & set(known[id])
