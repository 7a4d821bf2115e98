"""Consolidation as its callers see it: observations in, facts out."""

from conftest import Clock
from telling import AGENT, day, lives, support, tell

from reverie.pipelines import facts
from reverie.pipelines.consolidate import TOPIC, Part, consolidate, cycles, facts_from, preview, undo_cycle
from reverie.pipelines.context import Context
from reverie.pipelines.facts import Assertion
from reverie.store import work
from reverie.store.keys import encode
from reverie.store.records.facts import FactRecord


def test_the_same_sentence_twice_is_one_fact_with_two_supports(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | play | chess", 1)
    tell(fake_ctx, "Ana | play | chess", 4)

    (cycle,) = consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | play | chess": [(1, None)]}
    assert list(support(fake_ctx).values()) == [2]
    assert (cycle.observations, cycle.created, cycle.unused) == (2, 1, 0)


def test_each_observation_is_used_once(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | play | chess", 1)
    consolidate(fake_ctx, AGENT)
    before = facts.records(fake_ctx.ns)

    assert consolidate(fake_ctx, AGENT) == []
    assert facts.records(fake_ctx.ns) == before


def test_a_part_of_what_waits_is_consolidated_by_itself(fake_ctx: Context) -> None:
    for number, (said, session) in enumerate(
        [("Ana | play | chess", "s-1"), ("Bob | play | tennis", "s-1"), ("Ana | play | go", "s-2")]
    ):
        tell(fake_ctx, said, number, id=f"o-{number}", session=session)
    assert [one.observations for one in preview(fake_ctx, AGENT, Part(session="s-2"))] == [1]

    assert [one.observations for one in consolidate(fake_ctx, AGENT, part=Part(session="s-1", subject="ANA"))] == [1]
    assert lives(fake_ctx) == {"Ana | play | chess": [(0, None)]}
    assert consolidate(fake_ctx, AGENT, part=Part(session="s-1", subject="Ana")) == []
    consolidate(fake_ctx, AGENT, part=Part(session="s-2"))
    assert set(lives(fake_ctx)) == {"Ana | play | chess", "Ana | play | go"}

    assert [one.observations for one in consolidate(fake_ctx, AGENT)] == [1]
    assert "Bob | play | tennis" in lives(fake_ctx)
    assert work.pending(fake_ctx.ns, TOPIC, [encode(AGENT)]) == [False]


def test_many_values_stand_side_by_side(fake_ctx: Context) -> None:
    tell(fake_ctx, "Xu | hold | title at Acme", 1)
    consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Xu | administer | Acme's source control", 2)
    tell(fake_ctx, "Xu | play | chess", 3)
    tell(fake_ctx, "Xu | play | tennis", 4)
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {
        "Xu | hold | title at Acme": [(1, None)],
        "Xu | administer | Acme's source control": [(2, None)],
        "Xu | play | chess": [(3, None)],
        "Xu | play | tennis": [(4, None)],
    }


def test_a_single_valued_predicate_moves_on_and_back(fake_ctx: Context) -> None:
    for at, place in ((1, "Paris"), (5, "Lyon"), (9, "Paris")):
        tell(fake_ctx, f"Ana | live in | {place}", at)
        consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | live in | Paris": [(1, 5), (9, None)], "Ana | live in | Lyon": [(5, 9)]}


def test_one_dissent_against_twenty_closes_nothing_in_whatever_cycle_it_comes(fake_ctx: Context) -> None:
    for number in range(20):
        tell(fake_ctx, "Ana | live in | Paris", number / 10, id=f"p{number}")
    consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Ana | live in | Lyon", 5)
    (cycle,) = consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | live in | Paris": [(0, None)]}
    assert (cycle.unused, cycle.closed) == (1, 0)


def test_dissent_adds_up_over_cycles(fake_ctx: Context) -> None:
    for number in range(20):
        tell(fake_ctx, "Ana | live in | Paris", number / 10, id=f"p{number}")
    for number in range(3):
        tell(fake_ctx, "Ana | live in | Lyon", 5 + number)
        consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | live in | Paris": [(0, 5)], "Ana | live in | Lyon": [(5, None)]}
    assert support(fake_ctx) == {"Ana live in Paris": 20, "Ana live in Lyon": 3}


def test_no_longer_closes_and_a_return_is_a_second_interval(fake_ctx: Context) -> None:
    tell(fake_ctx, "Alex | be on | Payments", 4)
    tell(fake_ctx, "Alex | be on | Payments", 30)
    consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Alex | not be on | Payments", 60, content="Alex is no longer on Payments.")
    consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Alex | be on | Payments", 151)
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx)["Alex | be on | Payments"] == [(4, 60), (151, None)]
    assert "Alex | used to be on | Payments" in lives(fake_ctx)


def test_times_that_messages_give_make_the_intervals(fake_ctx: Context) -> None:
    tell(
        fake_ctx,
        "Alex | be on | Payments",
        100,
        when_start=day(0),
        when_end=day(59),
        content="Alex was on Payments from January to February.",
    )
    tell(fake_ctx, "Alex | be on | Payments", 170, id="again", when_start=day(151))
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Alex | be on | Payments": [(0, 59), (151, None)]}


def test_what_happened_stays_so_from_its_day_on(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | go to | support group", 10, when_start=day(9), when_end=day(10))
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | go to | support group": [(9, None)]}


def test_a_denial_is_a_fact_that_its_opposite_closes(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | not eat | meat", 1)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | not eat | meat": [(1, None)]}

    tell(fake_ctx, "Ana | eat | meat", 5)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | not eat | meat": [(1, 5)], "Ana | eat | meat": [(5, None)]}


def test_a_model_closes_nothing_that_a_user_said(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Paris", 1)
    consolidate(fake_ctx, AGENT)
    for number in range(5):
        tell(fake_ctx, "Ana | live in | Lyon", 2 + number, id=f"l{number}", origin="model")
    tell(fake_ctx, "Ana | not live in | Paris", 9, origin="model", content="Ana no longer lives in Paris.")
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx)["Ana | live in | Paris"] == [(1, None)]


def test_opinions_and_passing_states_are_facts_only_when_said_again(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | be excited about | the move", 1)
    tell(fake_ctx, "Ana | find awesome | pottery", 1)
    (cycle,) = consolidate(fake_ctx, AGENT)
    assert (lives(fake_ctx), cycle.unused) == ({}, 2)

    tell(fake_ctx, "Ana | find awesome | pottery", 8)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | find awesome | pottery": [(1, None)]}
    assert list(support(fake_ctx).values()) == [2]


def test_what_speaks_of_nobody_or_nothing_becomes_no_fact(fake_ctx: Context) -> None:
    for text in ("lot | be | hard", "Ana | do | it", "Ana | love | my family", "Ana | have"):
        tell(fake_ctx, text, 1, said_by="Ana")
    (cycle,) = consolidate(fake_ctx, AGENT)

    assert (lives(fake_ctx), cycle.unused, cycle.observations) == ({}, 4, 4)


def test_what_an_explicit_call_ended_stays_ended_until_it_is_said_again(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | play | chess", 1)
    consolidate(fake_ctx, AGENT)
    id = facts.fact_id("Ana", "play", "chess")
    facts.invalidate(fake_ctx, id, at=day(3))
    tell(fake_ctx, "Ana | play | chess", 2)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | play | chess": [(1, 3)]}

    tell(fake_ctx, "Ana | play | chess", 7)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | play | chess": [(1, 3), (7, None)]}


def test_what_an_explicit_call_asserted_gives_way_to_what_a_user_says_later(fake_ctx: Context) -> None:
    facts.assert_fact(fake_ctx, Assertion("Ana", "lives in", "Paris", day(1), origin="user"))
    tell(fake_ctx, "Ana | live in | paris", 3)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | lives in | Paris": [(1, None)]}

    tell(fake_ctx, "Ana | move to | Lyon", 5)
    consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == {"Ana | lives in | Paris": [(1, 5)], "Ana | live in | Lyon": [(5, None)]}


def test_a_declared_predicate_holds_one_value(fake_ctx: Context) -> None:
    facts.declare(fake_ctx.ns, "drive", single=True)
    tell(fake_ctx, "Ana | drive | Volvo", 1)
    tell(fake_ctx, "Ana | drive | Fiat", 2)
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | drive | Volvo": [(1, 2)], "Ana | drive | Fiat": [(2, None)]}


def test_a_preview_shows_the_plan_and_writes_nothing(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Paris", 1)
    consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Ana | live in | Lyon", 5)
    before = sorted(fake_ctx.ns.client.keys())

    (plan,) = preview(fake_ctx, AGENT)

    assert plan.state == "planned"
    assert [(change.action, change.content) for change in plan.changes] == [
        ("create", "Ana live in Lyon"),
        ("close", "Ana live in Paris"),
    ]
    assert sorted(fake_ctx.ns.client.keys()) == before
    assert lives(fake_ctx) == {"Ana | live in | Paris": [(1, None)]}


def test_a_cycle_is_undone_and_what_came_after_it_stays(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Paris", 1)
    consolidate(fake_ctx, AGENT)
    before = lives(fake_ctx)
    tell(fake_ctx, "Ana | live in | Lyon", 5)
    tell(fake_ctx, "Ana | play | chess", 5)
    (second,) = consolidate(fake_ctx, AGENT)
    tell(fake_ctx, "Ana | play | chess", 6)
    consolidate(fake_ctx, AGENT)

    undone = undo_cycle(fake_ctx, second.cycle_id)
    again = undo_cycle(fake_ctx, second.cycle_id)

    assert undone.state == again.state == "undone"
    assert undone.undone_at == again.undone_at
    assert lives(fake_ctx) == before | {"Ana | play | chess": [(6, None)]}
    assert support(fake_ctx)["Ana play chess"] == 1
    assert consolidate(fake_ctx, AGENT) == []


def test_what_was_undone_no_longer_counts_as_evidence(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Paris", 1)
    tell(fake_ctx, "Ana | live in | Lyon", 5)
    tell(fake_ctx, "Ana | live in | Lyon", 6)
    (first,) = consolidate(fake_ctx, AGENT)
    undo_cycle(fake_ctx, first.cycle_id)
    tell(fake_ctx, "Ana | live in | Rome", 3)
    consolidate(fake_ctx, AGENT)

    assert lives(fake_ctx) == {"Ana | live in | Rome": [(3, None)]}


def test_a_message_leads_to_the_facts_it_supports(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | play | chess", 1, id="a", message="m-1")
    tell(fake_ctx, "Ana | play | tennis", 1, id="b", message="m-1")
    tell(fake_ctx, "Ana | play | golf", 1, id="c", message="m-2")
    consolidate(fake_ctx, AGENT)

    assert {view.object for view in facts_from(fake_ctx, "m-1")} == {"chess", "tennis"}
    assert facts_from(fake_ctx, "m-3") == []


def test_cycles_are_listed_newest_first(fake_ctx: Context, clock: Clock) -> None:
    for number in range(3):
        tell(fake_ctx, "Ana | play | chess", number)
        consolidate(fake_ctx, AGENT)
        clock.move(minutes=1)

    listed = cycles(fake_ctx.ns, agent=AGENT, newest=2)

    assert [(cycle.created, cycle.reinforced) for cycle in listed] == [(0, 1), (0, 1)]
    assert listed[0].started_at > listed[1].started_at
    assert len(cycles(fake_ctx.ns)) == 3
    assert cycles(fake_ctx.ns, agent="nobody") == []


def test_a_subject_whose_facts_keep_closing_is_flagged(fake_ctx: Context) -> None:
    flags = []
    for number in range(7):
        tell(fake_ctx, f"Ana | live in | Place{number}", number)
        (cycle,) = consolidate(fake_ctx, AGENT)
        flags.append(cycle.unstable)

    assert flags == [(), (), (), (), (), ("Ana",), ("Ana",)]
    assert facts.unstable(fake_ctx.ns, ["Ana", "Bob"]) == ["Ana"]


def test_closings_far_apart_flag_nobody(fake_ctx: Context) -> None:
    for number in range(7):
        tell(fake_ctx, f"Ana | live in | Place{number}", number * 20)
        (cycle,) = consolidate(fake_ctx, AGENT)
        assert cycle.unstable == ()


def test_every_fact_knows_who_said_it(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | play | chess", 1, id="a", said_by="Bob")
    consolidate(fake_ctx, AGENT)
    (view,) = facts.facts(fake_ctx, subject="Ana", valid_as_of=day(2))

    assert (view.observations, view.messages, view.participants, view.source) == (("a",), ("m-a",), ("Bob",), "user")


def test_an_observation_that_was_erased_meanwhile_ends_without_a_trace(fake_ctx: Context) -> None:
    id = tell(fake_ctx, "Ana | play | chess", 1)
    fake_ctx.ns.client.delete(fake_ctx.ns.keys.record("observation", id))

    (cycle,) = consolidate(fake_ctx, AGENT)

    assert (cycle.unused, lives(fake_ctx)) == (1, {})
    assert fake_ctx.ns.get_many(FactRecord, ["x"]) == [None]
