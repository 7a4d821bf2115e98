"""What a turn says in the light of the turns before it: new numbers, corrections, losses, duties, answers."""

import pytest
from saying import told


def last(turns: list[str]) -> list[str]:
    """What the last of one speaker's turns says."""
    return told(turns[-1], history=[("Ana", turn) for turn in turns[:-1]])


PETS = ["We have a cat called Pixel.", "Pixel passed away on Tuesday."]
HENS = ["We had 12 hens until the fox came.", "5 left."]
CLASS = ["I've got eleven students in the ukulele class.", "Ukulele class is up to fourteen students now."]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (PETS, ["Pixel | pass away | None", "ended: Ana | have | cat called Pixel"]),
        (["I have a dog.", "My uncle died."], ["Ana's uncle | die | None"]),
        (HENS, ["Ana | have | 5 hens"]),
        (["I have three goats.", "Down to two now."], ["Ana | have | two goats"]),
        (CLASS, ["Ana | have | fourteen students in the ukulele class", "Ukulele class | be | fourteen students"]),
        (["I own a boat.", "5 left."], []),
        (["My laptop runs Fedora 42.", "Upgraded to 43."], ["Ana's laptop | run | Fedora 43"]),
        (["My rent is 640 a month.", "They put the rent up to 710."], ["Ana's rent | be | 710"]),
        (["Our membership costs 29 euros.", "It went up to 35 euros."], ["Ana's membership | be | 35 euros"]),
        (["prod is on 7.3.0.", "had to roll prod back to 7.2.4"], ["prod | be | 7.2.4"]),
    ],
)
def test_what_was_told_before_is_carried_on(turns: list[str], expected: list[str]) -> None:
    assert last(turns) == expected


@pytest.mark.parametrize(
    ("turns", "wrong", "right"),
    [
        (["I work at Google.", "It's Apple, not Google."], "Ana | work at | Google", "Ana | work at | Apple"),
        (["We live in Oslo.", "In Bergen, not Oslo, sorry."], "Ana | live in | Oslo", "Ana | live in | Bergen"),
        (
            ["My address is Hafnarbraut 17.", "typo above, house number is 71 not 17"],
            "Ana | have address | Hafnarbraut 17",
            "Ana | have address | Hafnarbraut 71",
        ),
        (
            ["The grant application is due on 3 July.", "It's 13 July actually."],
            "grant application | be due | 3 July",
            "grant application | be due | 13 July",
        ),
        (
            ["The board meeting is on Friday.", "Correction, Thursday."],
            "board meeting | be on | Friday",
            "board meeting | be on | Thursday",
        ),
    ],
)
def test_a_correction_takes_back_what_was_said_and_says_it_right(turns: list[str], wrong: str, right: str) -> None:
    assert last(turns) == [f"corrected: {wrong}", right]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Elena handed the newsletter over to Marc.",
            ["ended: Elena | be in charge of | newsletter", "Marc | be in charge of | newsletter"],
        ),
        (
            "Prakash passed the migration lead to Fiona.",
            ["ended: Prakash | be in charge of | migration", "Fiona | be in charge of | migration"],
        ),
        ("Elena passed the salt to Marc.", ["Elena | pass | salt"]),
        (
            "Layla and Tarek moved to Doha and Muscat respectively.",
            ["Layla | live in | Doha", "Tarek | live in | Muscat"],
        ),
        (
            "Marlene, our landlady and a retired judge, has joined my bridge club.",
            ["Marlene | join | bridge club", "Marlene | be landlady of | Ana", "Marlene | be | retired judge"],
        ),
        ("My number is 0470 11 22 33.", ["Ana | have number | 0470 11 22 33"]),
        ("I've turned a corner.", []),
        ("The demo is on Wednesday, no sorry, Thursday, at ten.", ["demo | be on | Thursday"]),
    ],
)
def test_one_turn_says(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        ("Window or aisle?", "aisle, always", ["Ana | prefer | aisle"]),
        ("Do you prefer tea or coffee?", "tea", ["Ana | prefer | tea"]),
        ("Do you prefer tea or coffee?", "tea and coffee", []),
        ("Are you allergic to anything?", "yes, walnuts", ["Ana | be allergic to | walnuts"]),
        ("Do you have any food allergies I should know of?", "shellfish", ["Ana | be allergic to | shellfish"]),
        ("Do you have any pets?", "two rabbits", ["Ana | have | two rabbits"]),
        ("Do you have any pets?", "no", ["denied: Ana | have | pets"]),
        (
            "Is your brother's name Paul?",
            "No, it's Peter",
            ["corrected: Ana's brother | have name | Paul", "Ana's brother | have name | Peter"],
        ),
        (
            "Are you still living in Bruges?",
            "no, Namur since April",
            ["ended: Ana | live in | Bruges", "Ana | live in | Namur"],
        ),
    ],
)
def test_an_answer_is_read_with_its_question(question: str, reply: str, expected: list[str]) -> None:
    assert told(reply, history=[("Assistant", question)]) == expected
