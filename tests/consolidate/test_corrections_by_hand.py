"""What is corrected by hand never held, and nothing but a user's later word brings it back."""

import pytest
from conftest import Clock
from telling import AGENT, day, lives, tell

from reverie import NotFound
from reverie.pipelines import facts
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.consolidate import consolidate
from reverie.pipelines.facts import fact_id

OSLO, BERGEN = fact_id("Ana", "live in", "Oslo"), fact_id("Ana", "live in", "Bergen")


def test_a_correction_puts_the_right_value_where_the_wrong_one_stood(fake_kb: KnowledgeBase) -> None:
    tell(fake_kb, "Ana | live in | Oslo", 1)
    consolidate(fake_kb, AGENT)

    right = facts.correct(fake_kb, OSLO, "Bergen", reason="a slip of the pen")

    assert right.fact_id == BERGEN
    assert lives(fake_kb) == {"Ana | live in | Bergen": [(1, None)]}, "not ended: it never held"
    [wrong] = facts.history(fake_kb, OSLO)
    assert (wrong.retired_at is not None, wrong.reason, wrong.invalidated_by) == (True, "a slip of the pen", (BERGEN,))
    assert facts.fact(fake_kb, BERGEN).source == "user"  # type: ignore[union-attr]  # it is there


def test_what_was_said_before_and_what_a_model_infers_bring_it_back_no_more(fake_kb: KnowledgeBase) -> None:
    tell(fake_kb, "Ana | live in | Oslo", 1)
    consolidate(fake_kb, AGENT)
    facts.correct(fake_kb, OSLO, "Bergen")
    later = (fake_kb.clock() - day(0)).days + 5
    tell(fake_kb, "Ana | live in | Oslo", 2, id="said before")
    tell(fake_kb, "Ana | move to | Oslo", later, id="inferred", origin="model")
    consolidate(fake_kb, AGENT)
    assert lives(fake_kb) == {"Ana | live in | Bergen": [(1, None)]}

    tell(fake_kb, "Ana | move to | Oslo", later + 1)
    consolidate(fake_kb, AGENT)
    assert lives(fake_kb)["Ana | live in | Oslo"] == [(later + 1, None)], "a user who says it later is believed"


def test_a_retracted_fact_never_held(fake_kb: KnowledgeBase, clock: Clock) -> None:
    tell(fake_kb, "Ana | play | chess", 1)
    consolidate(fake_kb, AGENT)
    id, before = fact_id("Ana", "play", "chess"), fake_kb.clock()
    clock.move(minutes=1)

    assert facts.retract(fake_kb, id, reason="it was Bea").closed
    assert not facts.retract(fake_kb, id).closed
    assert lives(fake_kb) == {}
    assert [one.fact_id for one in facts.facts(fake_kb, valid_as_of=day(2), known_as_of=before)] == [id]


def test_what_is_unknown_cannot_be_corrected(fake_kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound):
        facts.correct(fake_kb, "nothing", "Bergen")
    with pytest.raises(NotFound):
        facts.retract(fake_kb, "nothing")
