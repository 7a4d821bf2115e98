"""What claims are about, whatever their wording."""

import pytest

from reverie.pipelines.consolidate.wording import base_of, canonical, is_past


@pytest.mark.parametrize(
    ("predicate", "negated", "content", "expected"),
    [
        ("live in", False, "Ana lives in Lyon.", ("live in", "holds")),
        ("lives in", False, "Ana lives in Lyon.", ("live in", "holds")),
        ("move to", False, "Ana moved to Lyon.", ("live in", "began")),
        ("move from", False, "Ana moved from Lyon.", ("live in", "ended")),
        ("live in", True, "Ana no longer lives in Lyon.", ("live in", "ended")),
        ("live in", True, "Ana does not live in Lyon anymore.", ("live in", "ended")),
        ("live in", True, "Ana does not live in Lyon.", ("live in", "denied")),
        ("start playing", False, "Ana started playing chess.", ("play", "began")),
        ("stop smoking", False, "Ana stopped smoking.", ("smoke", "ended")),
        ("quit running", False, "Ana quit running.", ("run", "ended")),
        ("stop working at", False, "Ana stopped working at Acme.", ("work at", "ended")),
        ("used to live in", False, "Ana used to live in Lyon.", ("live in", "ended")),
        ("marry", False, "Ana married Bob.", ("be married to", "began")),
        ("divorce", False, "Ana divorced Bob.", ("be married to", "ended")),
        ("stop smoking", True, "Ana did not stop smoking.", ("stop smoking", "denied")),
    ],
)
def test_a_predicate_is_brought_to_the_state_it_speaks_of(
    predicate: str, negated: bool, content: str, expected: tuple[str, str]
) -> None:
    assert canonical(predicate, negated, content) == expected


@pytest.mark.parametrize(
    ("gerund", "verb"),
    [("smoking", "smoke"), ("running", "run"), ("lying", "lie"), ("playing", "play"), ("ceiling", None), ("run", None)],
)
def test_gerunds_give_their_verbs(gerund: str, verb: str | None) -> None:
    assert base_of(gerund) == verb


@pytest.mark.parametrize(
    ("predicate", "content", "past"),
    [
        ("work at", "Ana worked at Acme.", True),
        ("work at", "Ana has worked at Acme for years.", False),
        ("be on", "Alex was on Payments.", True),
        ("be on", "Alex is on Payments.", False),
        ("have", "Ana had a dog.", True),
        ("have", "Ana has a dog.", False),
        ("play", "Ana played chess.", False),
    ],
)
def test_lasting_states_told_in_the_past_are_over(predicate: str, content: str, past: bool) -> None:
    assert is_past(predicate, content) == past
