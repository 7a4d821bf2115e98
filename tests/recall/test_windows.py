"""The time that a question names, and what only looks like one."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie import Memory
from reverie.pipelines.recall import windows

NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)  # a Wednesday
EVER = datetime(1, 1, 2, tzinfo=UTC)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did we say last Friday?", "2026-06-12", "2026-06-13"),
        ("Which film did we see Sunday?", "2026-06-14", "2026-06-15"),
        ("What did we do Sunday with Bob?", "2026-06-14", "2026-06-15"),
        ("Two weeks ago, what did we decide?", "2026-05-31", "2026-06-07"),
        ("What broke in the last two weeks?", "2026-06-03", "2026-06-18"),
        ("What broke over the past 3 days?", "2026-06-14", "2026-06-18"),
        ("What did they do over the weekend?", "2026-06-13", "2026-06-15"),
        ("What did they do on the 3rd?", "2026-06-03", "2026-06-04"),
        ("What did they do on the 29th?", "2026-05-29", "2026-05-30"),
        ("What was due on 2026/06/14?", "2026-06-14", "2026-06-15"),
        ("What happened between March and May 2026?", "2026-03-01", "2026-06-01"),
        ("What happened between November and February 2026?", "2025-11-01", "2026-03-01"),
        ("What happened from 3 to 5 May 2026?", "2026-05-03", "2026-05-06"),
        ("What happened between 2020 and 2023?", "2020-01-01", "2024-01-01"),
        ("What did she get two weeks before August 11, 2023?", "2023-07-25", "2023-08-12"),
        ("What did she do on the day after 3 May 2023?", "2023-05-03", "2023-05-05"),
        ("What was shown on the Sunday before 14 June 2023?", "2023-06-07", "2023-06-15"),
        ("What did she do the day before yesterday?", "2026-06-15", "2026-06-16"),
        ("How did it go in Q1?", "2026-01-01", "2026-04-01"),
    ],
)
def test_a_stretch_with_two_ends(question: str, start: str, end: str) -> None:
    window = windows.read(question, NOW)
    assert window is not None
    assert (window.start, window.end, window.yearless) == (day(start), day(end), False)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What changed since June?", "2026-06-01", None),
        ("What changed since yesterday?", "2026-06-16", None),
        ("What happened after March 2026?", "2026-04-01", None),
        ("What happened before 2025?", None, "2025-01-01"),
        ("What did we do until May?", None, "2026-06-01"),
    ],
)
def test_a_stretch_with_one_end(question: str, start: str | None, end: str | None) -> None:
    window = windows.read(question, NOW)
    assert window is not None
    assert (window.start, window.end) == (day(start) if start else EVER, day(end) if end else None)


@pytest.mark.parametrize(
    "question",
    [
        "May I see it?",
        "Who may go?",
        "They march 10 miles a day",
        "On second thought, which one?",
        "Does it crash on sun exposure?",
        "Sunday roast recipe",
        "What is the Friday deploy freeze policy?",
        "Who was in Black Sunday?",
        "Who won the 24 Hours of Le Mans?",
        "Who wrote 1984?",
        "Which bean is used in Spring Boot?",
        "Who has been here since Jan came?",
        "What is on the 3rd floor?",
        "How far is it from 9 to 5?",
        "What lies between Lyon and Paris?",
        "What happened 300 decades ago?",
    ],
)
def test_what_only_looks_like_a_time(question: str) -> None:
    assert windows.read(question, NOW) is None


def test_a_time_behind_a_name_is_found() -> None:
    window = windows.read("Did we eat the Sunday roast in May 2025?", NOW)
    assert window is not None
    assert (window.start, window.end) == (day("2025-05-01"), day("2025-06-01"))


def test_a_month_without_a_year_is_that_of_any() -> None:
    east = timezone(timedelta(hours=9))
    window = windows.read("What did we do in January?", NOW.astimezone(east))
    assert window is not None
    assert window.holds(datetime(2024, 1, 31, 12, tzinfo=east))
    assert window.holds(datetime(2026, 1, 1, 1, tzinfo=east))
    assert not window.holds(datetime(2026, 2, 1, 1, tzinfo=east))


def test_days_are_those_of_who_asks(quick_memory: Memory) -> None:
    agent = quick_memory.agent("assistant")
    for hour in (10, 20):
        at = datetime(2026, 6, 15, hour, tzinfo=UTC)
        agent.session(f"s-{hour}").observe(sender="ana", content=f"violet lamp {hour}", message_id=f"m-{hour}", at=at)
    tokyo = timezone(timedelta(hours=9))  # where the second was said on the 16th
    bundle = agent.recall("violet lamp yesterday", at=datetime(2026, 6, 17, 6, tzinfo=tokyo))
    assert bundle.trace.window == (datetime(2026, 6, 15, 15, tzinfo=UTC), datetime(2026, 6, 16, 15, tzinfo=UTC))
    assert bundle.items[0].id == "m-20"
