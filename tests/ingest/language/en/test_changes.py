"""Told changes, and what is no change though its verb is the same."""

import pytest
from saying import claims, told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved from Nice to Lyon in March.", ["Ana | live in | Lyon", "ended: Ana | live in | Nice"]),
        ("I moved back to Paris.", ["Ana | live in | Paris"]),
        ("I moved to a new phone.", ["Ana | move to | new phone"]),
        ("I quit my job at Initech.", ["ended: Ana | work at | Initech"]),
        ("They laid me off this morning.", ["ended: Ana | work at | None"]),
        ("I was fired by Acme.", ["ended: Ana | work at | Acme"]),
        ("I left Initech for Globex.", ["ended: Ana | work at | Initech", "Ana | work at | Globex"]),
        ("I joined Globex as a designer.", ["Ana | work at | Globex", "Ana | work as | designer"]),
        ("Initech hired me as a tester.", ["Ana | work at | Initech", "Ana | work as | tester"]),
        ("Next Friday is my last day at the pharmacy.", ["ended: Ana | work at | pharmacy"]),
        ("I sold the Vespa.", ["ended: Ana | own | Vespa"]),
        ("I gave away my old piano.", ["ended: Ana | own | old piano"]),
        ("I lost my keys.", ["Ana | lose | keys"]),
        ("I switched from vim to Helix.", ["Ana | use | Helix", "ended: Ana | use | vim"]),
        ("My wife and I split up.", ["ended: Ana's wife | be with | None", "ended: Ana | be with | None"]),
        ("We got divorced in 2019.", ["ended: Ana | be married to | None"]),
        ("I stopped eating meat.", ["ended: Ana | eat | meat"]),
        ("I no longer eat fish.", ["ended: Ana | eat | fish"]),
        ("I'm not vegan any more.", ["ended: Ana | be | vegan"]),
        ("I used to smoke.", ["ended: Ana | smoke | None"]),
        ("I worked at Acme from 2015 to 2018.", ["ended: Ana | work at | Acme"]),
        ("home again in Prague, and for good this time", ["Ana | live in | Prague"]),
        ("freelance guide since January 2023", ["Ana | work as | freelance guide"]),
        ("I rolled prod back to 7.2.4.", ["prod | be | 7.2.4"]),
        ("My mother-in-law sells the honey.", ["Ana's mother-in-law | sell | honey"]),
        ("I have no pets.", ["denied: Ana | have | pets"]),
        ("They pushed the audit report to the 26th.", ["audit report | be due | the 26th"]),
    ],
)
def test_a_change_names_the_state_that_it_ends_or_begins(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def test_a_beginning_is_told_from_a_state() -> None:
    (moved,) = claims("I moved to Lyon.")
    (lives,) = claims("I live in Lyon.")
    assert (moved.began, lives.began) == (True, False)
    assert (moved.kind, lives.kind) == ("home", "home")
    (also,) = claims("I also work as a DJ.")
    assert also.adds


@pytest.mark.parametrize(
    ("text", "quantity", "counted", "kind"),
    [
        ("I have two dogs.", 2, "dog", "count"),
        ("I own three guitars.", 3, "guitar", "count"),
        ("I have a dog.", None, None, "pet"),
        ("I am 34 years old.", None, None, "age"),
    ],
)
def test_numbers_are_part_of_what_is_said(text: str, quantity: float | None, counted: str | None, kind: str) -> None:
    (one,) = claims(text)
    assert (one.quantity, one.counted, one.kind) == (quantity, counted, kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My kids Tom and Lea play football.", ["Tom | play | football", "Lea | play | football"]),
        ("I collect postcards and fountain pens.", ["Ana | collect | postcards", "Ana | collect | fountain pens"]),
        ("Anna lives in Rome and Paul moved to Oslo.", ["Anna | live in | Rome", "Paul | live in | Oslo"]),
        ("Ravi hates snakes.", ["Ravi | hate | snakes"]),
    ],
)
def test_each_of_several_is_a_fact_of_its_own(text: str, expected: list[str]) -> None:
    assert told(text) == expected
