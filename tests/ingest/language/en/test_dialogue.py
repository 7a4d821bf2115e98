"""Answers read with their questions, corrections with what they correct, instructions with their scope."""

import pytest
from saying import claims, told


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Do you still live in Lyon?", "No, Nice since May.", ["ended: Ana | live in | Lyon", "Ana | live in | Nice"]),
        ("To check parking: do you own a car?", "no", ["denied: Ana | own | car"]),
        ("Do you own a car?", "Yep!", ["Ana | own | car"]),
        ("You don't have any children, right?", "I do!", ["Ana | have | children"]),
        ("You don't have any children, right?", "Right.", ["denied: Ana | have | children"]),
        ("How old are you?", "34", ["Ana | be | 34 years old"]),
        ("How many cats do you have?", "three", ["Ana | have | three cats"]),
        ("Where do you live now?", "in Ghent", ["Ana | live in | Ghent"]),
        ("You are 44 and you run three times a week. Is that right?", "yes", ["Ana | be | 44 years old",
                                                                             "Ana | run | three times a week"]),
        ("Can I help?", "no thanks", []),
        ("Would you like me to book it?", "yes please", []),
    ],
)  # fmt: skip
def test_an_answer_is_read_with_its_question(question: str, text: str, expected: list[str]) -> None:
    assert told(text, history=[("Bot", question)]) == expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("", "I like coffee, no wait, I like tea.", ["Ana | like | tea"]),
        ("", "I live in Oslo. Sorry, Bergen.", ["Ana | live in | Bergen"]),
        ("", "We have three cats, or rather four.", ["Ana | have | four cats"]),
        ("I live in Oslo.", "no wait, I meant Bergen", ["corrected: Ana | live in | Oslo", "Ana | live in | Bergen"]),
        (
            "",
            "I misspoke: I work at Apple, not Google.",
            ["Ana | work at | Apple", "corrected: Ana | work at | Google"],
        ),
        ("Eva is leaving us in July.", "Ignore what I said about Eva leaving.", ["corrected: Eva | leave | Ana"]),
        (
            "We're moving to Halifax in August.",
            "Halifax is off.",
            ["ended: Ana | live in | Halifax"],
        ),
        (
            "I work at the aquarium.",
            "sorry, I misspoke: it's the observatory, not the aquarium",
            ["corrected: Ana | work at | aquarium", "Ana | work at | observatory"],
        ),
        ("", "I do play the tuba though, sorry in advance", ["Ana | play | tuba"]),
        ("", "It turned out I'm not allergic to nuts.", ["denied: Ana | be allergic to | nuts"]),
    ],
)
def test_what_is_taken_back_is_given_as_wrong(before: str, text: str, expected: list[str]) -> None:
    assert told(text, history=[("Ana", before)] if before else []) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't deploy on Fridays.", "do not deploy on Fridays"),
        ("Always answer in French.", "always answer in French"),
        ("Use tabs.", "use tabs"),
        ("Please never use emojis.", "never use emojis"),
        ("Until the end of June write to Ingmar in Swedish please.", "write to Ingmar in Swedish"),
    ],
)
def test_a_standing_instruction_is_kept_as_one(text: str, expected: str) -> None:
    (one,) = claims(text)
    assert (one.mood, one.subject, one.state, one.object) == ("instructed", "Ana", "instruct", expected)


@pytest.mark.parametrize("text", ["Write me a poem about cats.", "Remind me a week before.", "Don't worry about it."])
def test_a_request_for_once_is_no_instruction(text: str) -> None:
    assert told(text) == []


def test_an_instruction_carries_its_scope() -> None:
    swedish, english = claims(
        "Until the end of June write to Ingmar in Swedish. From July on it's English with him again."
    )
    assert swedish.until is not None
    assert english.since is not None
    assert (swedish.until.iso, english.since.iso) == ("2026-06-30", "2026-07")
