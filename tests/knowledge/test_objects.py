"""Which wordings of an object mean the same."""

import numpy as np
import pytest

from reverie import Memory
from reverie.knowledge.objects import SAME, Centre, alike, nearest
from reverie.knowledge.wording import same_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("peanuts", "Peanut"),
        ("a dance studio", "her own dance studio"),
        ("gluten-free meals", "gluten free meal"),
        ("Melanie's kids", "Melanie kids"),
        (None, None),
    ],
)
def test_case_articles_possessives_and_plurals_are_set_aside(one: str | None, other: str | None) -> None:
    assert same_words(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("C", "C++"), ("3 kids", "4 kids"), ("to France", "from France"), ("university", "universe"), ("x", None)],
)
def test_everything_else_counts(one: str | None, other: str | None) -> None:
    assert not same_words(one, other)


def _at(degrees: float) -> np.ndarray:  # type: ignore[type-arg]  # two numbers
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], dtype=np.float32)


def test_clusters_have_a_centre_and_never_chain() -> None:
    step = float(np.degrees(np.arccos(SAME))) * 0.9
    first = Centre("a", "autumn walks", _at(0))

    near = nearest("evening walks in leaves", _at(step), [first])
    far = nearest("long marches", _at(2 * step), [first])

    assert near is None  # a time of day on one side alone
    assert nearest("fallen leaf walks", _at(step), [Centre("a", "leaf strolls", _at(0))]) is not None
    assert far is None  # near to what is near to the centre is not near to the centre


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 kids", "4 kids"),
        ("room 12", "room 13"),
        ("Emma", "Anna"),
        ("the Payments team", "the Search team"),
        ("Monday meetings", "Tuesday meetings"),
        ("meat", "no meat"),
        ("order 88213", "order 88214"),
    ],
)
def test_likeness_never_merges_what_differs_in_a_number_a_name_or_a_date(one: str, other: str) -> None:
    same = _at(0)

    assert alike(one, other, same, same) == 0.0
    assert nearest(one, same, [Centre("x", other, same)]) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("software engineer", "software developer", True),
        ("her mother", "her mom", True),
        ("car", "automobile", True),
        ("vegetarian", "vegan", False),
        ("dark mode", "light mode", False),
        ("coffee", "tea", False),
        ("hot weather", "cold weather", False),
    ],
)
def test_the_local_embedder_tells_the_same_from_the_like(memory: Memory, one: str, other: str, same: bool) -> None:
    vectors = memory.ctx.embedder.documents([f"Ana likes {one}", f"Ana likes {other}"])

    assert (nearest(one, vectors[0], [Centre("x", other, vectors[1])]) is not None) == same
