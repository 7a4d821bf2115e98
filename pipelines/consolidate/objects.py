"""Which wordings of an object mean the same: clusters around a centre.

The centre is the wording of the fact; every other wording is compared with it alone, so that A≈B and B≈C never chain
A and C into one. Likeness never merges what differs in a number, a name or a date.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reverie.pipelines.facts import folded

SAME = 0.98
"""Cosine from which two sentences that differ in their object alone say the same.

Measured with the local embedder on 25 pairs that mean the same and 30 that do not ("vegetarian" and "vegan", "3 kids"
and "4 kids"): the highest of those that differ was 0.973, and 17 of the pairs that mean the same are above 0.98.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EDGES = ".,;:!?\"'()[]{}«»“”‘’"
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"['’]s?$")
_SMALL = _words("a an the this that these those some any my your his her its our their own")
_DENIALS = frozenset({"no", "not", "without", "never", "non", "anti", "ex", "former"})
_NUMBERS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion half first second third fourth fifth once twice single double triple both"
)
_DATES = _words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december spring summer autumn fall winter morning afternoon evening "
    "night today tomorrow yesterday"
)


LIKE = 0.93
"""Cosine from which it is worth asking a language model whether two sentences say the same."""


@dataclass(frozen=True)
class Centre:
    """A fact's own wording. `vector` is of the fact's sentence; None while it waits for one."""

    fact_id: str
    object: str | None
    vector: npt.NDArray[np.float32] | None = None


def _written(object: str) -> list[str]:
    """The words as written, symbols and all: "C++" is not "C"."""
    plain = _HYPHEN.sub(" ", unicodedata.normalize("NFKC", object))
    return [word for word in (_POSSESSIVE.sub("", part.strip(_EDGES)) for part in plain.split()) if word]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=65536)
def gist(object: str) -> tuple[str, ...]:
    """The words that carry the meaning, in order, folded and in the singular; all the words when none does."""
    words = [folded(word) for word in _written(object)]
    kept = [word for word in words if word not in _SMALL] or words
    return tuple(_singular(word) for word in kept)


@lru_cache(maxsize=65536)
def marks(object: str) -> frozenset[str]:
    """What two wordings must share to be merged by likeness: numbers, names, dates, denials."""
    found = set()
    for word in _written(object):
        named = any(letter.isupper() for letter in word)
        if named or not word.isalpha() or folded(word) in _NUMBERS | _DATES | _DENIALS:
            found.add(folded(word))
    return frozenset(found)


def same_words(one: str | None, other: str | None) -> bool:
    """Whether two objects differ at most in case, articles, possessives and the plural."""
    if one is None or other is None:
        return one is other
    return gist(one) == gist(other)


def alike(
    one: str | None,
    other: str | None,
    vector: npt.NDArray[np.float32] | None,
    of_other: npt.NDArray[np.float32] | None,
) -> float:
    """The cosine of two sentences whose objects may be merged by likeness, else 0."""
    if one is None or other is None or marks(one) != marks(other):
        return 0.0
    return _cosine(vector, of_other)


def nearest(object: str | None, vector: npt.NDArray[np.float32] | None, centres: Sequence[Centre]) -> Centre | None:
    """The centre that an object belongs to; None when it means something of its own."""
    worded = [centre for centre in centres if same_words(object, centre.object)]
    if worded:
        plain = folded(object or "")
        return next((centre for centre in worded if folded(centre.object or "") == plain), worded[0])
    scored = [(alike(object, centre.object, vector, centre.vector), centre.fact_id, centre) for centre in centres]
    best = max(scored, default=None, key=lambda one: one[:2])
    return best[2] if best is not None and best[0] >= SAME else None


def worth_asking(object: str | None, vector: npt.NDArray[np.float32] | None, centres: Sequence[Centre]) -> list[Centre]:
    """Centres that may mean the same in other words, the likest first; never those of another number or date."""
    found = []
    for centre in centres:
        if object and centre.object and _counts(object) == _counts(centre.object):
            likeness = _cosine(vector, centre.vector)
            if likeness >= LIKE:
                found.append((-likeness, centre.fact_id, centre))
    return [centre for _, _, centre in sorted(found, key=lambda one: one[:2])]


def _counts(object: str) -> frozenset[str]:
    return frozenset(mark for mark in marks(object) if not mark.isalpha() or mark in _NUMBERS | _DATES | _DENIALS)


def _cosine(one: npt.NDArray[np.float32] | None, other: npt.NDArray[np.float32] | None) -> float:
    if one is None or other is None:
        return 0.0
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))
