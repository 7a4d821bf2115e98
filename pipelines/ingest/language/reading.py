"""Handing each utterance to the reader of its language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from reverie.pipelines.ingest.language.base import Extraction, Reader, Utterance
from reverie.pipelines.ingest.language.detecting import language_of
from reverie.pipelines.ingest.language.phrases.reader import PhraseReader
from reverie.pipelines.ingest.language.phrases.tables import TABLES

READERS = ("en", *TABLES)
"""Codes of the languages with rules."""


@cache
def reader(code: str) -> Reader:
    """The reader of a language of `READERS`, once a process; that of English loads its parser at its first use."""
    if code in TABLES:
        return PhraseReader(code)
    # Loaded at first use: it brings spaCy along, which a process that only writes and recalls never needs.
    from reverie.pipelines.ingest.language.en.english import English

    return English()


def extract(utterances: Sequence[Utterance], history: Sequence[Utterance] = ()) -> list[Extraction]:
    """One `Extraction` a turn, in order, each by the reader of the turn's language.

    `history` was said before in the session: pronouns may point to it. A turn in a language without a reader gives an
    empty extraction.
    """
    spoken = [language_of(utterance.text) for utterance in (*history, *utterances)]
    found = [Extraction() for _ in utterances]
    for code in READERS:
        places = [place for place in range(len(utterances)) if spoken[len(history) + place] == code]
        if not places:
            continue
        heard = [
            utterance if code == language else replace(utterance, text="")
            for utterance, language in zip((*history, *utterances), spoken, strict=True)
        ]
        read = reader(code).extract(heard[len(history) :], heard[: len(history)])
        for place in places:
            found[place] = read[place]
    return found
