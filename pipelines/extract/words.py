"""The shapes of English words: base forms the tagger missed, third persons, participles."""

from __future__ import annotations

from functools import lru_cache

from spacy.tokens import Token

from reverie.pipelines.extract.language import english

_THIRD = {"be": "is", "am": "is", "are": "is", "'m": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does", "go": "goes",
          "were": "was", "m": "is", "re": "is", "ve": "has"}  # fmt: skip
_VOWELS = "aeiou"


@lru_cache(maxsize=1)
def _irregular() -> dict[str, list[str]]:
    table: dict[str, list[str]] = english().get_pipe("lemmatizer").lookups.get_table("lemma_exc")["verb"]  # type: ignore[attr-defined]
    return table


def is_verb(token: Token) -> bool:
    """Whether the token can carry a clause."""
    return token.pos_ in ("VERB", "AUX") or token.tag_.startswith("VB")


def lemma(token: Token) -> str:
    """The base form, lower case; a past form that was tagged as a base form ("Lost my job") is mended."""
    word = token.lower_
    if (
        token.tag_ in ("VB", "VBP")
        and word in _irregular()
        and word not in ("saw", "found", "felt", "bound", "ground", "wound")
    ):
        return str(_irregular()[word][0])
    base = token.lemma_.lower()
    if token.tag_ == "VBG" and not word.startswith(base[:2]):
        return word
    return base


def is_past(token: Token) -> bool:
    """Whether the form itself tells of the past."""
    return token.tag_ in ("VBD", "VBN") or (token.tag_ in ("VB", "VBP") and lemma(token) != token.lower_)


def third_person(word: str) -> str:
    """ "work" → "works", "have" → "has", "'m" → "is"."""
    lower = word.lower()
    if lower in _THIRD:
        return _THIRD[lower]
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    if lower.endswith(("s", "sh", "ch", "x", "z", "o")):
        return word + "es"
    return word + "s"


def gerund(base: str) -> str:
    """ "smoke" → "smoking", "run" → "running"."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    short = (
        len(base) <= 4
        and len(base) > 2
        and base[-1] not in _VOWELS + "wxy"
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
    )
    return base + base[-1] + "ing" if short else base + "ing"
