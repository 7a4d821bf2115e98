"""The time that a question names, and what only looks like one."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie import Memory
from reverie.pipelines.recall import question, windows
from reverie.pipelines.recall.candidates import searches
from reverie.pipelines.recall.question import Query

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


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("Was habe ich im Mai 2023 gemacht?", "2023-05-01", "2023-06-01"),
        ("Was war am 3. Mai 2023?", "2023-05-03", "2023-05-04"),
        ("Was habe ich letzten Monat gegessen?", "2026-05-01", "2026-06-01"),
        ("Was habe ich vorgestern gemacht?", "2026-06-15", "2026-06-16"),
        ("Was war vor 3 Tagen?", "2026-06-14", "2026-06-15"),
        ("Was war letzten Freitag?", "2026-06-12", "2026-06-13"),
        ("Qu'est-ce que j'ai fait le 3 mars 2024 ?", "2024-03-03", "2024-03-04"),
        ("Où étais-je vendredi dernier ?", "2026-06-12", "2026-06-13"),
        ("Que faisions-nous en août 2023 ?", "2023-08-01", "2023-09-01"),
        ("Où étais-je la semaine dernière ?", "2026-06-08", "2026-06-15"),
        ("Qu'est-il arrivé il y a 3 jours ?", "2026-06-14", "2026-06-15"),
        ("¿Qué hice el 3 de mayo de 2023?", "2023-05-03", "2023-05-04"),
        ("¿Qué hice el mes pasado?", "2026-05-01", "2026-06-01"),
        ("¿Dónde estuve el viernes pasado?", "2026-06-12", "2026-06-13"),
        ("¿Qué hice hace 2 semanas?", "2026-05-31", "2026-06-07"),
        ("Что я делал 3 мая 2023 года?", "2023-05-03", "2023-05-04"),
        ("Что было в прошлом месяце?", "2026-05-01", "2026-06-01"),
        ("Что было в прошлую пятницу?", "2026-06-12", "2026-06-13"),
        ("Что было 3 дня назад?", "2026-06-14", "2026-06-15"),
        ("Что было в 2023 году?", "2023-01-01", "2024-01-01"),
        ("我去年5月做了什么？", "2025-05-01", "2025-06-01"),
        ("2023年5月3日我做了什么？", "2023-05-03", "2023-05-04"),
        ("2023年十二月我们去了哪里？", "2023-12-01", "2024-01-01"),
        ("上个月我吃了什么？", "2026-05-01", "2026-06-01"),
        ("昨天我做了什么？", "2026-06-16", "2026-06-17"),
        ("三天前发生了什么？", "2026-06-14", "2026-06-15"),
        ("十二年前我在哪里？", "2014-01-01", "2015-01-01"),
        ("先週何をしましたか？", "2026-06-08", "2026-06-15"),
    ],
)
def test_times_in_other_languages(question: str, start: str, end: str) -> None:
    window = windows.read(question, NOW)
    assert window is not None
    assert (window.start, window.end, window.yearless) == (day(start), day(end), False)


@pytest.mark.parametrize("question", ["Was machten wir im März?", "¿Qué hicimos en marzo?", "三月我们做了什么？"])
def test_a_month_in_another_language_is_that_of_any_year(question: str) -> None:
    window = windows.read(question, NOW)
    assert window is not None
    assert window.yearless
    assert window.start == day("2026-03-01")


@pytest.mark.parametrize(
    "question", ["Il mare e la montagna", "What is a mar?", "Was ist mein Hobby?", "我的爱好是什么？"]
)
def test_words_of_other_languages_that_are_no_times(question: str) -> None:
    assert windows.read(question, NOW) is None


@pytest.mark.parametrize(
    ("question", "start", "end", "yearless"),
    [
        ("What did we do in the first week of January 2024?", "2024-01-01", "2024-01-08", False),
        ("What did we do in the first week of January?", "2026-01-01", "2026-01-08", True),
        ("What happened on the last weekend of May 2025?", "2025-05-24", "2025-05-26", False),
        ("Where was I at the end of March 2025?", "2025-03-21", "2025-04-01", False),
        ("Where was I in early March 2025?", "2025-03-01", "2025-03-11", False),
        ("What did we do at Christmas?", "2025-12-24", "2025-12-27", True),
        ("Where was she last Christmas?", "2025-12-24", "2025-12-27", False),
        ("Where did we go on spring break 2024?", "2024-03-01", "2024-04-16", False),
        ("Who came for Thanksgiving 2025?", "2025-11-27", "2025-11-28", False),
        ("Who came at Easter 2024?", "2024-03-29", "2024-04-02", False),
        ("圣诞节我们做了什么？", "2025-12-24", "2025-12-27", True),
    ],
)
def test_occasions_and_parts_of_months(question: str, start: str, end: str, yearless: bool) -> None:
    window = windows.read(question, NOW)
    assert window is not None
    assert (window.start, window.end, window.yearless) == (day(start), day(end), yearless)


@pytest.mark.parametrize(
    "question", ["Which Christmas presents did we buy?", "I was hungry for 3 days, why?", "Who likes the Easter bunny?"]
)
def test_what_bears_the_name_of_a_time_and_what_only_lasts_are_no_window(question: str) -> None:
    assert windows.read(question, NOW) is None


@pytest.mark.parametrize(("day_first", "start"), [(True, "2024-01-10"), (False, "2024-10-01")])
def test_the_order_of_day_and_month_is_assumed_and_told(day_first: bool, start: str) -> None:
    window = windows.read("What was on 10.01.2024?", NOW, windows.Calendar(day_first=day_first))
    assert window is not None
    assert window.start == day(start)
    assert start in window.assumed[0]


def test_an_order_that_the_numbers_decide_is_not_assumed() -> None:
    for asked in ("What was on 25/12/2023?", "What was on 12/25/2023?"):
        window = windows.read(asked, NOW)
        assert window is not None
        assert (window.start, window.assumed) == (day("2023-12-25"), ())


def test_seasons_and_breaks_are_those_of_a_half_of_the_earth() -> None:
    south = windows.Calendar(southern=True)
    for asked, start in (
        ("What did we do in summer 2024?", "2024-12-01"),
        ("Who came in winter 2024?", "2024-06-01"),
    ):
        window = windows.read(asked, NOW, south)
        assert window is not None
        assert window.start == day(start)


def test_what_was_assumed_of_a_date_stands_in_the_trace(quick_memory: Memory) -> None:
    notes = quick_memory.agent("assistant").recall("What was on 10.01.2024?").trace.notes
    assert any("day first" in note for note in notes)


def test_a_time_is_searched_with_the_days_around_it() -> None:
    query = Query("What stood there last Friday?", "assistant", at=NOW, valid_as_of=NOW, known_as_of=NOW)
    named = searches(query, question.read(query.text, NOW), ("message",), "expand", ("stood",), None)
    (timely,) = [search for channel, search in named if channel == "time"]
    assert timely.filter.since is not None
    assert timely.filter.until is not None
    assert timely.filter.since < day("2026-06-12")  # a plan of it
    assert timely.filter.until > day("2026-06-13") + timedelta(hours=20)  # told the evening after
