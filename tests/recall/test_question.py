"""What a question is taken to ask for."""

from datetime import UTC, datetime

import pytest

from reverie.pipelines.recall.question import read

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "When did Ana move to Lisbon?",
        "when's the wedding?",
        "Since when has Ana played chess?",
        "When exactly was the outage?",
        "When?",
        "Do you know when Ana moved?",
        "Tell me when the build went out.",
        "How long has Ana lived there?",
        "In which month did Ana move?",
    ],
)
def test_it_asks_for_a_time(question: str) -> None:
    assert read(question, NOW).answer == "time"


@pytest.mark.parametrize(
    "question",
    [
        "What helped when the mailer lost its traffic?",
        "How did Ana feel when her sister called?",
        "Who cooks when Ana works late?",
        "What kind of music does Ana like?",
    ],
)
def test_a_time_that_the_question_names_is_not_asked_for(question: str) -> None:
    assert read(question, NOW).answer == "any"


def test_a_number_is_asked_for() -> None:
    assert read("How many replicas run since March?", NOW).answer == "number"


def test_names_are_written_large() -> None:
    assert read("Did they meet Ana Silva in Porto?", NOW).names == ("Ana Silva", "Porto", "Silva", "Ana", "Did")
    assert read("где живёт Анна Петрова", NOW).names == ("Анна Петрова", "Петрова", "Анна")


def test_a_document_may_be_asked_with() -> None:
    document = " ".join(f"Heading{number}" for number in range(5000))
    asked = read(f"{document}. So where is the violet lamp?", NOW)
    assert {"violet", "lamp"} <= set(asked.keywords)
    assert len(asked.names) <= 12
