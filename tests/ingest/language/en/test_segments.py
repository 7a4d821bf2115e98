"""Whose words a message holds."""

import pytest
from saying import claims, told

from reverie.pipelines.ingest.language.en.segments import segments

CHAT = """pasting our chat:
Vera: I moved to Malmö last week
Boris: nice, I'm still in Ghent

I like chess."""
MAIL = """---------- Forwarded message ---------
From: Eva Lund <eva@example.org>
Date: Monday
Subject: News

I have two cats.

I moved to Oslo."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> I work at the harbour office.\nThanks, noted.", []),
        ("On Monday, Bob Smith wrote:\n> I own a boat.", ["Bob Smith | own | boat"]),
        (CHAT, ["Vera | live in | Malmö", "Boris | be in | Ghent", "Ana | like | chess"]),
        ("Vera: I own a boat.", ["Vera | own | boat"]),
        (MAIL, ["Eva Lund | have | two cats", "Eva Lund | live in | Oslo"]),
        ("Here's what my cousin wrote:\nI am a nurse.\n\nI live in Rome.", []),
        ('{"name": "I live in Oslo"}\nI live in Bergen.', ["Ana | live in | Bergen"]),
        ("```\nI own a boat\n```\nI own a car.", ["Ana | own | car"]),
        ("2026-05-01 10:00:01 INFO I own a boat", []),
        ("♪ I was born in a taxi ♪", []),
        ('Eva said "I live in Oslo".', ["Eva | live in | Oslo"]),
        ('"I own a boat," said my brother Tom.', ["Tom | own | boat"]),
        ('My mum texted me "we sold the house".', ["ended: Ana's mum | own | house"]),
        ("[13:58] Pavle: I own a boat\n[13:59] Milena: I own a car", ["Pavle | own | boat", "Milena | own | car"]),
        ('"I own a boat", writes Haruki.', ["Haruki | own | boat"]),
        ("Tove, my wife Marit's sister, owns a boat.", ["Tove | own | boat", "Tove | be sister of | Marit"]),
        ("This is my friend Tove typing: I am allergic to penicillin.", ["Tove | be allergic to | penicillin"]),
        ("Hey, it's Luis's wife Carmen here, I own a boat.", ["Carmen | own | boat"]),
        ("Ana here, I own a boat.", ["Ana | own | boat"]),
    ],
)
def test_words_are_their_speakers(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def test_a_claim_tells_whose_words_it_was_read_from() -> None:
    (quoted,) = claims('Eva said "I live in Oslo".')
    assert (quoted.told, quoted.speaker) == ("quoted", "Eva")
    (own,) = claims("I live in Oslo.")
    assert (own.told, own.speaker) == ("own", None)


def test_a_title_in_quotation_marks_is_no_speech() -> None:
    assert told('I read "The Great Gatsby".') == ["Ana | read | The Great Gatsby"]


def test_all_words_of_a_plain_message_are_the_senders() -> None:
    text = "To the landlord,\n\nI rent flat 4C.\n\n- I own a dog\n- I own a cat\n\nAna"
    assert {segment.speaker for segment in segments(text, "Ana")} == {"Ana"}
