"""Splitting texts into whole sentences."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

_ENDS = re.compile(r"[^\n。！？]+[。！？]*")
"""Lines and the sentences of scripts whose full stop has no blank after it; the rest is the sentencizer's."""
_LONGEST = 100_000
"""Characters of one text that are looked at: a synopsis needs no more of it."""


@cache
def _sentencizer() -> "Language":
    import spacy  # takes a second; a process that only writes and recalls does without

    language = spacy.blank("en")
    language.add_pipe("sentencizer")
    return language


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, blanks folded."""
    pieces = [piece.strip() for piece in _ENDS.findall(text[:_LONGEST])]
    found = [" ".join(span.text.split()) for piece in pieces if piece for span in _sentencizer()(piece).sents]
    return [sentence for sentence in found if sentence]
