"""Which language a text is in, told by its script and by its smallest words."""

from __future__ import annotations

import importlib.util
import re
import runpy
import unicodedata
from functools import cache
from pathlib import Path

ENGLISH = "en"
OTHERS = ("de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "pl", "cs", "ro", "hu", "tr", "id", "ca", "hr")
"""Languages in Latin letters whose small words are told from those of English."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['’]")
_NO_EVIDENCE = _words("a i o e me no so on an in is as to am at we he was die man hat also war men her all will")
"""Small words of other languages that are words, names or interjections in English."""
_INFORMAL = _words(
    "i'm i've i'll i'd it's don't didn't doesn't can't won't isn't aren't wasn't that's he's she's they're we're "
    "you're let's what's there's yeah yes nope ok okay thanks thank please hi hey hello lol btw got get just im dont"
)
"""Written in English chat, but not among the small words of the table."""


@cache
def small_words(code: str) -> frozenset[str]:
    """The function words of a language, in lower case, from spaCy's tables.

    The table's file is run by itself: to import it as a module loads the whole language, a third of a second each.
    """
    spec = importlib.util.find_spec("spacy")
    assert spec is not None
    assert spec.origin is not None
    words: set[str] = runpy.run_path(str(Path(spec.origin).parent / "lang" / code / "stop_words.py"))["STOP_WORDS"]
    return frozenset(word.casefold() for word in words)


def language_of(text: str) -> str | None:
    """The code of the text's language; None when it is none of those known here.

    A text without any evidence ("ok", "Lugano", "3.14") counts as English: it holds nothing that rules could misread.

    >>> language_of("Ich wohne seit März in Kassel")
    'de'
    """
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum("LATIN" in unicodedata.name(letter, "") for letter in letters)
    if latin * 2 < len(letters):
        return None
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    english = sum(word in small_words(ENGLISH) or word in _INFORMAL for word in words)
    scored = [(_evidence(words, code), code) for code in OTHERS]
    best = max(scored, key=lambda one: (one[0], -OTHERS.index(one[1])))
    return best[1] if best[0] > english else ENGLISH


def _evidence(words: list[str], code: str) -> int:
    """How many of the words are small words of the language, and none that English has too."""
    small = small_words(code)
    return sum(
        word not in _NO_EVIDENCE and (word in small or (_ELISION.sub("", word) in small and bool(_ELISION.match(word))))
        for word in words
    )
