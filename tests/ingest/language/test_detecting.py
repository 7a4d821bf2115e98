"""Which language a text is in, and what becomes of one without rules."""

from datetime import UTC, datetime

import pytest

from reverie.pipelines.ingest.language.base import Extraction, Utterance
from reverie.pipelines.ingest.language.detecting import language_of
from reverie.pipelines.ingest.language.reading import extract

AT = datetime(2024, 3, 15, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ich wohne seit März in Kassel und arbeite bei der Bahn.", "de"),
        ("J'habite à Lyon depuis mai, je suis boulangère.", "fr"),
        ("Vivo en Sevilla desde enero y tengo dos perros.", "es"),
        ("Moro no Porto desde janeiro e tenho um gato.", "pt"),
        ("Ik woon sinds maart in Gent en werk bij de spoorwegen.", "nl"),
        ("Я живу в Москве с марта.", None),
        ("我住在成都,在花店上班。", None),
        ("東京に住んでいます。", None),
    ],
)
def test_texts_in_other_languages_are_told_from_english(text: str, code: str | None) -> None:
    assert language_of(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "I moved to São Paulo in März, sorry, March.",
        "no",
        "Lugano since February",
        "",
        "🎉🎉",
        "My wife said 'ich liebe dich' to me on our anniversary.",
        "Die hard is the best film, no doubt.",
    ],
)
def test_english_with_foreign_names_and_words_stays_english(text: str) -> None:
    assert language_of(text) == "en"


def test_nothing_is_believed_of_a_text_without_rules() -> None:
    swedish = Utterance("Jag har flyttat till Uppsala och det är inte så dåligt.", "Ann", (), AT)
    english = Utterance("I moved to Erfurt.", "Ann", (), AT)
    found = extract([swedish, english, swedish])
    assert found[0] == found[2] == Extraction()
    assert [(claim.predicate, claim.object) for claim in found[1].observations] == [("move to", "Erfurt")]


def test_a_turn_reads_alike_in_any_batch() -> None:
    utterances = [
        Utterance("My sister Clara lives in Rome.", "Ann", (), AT),
        Utterance("Und du? Was ist mit dir?", "Ben", (), AT),
        Utterance("She plays chess.", "Ann", (), AT),
    ]
    assert extract(utterances) == [
        extract([utterance], utterances[:place])[0] for place, utterance in enumerate(utterances)
    ]
