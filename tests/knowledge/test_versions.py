"""A fact's life in two times, against a slow and obvious model: for every moment of knowledge, when it held."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reverie.knowledge.versions import (
    Interval,
    believed,
    called_off,
    cut,
    extended,
    holding,
    intervals,
    rewritten,
    without,
)
from reverie.store.records.facts import Version

DAY_ZERO = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 12
"""The last day of the model's world stands for all that come after it."""


def day(number: int) -> datetime:
    return DAY_ZERO + timedelta(days=number)


def days_of(life: list[Interval]) -> set[int]:
    return {number for number in range(DAYS + 1) if any(day(number) in one for one in life)}


days = st.integers(0, DAYS - 1)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("assert"), days),
        st.tuples(st.just("assert until"), days, st.integers(1, 5)),
        st.tuples(st.just("close"), days),
        st.tuples(st.just("call off"), days),
        st.tuples(st.just("take out"), days, st.integers(1, 5)),
    ),
    max_size=8,
)


def stretches(held: set[int]) -> list[tuple[int, int]]:
    """First and last day of each unbroken run of days."""
    runs: list[tuple[int, int]] = []
    for number in sorted(held):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def apply(life: list[Interval], change: tuple[object, ...]) -> list[Interval]:
    verb, at, *more = change
    start = day(int(str(at)))
    if verb == "assert":
        return extended(life, start)
    if verb == "assert until":
        return extended(life, start, start + timedelta(days=int(str(more[0]))))
    if verb == "close":
        return cut(life, start)
    if verb == "call off":
        return called_off(life, start)
    return without(life, Interval(start, start + timedelta(days=int(str(more[0])))))


@given(changes)
def test_every_pair_of_times_reads_what_was_believed_then(made: list[tuple[object, ...]]) -> None:
    versions: list[Version] = []
    life: list[Interval] = []
    remembered: list[list[Interval]] = [[]]
    for number, change in enumerate(made, start=1):
        life = apply(life, change)
        versions = rewritten(versions, life, day(100 + number), "why")
        remembered.append(life)

    for number, then in enumerate(remembered):
        for valid in range(DAYS + 1):
            version = holding(versions, day(valid), day(100 + number) + timedelta(hours=1))
            assert (version is not None) == any(day(valid) in one for one in then)


@given(changes)
def test_nothing_is_overwritten(made: list[tuple[object, ...]]) -> None:
    versions: list[Version] = []
    life: list[Interval] = []
    for number, change in enumerate(made, start=1):
        life = apply(life, change)
        after = rewritten(versions, life, day(100 + number), "why")
        for old, new in zip(versions, after, strict=False):
            unretired = {"retired_at": old.retired_at, "retirement": old.retirement}
            assert new.model_copy(update=unretired) == old
            assert old.retired_at is None or new == old
        assert [version.number for version in after] == list(range(1, len(after) + 1))
        versions = after


@given(changes)
def test_what_is_believed_never_overlaps_and_is_never_empty(made: list[tuple[object, ...]]) -> None:
    life: list[Interval] = []
    for change in made:
        life = apply(life, change)
        assert all(one.end is None or one.start < one.end for one in life)
        ordered = sorted(life, key=lambda one: one.start)
        assert all(a.end is not None and a.end <= b.start for a, b in pairwise(ordered))


@given(changes, days)
def test_closing_takes_the_rest_of_one_interval_and_no_more(made: list[tuple[object, ...]], at: int) -> None:
    life: list[Interval] = []
    for change in made:
        life = apply(life, change)
    whole = next((one for one in life if day(at) in one), None)
    gone = set() if whole is None else {n for n in days_of([whole]) if n >= at}

    assert days_of(cut(life, day(at))) == days_of(life) - gone


@given(changes, days, st.integers(1, 5))
def test_a_stretch_taken_out_is_gone_and_the_rest_stays(made: list[tuple[object, ...]], at: int, length: int) -> None:
    life: list[Interval] = []
    for change in made:
        life = apply(life, change)
    gone = Interval(day(at), day(at + length))

    assert days_of(without(life, gone)) == {n for n in days_of(life) if day(n) not in gone}


@given(st.lists(st.tuples(days, st.integers(1, 5)), max_size=6))
def test_assertions_with_an_end_are_the_union_of_their_days_in_any_order(asserted: list[tuple[int, int]]) -> None:
    def build(order: Callable[[list[tuple[int, int]]], list[tuple[int, int]]]) -> set[int]:
        life: list[Interval] = []
        for start, length in order(list(asserted)):
            life = extended(life, day(start), day(start + length))
        return days_of(life)

    union = {n for start, length in asserted for n in range(start, start + length) if n <= DAYS}
    assert build(lambda given: given) == build(lambda given: given[::-1]) == union


def test_a_b_a_gives_two_intervals_of_a() -> None:
    life = extended(extended(cut(extended([], day(1)), day(3)), day(6)), day(6))

    assert life == [Interval(day(1), day(3)), Interval(day(6))]


def test_an_old_word_that_arrives_late_reopens_nothing() -> None:
    ended = cut(extended([], day(1)), day(5))

    assert extended(ended, day(3)) == ended


def test_a_late_beginning_runs_on_into_what_is_known() -> None:
    assert extended([Interval(day(6), day(9))], day(2)) == [Interval(day(2), day(9))]


def test_a_clock_that_runs_behind_does_not_turn_belief_around() -> None:
    first = rewritten([], [Interval(day(1))], day(100))
    second = rewritten(first, [Interval(day(1), day(5))], day(90))

    assert second[0].retired_at == second[1].recorded_at == day(100)
    assert intervals(second) == [Interval(day(1), day(5))]
    assert believed(second, day(99)) == []


@given(changes)
def test_a_restatement_changes_nothing(made: list[tuple[object, ...]]) -> None:
    versions: list[Version] = []
    life: list[Interval] = []
    for number, change in enumerate(made, start=1):
        life = apply(life, change)
        versions = rewritten(versions, life, day(100 + number))

    assert rewritten(versions, intervals(versions), day(200)) == versions
    assert len(stretches(days_of(life))) <= max(1, len(life))
