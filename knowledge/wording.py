"""Comparing wordings: what is written differently and means the same in any case."""

import re
import unicodedata
from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EDGES = ".,;:!?\"'()[]{}«»“”‘’"
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"['’]s?$")
_SMALL = _words("a an the this that these those some any my your his her its our their own")
_DENIALS = frozenset({"no", "not", "without", "never", "non", "anti", "ex", "former"})
_COUNTING = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBERS = frozenset(_COUNTING) | _words(
    "thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half first second third fourth "
    "fifth once twice single double triple both"
)
DATES = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december spring summer autumn fall winter morning afternoon evening "
    "night today tomorrow yesterday"
)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """The form in which wordings are compared: NFKC, casefold, folded blanks."""
    once = unicodedata.normalize("NFKC", text).casefold()
    # Casefolding can undo the normal form, and normalising can bring back what casefold folds.
    return " ".join(unicodedata.normalize("NFKC", once).casefold().split())


def _written(text: str) -> list[str]:
    """The words as written, symbols and all: "C++" is not "C"."""
    plain = _HYPHEN.sub(" ", unicodedata.normalize("NFKC", text))
    return [word for word in (_POSSESSIVE.sub("", part.strip(_EDGES)) for part in plain.split()) if word]


def singular(word: str) -> str:
    """A folded noun without its plural's ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=65536)
def gist(text: str) -> tuple[str, ...]:
    """The words that carry the meaning, in order, folded and in the singular; all the words when none does."""
    words = [folded(word) for word in _written(text)]
    kept = [word for word in words if word not in _SMALL] or words
    return tuple(singular(word) for word in kept)


@lru_cache(maxsize=65536)
def marks(text: str) -> frozenset[str]:
    """What two wordings must share to mean the same: numbers, names, dates, denials."""
    found = set()
    for word in _written(text):
        named = any(letter.isupper() for letter in word)
        if named or not word.isalpha() or folded(word) in NUMBERS | DATES | _DENIALS:
            found.add(folded(word))
    return frozenset(found)


def numeral_marks(text: str) -> frozenset[str]:
    """Of the marks of a wording those that are no names."""
    return frozenset(mark for mark in marks(text) if not mark.isalpha() or mark in NUMBERS | DATES | _DENIALS)


def same_words(one: str | None, other: str | None) -> bool:
    """Whether two wordings differ at most in case, articles, possessives and the plural."""
    if one is None or other is None:
        return one is other
    return gist(one) == gist(other)


def shares_words(one: str | None, other: str | None) -> bool:
    """Whether all that one of two wordings says is in the other: "Vespa" and "the red Vespa"."""
    if one is None or other is None:
        return one is other
    mine, theirs = set(gist(one)), set(gist(other))
    return mine <= theirs or theirs <= mine


def number(word: str) -> float | None:
    """The number that a word stands for; None for another word."""
    plain = folded(word)
    if plain in _COUNTING:
        return float(_COUNTING.index(plain))
    return float(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else None


def counted(text: str) -> tuple[float, str] | None:
    """The number that a wording begins with and what is counted, in the singular: "two old guitars" → 2, "guitar"."""
    words = text.split()
    found = number(words[0]) if len(words) > 1 else None
    noun = gist(words[-1])
    return None if found is None or not noun or number(words[-1]) is not None else (found, noun[-1])
