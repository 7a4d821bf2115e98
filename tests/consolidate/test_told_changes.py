"""What a told change, end, correction or plan does to what is believed: by kinds of things, not by the verb."""

import itertools

import pytest
from telling import AGENT, day, lives, tell

from reverie.pipelines import facts
from reverie.pipelines.consolidate import consolidate
from reverie.pipelines.context import Context
from reverie.store.records.knowledge import ObservationRecord

Told = tuple[str, float, dict[str, object]]


def heard(text: str, at: float, kind: str | None = None, mood: str = "asserted", **more: object) -> Told:
    return text, at, {"kind_of_thing": kind, "mood": mood, **more}


CHANGES: dict[str, tuple[list[Told], dict[str, list[tuple[float, float | None]]]]] = {
    "a move ends another way of saying where one lives": (
        [
            heard("Ana | be based in | Lille", 1, "home"),
            heard("Ana | move to | Annecy", 5, "home", state="live in", began=True),
        ],
        {"Ana | be based in | Lille": [(1, 5)], "Ana | live in | Annecy": [(5, None)]},
    ),
    "a new phone is no home": (
        [heard("Ana | live in | Bergen", 1, "home"), heard("Ana | move to | new phone", 5)],
        {"Ana | live in | Bergen": [(1, None)], "Ana | move to | new phone": [(5, None)]},
    ),
    "losing the job ends the employer and the role told with it": (
        [
            heard("Ana | work at | Acme", 1, "employer", message="m"),
            heard("Ana | be | data analyst", 1, "role", message="m"),
            heard("Ana | be laid off", 5, "employer", "ended", state="work at"),
        ],
        {"Ana | work at | Acme": [(1, 5)], "Ana | be | data analyst": [(1, 5)]},
    ),
    "also adds": (
        [heard("Ana | work as | nurse", 1, "role"), heard("Ana | work as | DJ", 5, "role", adds=True)],
        {"Ana | work as | nurse": [(1, None)], "Ana | work as | DJ": [(5, None)]},
    ),
    "a role that was become ends the one before": (
        [heard("Ana | be | nurse", 1, "role"), heard("Ana | become | doctor", 5, "role", state="be", began=True)],
        {"Ana | be | nurse": [(1, 5)], "Ana | be | doctor": [(5, None)]},
    ),
    "what is sold is had no more, whatever else one has": (
        [
            heard("Ana | have | red Vespa", 1, "possession"),
            heard("Ana | own | canoe", 1, "possession"),
            heard("Ana | sell | Vespa", 5, "possession", "ended", state="own"),
        ],
        {
            "Ana | have | red Vespa": [(1, 5)],
            "Ana | own | canoe": [(1, None)],
            "Ana | used to own | Vespa": [(5, None)],
        },
    ),
    "a later count replaces an earlier one of the same things": (
        [
            heard("Ana | have | two guitars", 1, "possession"),
            heard("Ana | own | two dogs", 1, "pet"),
            heard("Ana | own | three guitars", 5, "possession"),
        ],
        {
            "Ana | have | two guitars": [(1, 5)],
            "Ana | own | two dogs": [(1, None)],
            "Ana | own | three guitars": [(5, None)],
        },
    ),
    "a correction makes the corrected never have been": (
        [
            heard("Ana | work at | Google", 1, "employer"),
            heard("Ana | work at | Google", 5, "employer", "corrected"),
            heard("Ana | work at | Apple", 5, "employer"),
        ],
        {"Ana | work at | Apple": [(5, None)]},
    ),
    "a correction finds what it corrects by its words": (
        [heard("Ana | work out of | Bristol", 1), heard("Ana | be in | Bristol", 5, None, "corrected")],
        {},
    ),
    "a plan is no state": (
        [
            heard("Ana | live in | Leeds", 1, "home"),
            heard("Ana | move to | Halifax", 5, "home", "planned", state="live in"),
        ],
        {"Ana | live in | Leeds": [(1, None)], "Ana | plan to move to | Halifax": [(5, None)]},
    ),
    "a plan ends when it is told to have come true": (
        [
            heard("Ana | move to | Halifax", 1, "home", "planned", state="live in"),
            heard("Ana | move to | Halifax", 5, "home", state="live in", began=True),
        ],
        {"Ana | plan to move to | Halifax": [(1, 5)], "Ana | live in | Halifax": [(5, None)]},
    ),
    "a plan that is cancelled ends": (
        [
            heard("Ana | move to | Halifax", 1, "home", "planned", state="live in"),
            heard("Ana | plan to move to | Halifax", 5, "home", "ended", state="live in"),
        ],
        {"Ana | plan to move to | Halifax": [(1, 5)]},
    ),
    "a verb of doing is no single value": (
        [heard("Ana | email | Bob", 1), heard("Ana | email | Cem", 5), heard("Ana | phone | mom", 6)],
        {"Ana | email | Bob": [(1, None)], "Ana | email | Cem": [(5, None)], "Ana | phone | mom": [(6, None)]},
    ),
    "liking what one disliked is a change of mind": (
        [heard("Ana | hate | coriander", 1, "preference"), heard("Ana | love | coriander", 5, "preference")],
        {"Ana | hate | coriander": [(1, 5)], "Ana | love | coriander": [(5, None)]},
    ),
    "an announced end comes in its time": (
        [heard("Ana | work at | pharmacy", 1, "employer", "ended", until=day(8), until_told="2026-01-08")],
        {"Ana | work at | pharmacy": [(1, 8)]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES)
def test_a_change_touches_what_it_is_told_of(fake_ctx: Context, case: str) -> None:
    told, expected = CHANGES[case]
    for place, (text, at, more) in enumerate(told):
        tell(fake_ctx, text, at, id=f"o{place}", **more)
        consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == expected


@pytest.mark.parametrize("case", [case for case in CHANGES if not case.startswith("a correction finds")])
def test_the_order_in_which_it_arrives_changes_nothing(fake_ctx: Context, case: str) -> None:
    told, expected = CHANGES[case]
    order = list(itertools.permutations(range(len(told))))[-1]
    for place in order:
        text, at, more = told[place]
        tell(fake_ctx, text, at, id=f"o{place}", **more)
        consolidate(fake_ctx, AGENT)
    assert lives(fake_ctx) == expected


def test_a_fact_shows_its_bounds_as_they_were_told(fake_ctx: Context) -> None:
    more = {"since": day(0), "since_told": "2026", "until": day(365), "until_told": "2026", "utc_offset": 540}
    tell(fake_ctx, "Ana | work at | Acme", 400, kind_of_thing="employer", mood="ended", **more)
    tell(fake_ctx, "Ana | play | chess", 401, mood="asserted", utc_offset=540)
    consolidate(fake_ctx, AGENT)
    [work] = facts.facts(fake_ctx, predicate="work at", valid_as_of=day(3))
    assert (work.since, work.until) == ("2026", "2026")
    [chess] = facts.facts(fake_ctx, predicate="play", valid_as_of=day(500))
    assert chess.since == "2027-02-06T09:00+09:00"


def test_wishes_and_questions_claim_nothing(fake_ctx: Context) -> None:
    tell(fake_ctx, "Ana | live in | Rome", 1, mood="wished")
    tell(fake_ctx, "Ana | live in | Rome", 2, id="asked", mood="asked")
    [cycle] = consolidate(fake_ctx, AGENT)
    assert (lives(fake_ctx), cycle.unused) == ({}, 2)
    assert fake_ctx.ns.get(ObservationRecord, "asked") is not None, "they stay observations"
