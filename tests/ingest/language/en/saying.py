"""Short forms of what the reader of English makes of a text, for the tests."""

from collections.abc import Sequence
from datetime import datetime

from reverie.pipelines.ingest.language.base import Claim, Utterance
from reverie.pipelines.ingest.language.en.english import English

AT = datetime.fromisoformat("2026-05-08T01:30:00+02:00")  # a Friday, early in the night
READER = English()


def claims(text: str, speaker: str = "Ana", history: Sequence[tuple[str, str]] = ()) -> tuple[Claim, ...]:
    """The claims of a text, said after the turns of `history` (speaker, text)."""
    before = [Utterance(said, who, (), AT) for who, said in history]
    return READER.extract([Utterance(text, speaker, (), AT)], before)[0].observations


def told(text: str, speaker: str = "Ana", history: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Each claim as "mood: subject | state or predicate | object"; asserted ones without their mood."""
    return [
        f"{'' if one.mood == 'asserted' else f'{one.mood}: '}{one.subject} | {one.state or one.predicate} | "
        f"{one.object}"
        for one in claims(text, speaker, history)
    ]
