"""Ids that are made from others: one for the same parts, another for any others."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.knowledge.ids import derived_id

MARKS = '\0,|:"\\[] \n'
texts = st.text(st.sampled_from("ab" + MARKS), max_size=4) | st.text(st.characters(exclude_categories=["Cs"]))
parts = st.lists(texts | st.none(), min_size=1, max_size=4)


@given(parts, parts)
def test_the_id_is_the_same_exactly_when_the_parts_are(one: list[str | None], other: list[str | None]) -> None:
    assert (derived_id(*one) == derived_id(*other)) == (one == other)


@given(st.lists(texts, min_size=2, max_size=4), st.sampled_from(MARKS))
def test_no_mark_inside_a_part_passes_for_the_end_of_one(pieces: list[str], mark: str) -> None:
    assert derived_id(mark.join(pieces[:2]), *pieces[2:]) != derived_id(*pieces)


@given(st.lists(texts, min_size=1, max_size=3))
def test_a_part_that_is_missing_is_no_empty_one(pieces: list[str]) -> None:
    assert derived_id(*pieces, None) != derived_id(*pieces, "")
