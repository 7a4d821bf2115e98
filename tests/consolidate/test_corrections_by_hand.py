"""What is corrected by hand never held, and nothing but a user's later word brings it back."""

import pytest
from conftest import Clock
from telling import AGENT, day, lives, tell

from reverie import NotFound
from reverie.pipelines import facts
from reverie.pipelines.consolidate import consolidate
from reverie.pipelines.context import Context
from reverie.pipelines.facts import fact_id

OSLO, BERGEN = fact_id("Ana", "live in", "Oslo"), fact_id("Ana", "live in", "Bergen")


def test_a_correction_puts_the_right_value_where_the_wrong_one_stood(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Oslo", 1)
    consolidate(fake_ctx, AGENT)

    right = facts.correct(fake_ctx, OSLO, "Bergen", reason="a slip of the pen")

    assert right.fact_id == BERGEN
    assert lives(fake_ctx) == {"Ana | live in | Bergen": [(1, None)]}, "not ended: it never held"
    [wrong] = facts.history(fake_ctx.ns, OSLO)
    assert (wrong.retired_at is not None, wrong.reason, wrong.invalidated_by) == (True, "a slip of the pen", (BERGEN,))
    assert facts.fact(fake_ctx, BERGEN).source == "user"  # type: ignore[union-attr]  # it is there


def test_what_was_said_before_and_what_a_model_infers_bring_it_back_no_more(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Oslo", 1)
    consolidate(fake_ctx, AGENT)
    facts.correct(fake_ctx, OSLO, "Bergen")
    later = (fake_ctx.clock() - day(0)).days + 5
    tell(fake_ctx, "Ana | live in | Oslo", 2, id="said before")
    tell(fake_ctx, "Ana | move to | Oslo", later, id="inferred", origin="model")
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | live in | Bergen": [(1, None)]}

    tell(fake_ctx, "Ana | move to | Oslo", later + 1)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx)["Ana | live in | Oslo"] == [(later + 1, None)], "a user who says it later is believed"


def test_a_retracted_fact_never_held(fake_ctx: Context, clock: Clock) -> None:
    tell(fake_ctx, "Ana | play | chess", 1)
    consolidate(fake_ctx, AGENT)
    id, before = fact_id("Ana", "play", "chess"), fake_ctx.clock()
    clock.move(minutes=1)

    assert facts.retract(fake_ctx, id, reason="it was Bea").closed
    assert not facts.retract(fake_ctx, id).closed
    assert lives(fake_ctx) == {}
    assert [one.fact_id for one in facts.facts(fake_ctx, valid_as_of=day(2), known_as_of=before)] == [id]


def test_what_is_unknown_cannot_be_corrected(fake_ctx: Context) -> None:
    with pytest.raises(NotFound):
        facts.correct(fake_ctx, "nothing", "Bergen")
    with pytest.raises(NotFound):
        facts.retract(fake_ctx, "nothing")
