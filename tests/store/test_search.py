"""Filters let through what they name and nothing else, whatever the ids."""

import uuid
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from conftest import HOSTILE_IDS, WordEmbedder
from hypothesis import HealthCheck, given
from hypothesis import settings as budget
from hypothesis import strategies as st
from searching import search

from reverie import Memory
from reverie.config.settings import Settings
from reverie.store.namespace import Namespace
from reverie.store.rows import Row
from reverie.store.search import Filter, Search

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ids = st.one_of(
    st.sampled_from(HOSTILE_IDS), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
)


def _store(ns: Namespace, *rows: Row) -> None:
    transaction = ns.transaction()
    for row in rows:
        transaction.row(row)
    assert transaction.commit().committed


def _found(ns: Namespace, filter: Filter, **given: object) -> set[str]:
    return {hit.id for hit in search(ns, Search(filter, 1000, **given))}


@budget(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=ids, other=ids)
def test_owner_session_and_participant_keep_ids_apart(memory: Memory, mine: str, other: str) -> None:
    ns = memory.ctx.ns
    unit = np.ones(384, dtype=np.float32)
    _store(
        ns,
        Row("message", "1", "violet", NOW, unit, owner=mine, session=mine, participants=(mine,)),
        Row("message", "2", "violet", NOW, unit, owner=other, session=other, participants=(other, "third")),
    )
    expected = {"1", "2"} if mine == other else {"1"}
    for filter in (Filter(mine), Filter(mine, sessions=(mine,)), Filter(mine, participants=(mine,))):
        assert _found(ns, filter) == expected
        assert _found(ns, filter, keywords=("violet",)) == expected
        assert _found(ns, filter, vector=unit) == expected


@budget(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=ids, other=ids)
def test_nothing_crosses_a_namespace(memory: Memory, one: str, other: str) -> None:
    prefix = uuid.uuid4().hex
    mine = Namespace(memory.ctx.ns.client, prefix + one, memory.ctx.ns.keys.generation)
    theirs = Namespace(memory.ctx.ns.client, prefix + other, memory.ctx.ns.keys.generation)
    _store(mine, Row("message", "mine", "violet", NOW))
    _store(theirs, Row("message", "theirs", "violet", NOW))
    assert _found(mine, Filter("a"), keywords=("violet",)) == ({"mine"} if one != other else {"mine", "theirs"})


@pytest.mark.parametrize("keywords", [("game", "room"), ("room", "game")])
def test_every_keyword_of_a_row_counts_and_its_tags_do_not(
    memory: Memory, namespace: str, keywords: tuple[str, ...]
) -> None:
    ns = memory.ctx.ns
    beside = Namespace(ns.client, f"{namespace}-beside", ns.keys.generation)
    # Both words are common elsewhere, so that the filter is what the server goes through first.
    _store(beside, *(Row("message", str(n), "game room", NOW) for n in range(80)))
    _store(ns, Row("message", "both", "this is said of a game room", NOW))
    _store(ns, *(Row("message", f"{word} {n}", word, NOW) for word in keywords for n in range(8)))

    best = search(ns, Search(Filter("a"), 3, keywords=keywords))

    assert best[0].id == "both"


def test_rows_that_were_written_again_keep_their_place(own_settings: Settings) -> None:
    with Memory("again", settings=own_settings, embedder=WordEmbedder()) as memory:
        ns = memory.ctx.ns
        # The tags are on every row, the words on few: only those must count.
        rows = [Row("message", f"short {n}", "a game" if n < 3 else "a ball", NOW) for n in range(30)]
        rows += [Row("message", "long", "this is said of a game room", NOW)]
        for _ in range(4):
            _store(ns, *rows)

        assert search(ns, Search(Filter("a"), 3, keywords=("game", "room")))[0].id == "long"


def test_times_bound_what_is_found(memory: Memory) -> None:
    ns = memory.ctx.ns
    day = timedelta(days=1)
    _store(ns, *(Row("message", str(n), "violet", NOW + n * day) for n in range(4)))
    assert _found(ns, Filter("a", since=NOW + day, until=NOW + 3 * day)) == {"1", "2"}


def test_claims_are_found_as_of_both_times(memory: Memory) -> None:
    ns = memory.ctx.ns
    day = timedelta(days=1)
    _store(
        ns,
        Row("fact", "old", "violet", NOW, valid_from=NOW, valid_to=NOW + 5 * day, recorded_at=NOW),
        Row("fact", "new", "violet", NOW, valid_from=NOW + 5 * day, recorded_at=NOW + 6 * day),
        Row("fact", "wrong", "violet", NOW, valid_from=NOW, recorded_at=NOW, retired_at=NOW + day),
        Row("message", "plain", "violet", NOW),
    )

    def at(valid: int, known: int) -> set[str]:
        return _found(ns, Filter("a", valid_as_of=NOW + valid * day, known_as_of=NOW + known * day)) - {"plain"}

    assert at(1, 1) == {"old"}
    assert at(0, 0) == {"old", "wrong"}
    assert at(5, 6) == {"new"}
    assert at(5, 5) == set()
    assert "plain" in _found(ns, Filter("a", valid_as_of=NOW, known_as_of=NOW))


def test_a_row_is_replaced_whole(memory: Memory) -> None:
    ns = memory.ctx.ns
    _store(ns, Row("message", "1", "violet", NOW, session="s", sources=("m",)))
    _store(ns, Row("message", "1", "scarlet", NOW))
    assert _found(ns, Filter("a"), keywords=("violet",)) == set()
    assert _found(ns, Filter("a", sessions=("s",))) == set()
    assert _found(ns, Filter("a"), keywords=("scarlet",)) == {"1"}
