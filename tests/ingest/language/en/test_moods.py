"""What a "not" reaches, what is planned, and what never was."""

import pytest
from saying import told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't eat meat every day.", []),
        ("I don't always take the bus.", []),
        ("I don't just play chess, I teach it.", ["Ana | play | chess"]),
        ("No doubt I play chess.", ["Ana | play | chess"]),
        ("I hardly drink coffee.", ["denied: Ana | drink | coffee"]),
        ("I can't not eat chocolate.", ["Ana | eat | chocolate"]),
        ("I have no siblings.", ["denied: Ana | have | siblings"]),
        ("I don't mind the rain.", []),
        ("I'm in Bath, not Bristol.", ["Ana | be in | Bath", "corrected: Ana | be in | Bristol"]),
        ("My dog isn't called Max but Rex.", ["Ana's dog | be called | Rex", "corrected: Ana's dog | be called | Max"]),
        ("The endpoint is on 9464 instead of 9090.", ["endpoint | be on | 9464", "ended: endpoint | be on | 9090"]),
    ],
)
def test_what_is_denied_is_what_the_not_reaches(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I almost bought a house.",
        "I was going to buy a Tesla.",
        "I nearly adopted a cat.",
        "Let's say I earned 90k.",
        "Imagine I lived in Rome.",
        "I dreamt I had moved to Sicily.",
        "If I had money I'd live in Lisbon.",
        "I'm a pilot. Just kidding!",
        "Fingers crossed, toes too!",
        "Those slides were fire.",
        "The man is a machine.",
        "I hate everyone in it already.",
        "This film is so slow.",
    ],
)
def test_what_never_was_gives_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I will move to Paris in June.", ["planned: Ana | live in | Paris"]),
        ("I'm moving to Oslo in August.", ["planned: Ana | live in | Oslo"]),
        ("I start at Harbor Vet on Monday.", ["Ana | work at | Harbor Vet"]),
    ],
)
def test_a_plan_is_a_plan(text: str, expected: list[str]) -> None:
    assert told(text) == expected
