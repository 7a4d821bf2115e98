"""What the evidence for and against claims adds up to."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reverie.knowledge.timeline import Ending, Evidence, Rivals, joined, moved, resolve
from reverie.pipelines.facts import Interval

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def exclusive(*claims: str) -> Rivals:
    return lambda claim: set(claims) - {claim}


def no_rivals(claim: str) -> Collection[str]:
    return ()


def said(claim: str, at: float, count: int = 1, **more: object) -> list[Evidence]:
    """So many statements of a claim, a hundredth of a day apart."""
    return [
        Evidence(
            id=f"{claim}-{at}-{number}",
            claim=claim,
            message=f"{claim}-{at}-{number}",
            start=day(at + number / 100),
            observed_at=day(at + number / 100),
            **more,  # type: ignore[arg-type]  # fields of Evidence
        )
        for number in range(count)
    ]


LYON_OR_PARIS = exclusive("Lyon", "Paris")


def test_a_claim_holds_from_when_it_was_first_said() -> None:
    assert resolve(said("Lyon", 3) + said("Lyon", 1), LYON_OR_PARIS) == {"Lyon": [Interval(day(1))]}


def test_claims_that_do_not_exclude_each_other_all_hold() -> None:
    lives = resolve(said("holds a title", 1) + said("administers", 2), no_rivals)

    assert lives == {"holds a title": [Interval(day(1))], "administers": [Interval(day(2))]}


def test_another_value_closes_the_first() -> None:
    lives = resolve(said("Paris", 1) + said("Lyon", 5), LYON_OR_PARIS)

    assert lives == {"Paris": [Interval(day(1), day(5))], "Lyon": [Interval(day(5))]}


def test_going_back_gives_three_intervals() -> None:
    lives = resolve(said("Paris", 1) + said("Lyon", 5) + said("Paris", 9), LYON_OR_PARIS)

    assert lives == {"Paris": [Interval(day(1), day(5)), Interval(day(9))], "Lyon": [Interval(day(5), day(9))]}


def test_one_dissent_closes_nothing_that_twenty_say() -> None:
    assert resolve(said("Paris", 1, 20) + said("Lyon", 5), LYON_OR_PARIS) == {"Paris": [Interval(day(1))]}


def test_dissent_that_goes_on_prevails_from_its_beginning() -> None:
    lives = resolve(said("Paris", 1, 20) + said("Lyon", 5, 3), LYON_OR_PARIS)

    assert lives == {"Paris": [Interval(day(1), day(5))], "Lyon": [Interval(day(5))]}


def test_dissent_that_is_contradicted_again_starts_anew() -> None:
    evidence = said("Paris", 1, 20) + said("Lyon", 5, 2) + said("Paris", 6) + said("Lyon", 7, 2)

    assert resolve(evidence, LYON_OR_PARIS) == {"Paris": [Interval(day(1))]}


def test_a_change_told_as_one_prevails_at_once() -> None:
    lives = resolve(said("Paris", 1, 20) + said("Lyon", 5, change=True), LYON_OR_PARIS)

    assert lives == {"Paris": [Interval(day(1), day(5))], "Lyon": [Interval(day(5))]}


def test_a_model_closes_nothing_that_a_user_said_however_often_it_says_so() -> None:
    inferred = said("Lyon", 5, 30, origin="model") + said("Lyon", 8, origin="model", change=True)

    assert resolve(said("Paris", 1) + inferred, LYON_OR_PARIS) == {"Paris": [Interval(day(1))]}
    assert resolve(said("Paris", 1, origin="model") + inferred, LYON_OR_PARIS)["Lyon"] == [Interval(day(5))]


def test_one_word_of_a_user_outweighs_any_number_of_a_model() -> None:
    lives = resolve(said("Paris", 1, 30, origin="model") + said("Lyon", 5), LYON_OR_PARIS)

    assert lives["Paris"] == [Interval(day(1), day(5))]


def test_what_is_told_of_a_time_with_an_end_is_over_then() -> None:
    evidence = said("Payments", 1, end=day(60)) + said("Payments", 150)

    assert resolve(evidence, no_rivals) == {"Payments": [Interval(day(1), day(60)), Interval(day(150))]}


def test_a_tentative_claim_is_believed_when_another_message_says_it_too() -> None:
    once = said("liked", 1, tentative=True)
    twice = once + said("liked", 4, tentative=True)

    assert resolve(once, no_rivals) == {}
    assert resolve(twice, no_rivals) == {"liked": [Interval(day(1))]}


def test_two_values_told_of_one_moment_both_hold() -> None:
    assert set(resolve(said("Paris", 1) + said("Lyon", 1), LYON_OR_PARIS)) == {"Paris", "Lyon"}


def test_an_explicit_ending_holds_until_it_is_said_again() -> None:
    evidence = said("Paris", 1)

    assert resolve(evidence, no_rivals, [Ending("Paris", day(3))]) == {"Paris": [Interval(day(1), day(3))]}
    again = resolve(evidence + said("Paris", 7), no_rivals, [Ending("Paris", day(3))])
    assert again == {"Paris": [Interval(day(1), day(3)), Interval(day(7))]}


evidence_lists = st.lists(
    st.builds(
        lambda claim, at, length, origin, weight, change, tentative, id: Evidence(
            id=str(id),
            claim=claim,
            message=str(id),
            start=day(at),
            end=day(at + length) if length else None,
            observed_at=day(at),
            origin=origin,
            weight=weight,
            change=change,
            tentative=tentative,
        ),
        claim=st.sampled_from("ABC"),
        at=st.integers(0, 12),
        length=st.sampled_from([0, 0, 0, 2, 5]),
        origin=st.sampled_from(["user", "tool", "model"]),
        weight=st.sampled_from([1.0, 0.8]),
        change=st.booleans(),
        tentative=st.booleans(),
        id=st.uuids(),
    ),
    max_size=12,
)


@given(evidence_lists, st.randoms(use_true_random=False))
def test_the_order_in_which_evidence_arrives_changes_nothing(evidence: list[Evidence], random: object) -> None:
    shuffled = list(evidence)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random

    assert resolve(shuffled, exclusive("A", "B", "C")) == resolve(evidence, exclusive("A", "B", "C"))


@given(evidence_lists)
def test_intervals_are_in_order_and_apart(evidence: list[Evidence]) -> None:
    for life in resolve(evidence, exclusive("A", "B", "C")).values():
        assert all(one.end is None or one.start < one.end for one in life)
        for first, second in pairwise(life):
            assert first.end is not None
            assert first.end < second.start


@given(evidence_lists, st.integers(1, 3))
def test_whatever_a_model_says_what_users_agree_on_stands(evidence: list[Evidence], count: int) -> None:
    inferred = [replace(one, origin="model") for one in evidence]

    assert resolve(inferred + said("A", 6.5, count), exclusive("A", "B", "C"))["A"][-1].end is None


lives = st.lists(
    st.builds(lambda start, length: Interval(day(start), day(start + length)), st.integers(0, 20), st.integers(1, 5)),
    max_size=4,
)


@given(lives, lives)
def test_a_life_that_is_as_worked_out_becomes_what_is_worked_out(old: list[Interval], new: list[Interval]) -> None:
    before, after = joined(old), joined(new)

    assert moved(before, before, after) == after
    assert moved(after, before, after) == after
