"""What is learned from a turn, rule by rule."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.pipelines.ingest.language.base import Claim, Utterance
from reverie.pipelines.ingest.language.en.english import English

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)  # a Friday
READER = English()


def claims(text: str, speaker: str = "Ben", history: tuple[tuple[str, str], ...] = ()) -> tuple[Claim, ...]:
    before = [Utterance(said, who, (), AT) for who, said in history]
    return READER.extract([Utterance(text, speaker, (), AT)], before)[0].observations


def triples(
    text: str, speaker: str = "Ben", history: tuple[tuple[str, str], ...] = ()
) -> list[tuple[str, str, str | None]]:
    return [
        (claim.subject, f"not {claim.predicate}" if claim.negated else claim.predicate, claim.object)
        for claim in claims(text, speaker, history)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Acme as a designer.", [("Ben", "work at", "Acme")]),
        ("Sold my old bike.", [("Ben", "sell", "old bike")]),
        ("My sister Ruth lives in Malmo.", [("Ruth", "live in", "Malmo")]),
        ("My wife teaches maths.", [("Ben's wife", "teach", "maths")]),
        ("The server runs on port 8080.", [("server", "run on", "port 8080")]),
    ],
    ids=["I", "left out", "kin by name", "kin without a name", "a thing"],
)
def test_who_a_claim_is_about(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert triples(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna lives in Rome and Paul moved to Oslo.", ["live in", "move to"]),
        ("I sold my car and bought a bike.", ["sell", "buy"]),
        ("I'm a nurse, but my brother works in a bank.", ["be", "work in"]),
        ("The test failed because the clock was wrong.", ["fail", "be wrong"]),
    ],
)
def test_joined_clauses_are_claims_of_their_own(text: str, expected: list[str]) -> None:
    assert [predicate for _, predicate, _ in triples(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "I no longer live in Rome.",
        "I don't live in Rome anymore.",
        "I have never lived in Rome.",
        "I do not live in Rome.",
    ],
)
def test_denials(text: str) -> None:
    assert triples(text) == [("Ben", "not live in", "Rome")]


def test_what_is_added_about_somebody_is_a_claim_of_its_own() -> None:
    found = claims("My cousin Ella, who is a nurse, moved to Leeds.")
    assert [claim.content for claim in found] == ["Ella is a nurse.", "Ben's cousin Ella moved to Leeds."]


def test_what_was_stopped_is_named() -> None:
    assert triples("I used to fence, but I quit in May.") == [("Ben", "quit", "fencing")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My birthday is on May 2nd.", ("Ben", "have birthday", "May 2nd")),
        ("My email is ben@example.org.", ("Ben", "have email", "ben@example.org")),
        ("My favourite film is Alien.", ("Ben", "have favourite film", "Alien")),
        ("Ruth is my manager.", ("Ruth", "be manager of", "Ben")),
        ("Painting is my passion.", ("Ben", "have passion", "Painting")),
    ],
)
def test_what_is_whose(text: str, expected: tuple[str, str, str]) -> None:
    assert triples(text) == [expected]


def test_a_passive_tells_of_the_one_who_did_it() -> None:
    assert triples("The report was written by Ruth.") == [("Ruth", "write", "report")]
    assert triples("My bike was stolen.") == [("Ben's bike", "be stolen", None)]


def test_reported_speech_is_about_what_was_said() -> None:
    told = claims("Ruth told me that Paul moved to Oslo.")
    assert [(claim.subject, claim.object) for claim in told] == [("Paul", "Oslo")]
    assert told[0].confidence < 1
    assert triples("Ruth said she will lead the team.") == [("Ruth", "lead", "team")]
    assert triples("I don't think Paul lives here.")[0][1].startswith("not ")


@pytest.mark.parametrize(
    "text",
    [
        "Do you like jazz?",
        "What a week!",
        "Thanks so much, you're the best!",
        "Good morning!",
        "I wish I had a garden.",
        "I hope it snows.",
        "She hopes to move to Spain.",
        "If it rains, we will stay at home.",
        "Unless Paul calls, I will go home.",
        "Maybe I'll buy a boat.",
        "I might travel to Peru.",
        "You should try yoga.",
        "Let's meet at six.",
        "Take care!",
        "Sounds good!",
        "Haha, me too.",
        "",
        "   ",
        "😀😀",
        "...",
    ],
)
def test_what_is_not_asserted_gives_nothing(text: str) -> None:
    assert claims(text) == ()


def test_what_is_to_be_remembered_is_said() -> None:
    assert triples("Remember that I am allergic to peanuts.") == [("Ben", "be allergic to", "peanuts")]


def test_standing_requests_are_of_the_one_who_asks() -> None:
    assert claims("Please use metric units in every report.")[0].content == (
        "Ben asks the agent: use metric units in every report."
    )
    assert claims("Never push to the main branch.")[0].content == "Ben asks the agent: never push to the main branch."


def test_pronouns_are_carried_from_turn_to_turn() -> None:
    history = (("Ben", "My sister Ruth moved to Oslo."), ("Ann", "How is she doing?"))
    assert triples("She works for a bank.", history=history) == [("Ruth", "work for", "bank")]
    assert triples("She works for a bank.") == []


def test_content_stands_alone_in_the_third_person() -> None:
    assert claims("I'm learning the oboe, and my son Max hates it!")[0].content == "Ben is learning the oboe."
    assert claims("We've got two cats.")[0].content == "Ben has got two cats."
    assert claims("[shares a photo: my red kite] I flew my kite.")[0].content == "Ben flew their kite."


def test_entities_are_typed_and_clean() -> None:
    text = (
        "Glad you came! My sister Ruth wrote src/app/main.py in Lisbon. See https://example.org/a, ask ben@example.org."
    )
    found = READER.extract([Utterance(text, "Ben", (), AT)])[0].entities
    assert {(mention.name, mention.type) for mention in found} >= {
        ("Ruth", "person"),
        ("src/app/main.py", "file"),
        ("Lisbon", "place"),
        ("https://example.org/a", "url"),
        ("ben@example.org", "email"),
    }
    assert "Glad" not in {mention.name for mention in found}


def test_a_turn_of_a_batch_is_extracted_as_if_alone_with_its_history() -> None:
    said = ["I moved to Oslo in 2020.", "My brother Tim plays chess.", "He won a cup yesterday."]
    utterances = [Utterance(text, "Ben", ("Ann",), AT) for text in said]
    together = READER.extract(utterances)
    assert together[2] == READER.extract(utterances[2:], utterances[:2])[0]
    assert together == READER.extract(utterances)


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    for claim in claims(text):
        assert claim.subject
        assert claim.predicate
        assert claim.content.endswith(".")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Midway", "Pacific/Kiritimati"])
def test_yesterday_is_the_day_before_the_message_wherever_the_server_stands(
    zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "TZ", zone)
    time.tzset()
    try:
        late = datetime.fromisoformat("2024-03-15T23:30:00-08:00")
        claim = READER.extract([Utterance("I sold my car yesterday.", "Ben", (), late)])[0].observations[0]
        assert claim.when == "2024-03-14"
        assert claim.when_start == datetime(2024, 3, 14, 8, tzinfo=UTC)
        assert claim.when_end == datetime(2024, 3, 15, 8, tzinfo=UTC)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_most_of_what_a_careful_reader_would_keep_is_found() -> None:
    """Turns of many kinds, with the subjects and the dates a careful reader would give."""
    lines = (Path(__file__).parents[3] / "data" / "extract-own.jsonl").read_text(encoding="utf-8").splitlines()
    wanted, found = 0, 0
    for line in map(json.loads, lines):
        utterance = Utterance(line["text"], line["speaker"], (), datetime.fromisoformat(line["at"]))
        got = READER.extract([utterance])[0].observations
        if not line["expect"]:
            assert got == (), line["text"]
        subjects = {claim.subject.removeprefix(f"{utterance.speaker}'s ") for claim in got}
        dates = {claim.when for claim in got if claim.when}
        for expected in line["expect"]:
            wanted += 1
            dated = expected["when"] is None or any(date.startswith(expected["when"]) for date in dates)
            found += expected["subject"] in subjects and dated
    assert found / wanted > 0.9
