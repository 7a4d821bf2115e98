"""Plain sentences of languages without a parser."""

from datetime import datetime

import pytest

from reverie.pipelines.ingest.language.base import Utterance
from reverie.pipelines.ingest.language.reading import extract

AT = datetime.fromisoformat("2026-05-08T09:00:00+02:00")


def told(text: str) -> list[str]:
    found = extract([Utterance(text, "Ana", (), AT)])[0].observations
    since = {one: f" since {one.since.iso}" if one.since is not None else "" for one in found}
    mood = {one: "" if one.mood == "asserted" else f"{one.mood}: " for one in found}
    return [f"{mood[one]}{one.subject} | {one.predicate} | {one.object}{since[one]}" for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ich bin letzte Woche von Kassel nach Erfurt gezogen.", ["Ana | live in | Erfurt"]),
        ("Ich wohne seit Mai in Ulm.", ["Ana | live in | Ulm since 2026-05"]),
        ("Ich arbeite nicht mehr bei der Sparkasse.", ["ended: Ana | work at | Sparkasse"]),
        (
            "Ich esse kein Fleisch und ich bin allergisch gegen Nüsse.",
            [
                "denied: Ana | eat | Fleisch",
                "Ana | be allergic to | Nüsse",
            ],
        ),
        ("Meine Schwester Lena wohnt nicht mehr in Ulm.", ["ended: Lena | live in | Ulm"]),
        (
            "j'habite à Lyon depuis 2019, je suis allergique aux arachides",
            [
                "Ana | live in | Lyon since 2019",
                "Ana | be allergic to | arachides",
            ],
        ),
        ("je ne mange pas de viande, mais je parle italien", ["denied: Ana | eat | viande", "Ana | speak | italien"]),
        (
            "vivo en Sevilla y trabajo de enfermera, ya no vivo en Cádiz",
            [
                "Ana | live in | Sevilla",
                "Ana | work as | enfermera",
                "ended: Ana | live in | Cádiz",
            ],
        ),
        (
            "a Benedita já não mora no Porto, foi viver para Braga em janeiro",
            [
                "ended: Benedita | live in | Porto",
                "Benedita | live in | Braga since 2026-01",
            ],
        ),
        (
            "vivo a Torino, lavoro come cuoca, non mangio carne",
            [
                "Ana | live in | Torino",
                "Ana | work as | cuoca",
                "denied: Ana | eat | carne",
            ],
        ),
        (
            "mijn broer Joris woont in Zwolle, ik zit nog gewoon in Delft",
            [
                "Joris | live in | Zwolle",
                "Ana | live in | Delft",
            ],
        ),
    ],
)
def test_plain_sentences_are_understood(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Wohnst du noch in Bonn?",
        "Wenn ich reich bin, wohne ich in Rom.",
        "Mein Bruder wohnt in Essen.",
        "Ich wohne in Angst vor dem Brief.",
        "Eva sagt, ich wohne in Bonn.",
        "„Ich wohne in Bonn“ stand auf der Karte, das war es dann.",
        "Anna a dit que j'habite à Lyon.",
        "si j'étais riche, j'habiterais à Nice",
        "casi me mudé a Gijón el año pasado",
        "el trabajo en Cádiz era duro y no lo quiero",
        "il lavoro in banca non mi piace per niente",
        "我对花生过敏",
    ],
)
def test_what_is_not_plainly_said_gives_nothing(text: str) -> None:
    assert told(text) == []
