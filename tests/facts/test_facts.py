"""Facts as the pipelines write and read them."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from conftest import Clock
from hypothesis import given
from hypothesis import strategies as st

from reverie import NotFound
from reverie.pipelines import facts
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Assertion
from reverie.store.records.knowledge import ObservationRecord, Origin

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)


def month(number: int) -> datetime:
    return datetime(2026, number, 1, tzinfo=UTC)


def lives_in(place: str, since: datetime, origin: Origin = "user", **more: object) -> Assertion:
    return Assertion("Ana", "lives in", place, since, origin=origin, **more)  # type: ignore[arg-type]  # of Assertion


def observe(ctx: Context, id: str, origin: Origin = "user", said_by: str = "ana") -> str:
    record = ObservationRecord.new(
        ctx.ns,
        id,
        message=f"m-{id}",
        session="s",
        agent="assistant",
        content="Ana lives in Lyon",
        observed_at=JANUARY,
        origin=origin,
        said_by=said_by,
        recorded_at=JANUARY,
    )
    transaction = ctx.ns.transaction()
    transaction.put(record)
    transaction.commit()
    return id


def held(ctx: Context, at: datetime | None = None, known: datetime | None = None) -> set[str | None]:
    return {view.object for view in facts.facts(ctx, subject="Ana", valid_as_of=at, known_as_of=known)}


def test_the_triple_is_the_identity_and_the_first_wording_stays(fake_ctx: Context) -> None:
    first = facts.assert_fact(fake_ctx, Assertion("Ana  Díaz", "plays", "Chess", JANUARY))
    again = facts.assert_fact(fake_ctx, Assertion("ANA díaz", "plays ", "ｃｈｅｓｓ", JANUARY))

    assert (first.created, again.created) == (True, False)
    assert first.fact_id == again.fact_id
    assert again.support == 2
    view = facts.facts(fake_ctx, subject="ana díaz")[0]
    assert (view.subject, view.object) == ("Ana  Díaz", "Chess")
    assert view.confidence == pytest.approx(3 / 4)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert facts.folded(facts.folded(text)) == facts.folded(text)


def test_an_observation_counts_once(fake_ctx: Context) -> None:
    first, second = observe(fake_ctx, "o1"), observe(fake_ctx, "o2", said_by="bob")
    counts = [
        facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY, observations=observations)).support
        for observations in [(first,), (first,), (first, second), (second, second), (first, second)]
    ]

    assert counts == [1, 1, 2, 2, 2]
    view = facts.facts(fake_ctx)[0]
    assert set(view.observations) == {"o1", "o2"}
    assert set(view.messages) == {"m-o1", "m-o2"}
    assert set(view.participants) == {"ana", "bob"}


def test_an_observation_that_does_not_exist_is_left_out_by_name(fake_ctx: Context) -> None:
    observe(fake_ctx, "o1")
    result = facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY, observations=("nope", "o1")))

    assert (result.missing, result.support) == (("nope",), 1)


def test_the_strongest_origin_stands_behind_a_fact(fake_ctx: Context) -> None:
    observe(fake_ctx, "o1", origin="tool")
    facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY, origin="model"))
    assert facts.facts(fake_ctx)[0].source == "model"
    facts.assert_fact(fake_ctx, Assertion("Ana", "lives in", "Lyon", JANUARY, observations=("o1",)))
    assert facts.facts(fake_ctx)[0].source == "tool"
    facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY, origin="user"))
    assert facts.facts(fake_ctx)[0].source == "user"


def test_a_predicate_holds_many_values_unless_declared(fake_ctx: Context) -> None:
    for game in ("chess", "tennis"):
        facts.assert_fact(fake_ctx, Assertion("Ana", "plays", game, JANUARY, origin="user"))
    assert held(fake_ctx) == {"chess", "tennis"}
    assert not facts.single_valued(fake_ctx.ns, "plays")

    facts.declare(fake_ctx.ns, "Plays", single=True)
    assert facts.single_valued(fake_ctx.ns, "plays")
    facts.assert_fact(fake_ctx, Assertion("Ana", "plays", "go", month(2), origin="user"))
    assert held(fake_ctx) == {"go"}
    assert held(fake_ctx, JANUARY) == {"chess", "tennis"}


def test_a_shipped_predicate_can_be_declared_to_hold_many(fake_ctx: Context) -> None:
    facts.declare(fake_ctx.ns, "lives in", single=False)
    facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY))
    facts.assert_fact(fake_ctx, lives_in("Paris", month(2)))
    assert held(fake_ctx) == {"Lyon", "Paris"}


def test_every_wording_of_a_single_valued_predicate_is_the_same_slot(fake_ctx: Context) -> None:
    facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY))
    result = facts.assert_fact(fake_ctx, Assertion("ana", "resides in", "Paris", month(2), origin="user"))

    assert result.closed == (facts.fact_id("Ana", "lives in", "Lyon"),)
    assert held(fake_ctx) == {"Paris"}


def test_a_b_a_gives_three_intervals_two_of_a(fake_ctx: Context) -> None:
    for place, since in [("Lyon", month(1)), ("Paris", month(2)), ("Lyon", month(3))]:
        facts.assert_fact(fake_ctx, lives_in(place, since))

    assert [held(fake_ctx, month(number)) for number in (1, 2, 3, 4)] == [{"Lyon"}, {"Paris"}, {"Lyon"}, {"Lyon"}]
    lyon = facts.history(fake_ctx.ns, facts.fact_id("Ana", "lives in", "Lyon"))
    assert [(v.valid_from, v.valid_to) for v in lyon if v.retired_at is None] == [
        (month(1), month(2)),
        (month(3), None),
    ]


@pytest.mark.parametrize("order", list(permutations([("Lyon", 1), ("Paris", 2), ("Lyon", 3), ("Rome", 4)])))
def test_the_order_in_which_moves_are_learned_does_not_matter(
    fake_ctx: Context, order: tuple[tuple[str, int], ...]
) -> None:
    for place, number in order:
        facts.assert_fact(fake_ctx, lives_in(place, month(number), said_at=month(number)))

    assert [held(fake_ctx, month(n)) for n in (1, 2, 3, 4, 5)] == [{"Lyon"}, {"Paris"}, {"Lyon"}, {"Rome"}, {"Rome"}]


def test_what_was_known_then_is_still_known_as_of_then(fake_ctx: Context, clock: Clock) -> None:
    facts.assert_fact(fake_ctx, lives_in("Lyon", month(1)))
    before = clock()
    clock.move(days=1)
    facts.assert_fact(fake_ctx, lives_in("Paris", month(2)))

    assert held(fake_ctx, month(3)) == {"Paris"}
    assert held(fake_ctx, month(3), known=before) == {"Lyon"}
    assert held(fake_ctx, month(3), known=JANUARY) == set()


def test_a_fact_of_the_future_is_not_current_yet(fake_ctx: Context, clock: Clock) -> None:
    facts.assert_fact(fake_ctx, lives_in("Lyon", clock() + timedelta(days=30)))
    assert held(fake_ctx) == set()
    clock.move(days=31)
    assert held(fake_ctx) == {"Lyon"}


def test_what_a_model_inferred_never_closes_what_a_user_said(fake_ctx: Context) -> None:
    facts.assert_fact(fake_ctx, lives_in("Lyon", month(1), origin="user"))
    inferred = facts.assert_fact(fake_ctx, lives_in("Paris", month(2), origin="model"))

    assert inferred.closed == ()
    assert held(fake_ctx) == {"Lyon", "Paris"}
    lyon = facts.fact_id("Ana", "lives in", "Lyon")
    assert not facts.close(fake_ctx, lyon, at=month(3), origin="model", reason="no longer").closed
    said = facts.assert_fact(fake_ctx, lives_in("Nice", month(4), origin="user"))
    assert set(said.closed) == {lyon, inferred.fact_id}
    assert held(fake_ctx) == {"Nice"}


def test_two_intervals_of_one_fact(fake_ctx: Context) -> None:
    on = Assertion("Alex", "is on", "Payments", month(1), month(3), origin="user")
    facts.assert_fact(fake_ctx, on)
    result = facts.assert_fact(fake_ctx, Assertion("Alex", "is on", "Payments", month(6), origin="user"))

    assert not result.created
    current = [view for view in facts.history(fake_ctx.ns, on.id) if view.retired_at is None]
    assert [(view.valid_from, view.valid_to) for view in current] == [(month(1), month(3)), (month(6), None)]
    assert [len(facts.facts(fake_ctx, subject="Alex", valid_as_of=month(n))) for n in (1, 2, 3, 5, 6, 7)] == [
        1, 1, 0, 0, 1, 1
    ]  # fmt: skip


def test_invalidating_keeps_the_reason_with_and_without_a_replacement(fake_ctx: Context, clock: Clock) -> None:
    dark = facts.assert_fact(fake_ctx, Assertion("user", "prefers", "dark mode", month(1))).fact_id
    light = facts.assert_fact(fake_ctx, Assertion("user", "prefers", "light mode", month(1))).fact_id

    assert facts.invalidate(fake_ctx, dark, replacement=light, reason="switched", at=clock()).closed
    assert facts.invalidate(fake_ctx, light, reason="no screens any more", at=clock()).closed

    assert facts.facts(fake_ctx, subject="user") == []
    one, other = facts.fact(fake_ctx, dark), facts.fact(fake_ctx, light)
    assert one is not None
    assert (one.reason, one.invalidated_by) == ("switched", (light,))
    assert other is not None
    assert (other.reason, other.invalidated_by) == ("no screens any more", ())


def test_invalidating_twice_keeps_the_first_end(fake_ctx: Context, clock: Clock) -> None:
    id = facts.assert_fact(fake_ctx, Assertion("user", "prefers", "dark mode", month(1))).fact_id
    ended = clock()
    facts.invalidate(fake_ctx, id, reason="first", at=ended)
    clock.move(days=1)

    assert not facts.invalidate(fake_ctx, id, reason="second", at=clock()).closed
    view = facts.fact(fake_ctx, id)
    assert view is not None
    assert (view.valid_to, view.reason) == (ended, "first")


def test_an_unknown_fact_or_replacement_is_not_found(fake_ctx: Context, clock: Clock) -> None:
    id = facts.assert_fact(fake_ctx, Assertion("user", "prefers", "dark mode", month(1))).fact_id

    with pytest.raises(NotFound):
        facts.invalidate(fake_ctx, "nope", at=clock())
    with pytest.raises(NotFound):
        facts.invalidate(fake_ctx, id, replacement="nope", at=clock())
    assert held_by(fake_ctx, "user") == {"dark mode"}


def held_by(ctx: Context, subject: str) -> set[str | None]:
    return {view.object for view in facts.facts(ctx, subject=subject)}


def test_a_change_and_the_callers_own_commands_land_together(fake_ctx: Context) -> None:
    key = fake_ctx.ns.keys.named("audit")
    assertion = lives_in("Lyon", JANUARY)

    done = facts.assert_fact(
        fake_ctx, assertion, extra=lambda tx: (tx.by_key.require_value(key, ""), tx.by_key.run("SET", key, 1))[1]
    )
    refused = facts.assert_fact(fake_ctx, assertion, extra=lambda tx: (tx.by_key.require_value(key, ""), None)[1])

    assert (done.applied, refused.applied) == (True, False)
    assert facts.facts(fake_ctx)[0].observation_count == 1


def test_support_taken_back_ends_what_nothing_stands_behind(fake_ctx: Context) -> None:
    observe(fake_ctx, "o1")
    observe(fake_ctx, "o2")
    id = facts.assert_fact(fake_ctx, lives_in("Lyon", JANUARY, observations=("o1", "o2"))).fact_id

    facts.withdraw(fake_ctx, id, ["o1"])
    assert [view.observation_count for view in facts.facts(fake_ctx)] == [1]
    assert facts.withdraw(fake_ctx, id, ["o2"], reason="undone").closed
    assert facts.facts(fake_ctx) == []
    assert len(facts.history(fake_ctx.ns, id)) == 1
