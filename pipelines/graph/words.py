"""The words of a question: which of them say something, and in which forms they may stand in a graph."""

from functools import lru_cache

from reverie.store.analysis import keywords
from reverie.store.vocabulary import SMALL_WORDS

_LONG = 6


def asked_words(query: str) -> tuple[str, ...]:
    """The keywords of a question that say what it is about, each once."""
    return tuple(word for word in dict.fromkeys(keywords(query, asked=True)) if word not in SMALL_WORDS)


@lru_cache(maxsize=16384)
def name_words(name: str) -> frozenset[str]:
    """The keywords of an entity's name."""
    return frozenset(keywords(name))


def forms(word: str) -> tuple[str, ...]:
    """A keyword and its sister stem: the stemmer tells `allergies` (allergi) from `allergic` (allerg)."""
    if len(word) < _LONG or not word.isascii():
        return (word,)
    if word.endswith("i") and len(word) > _LONG:
        return (word, word[:-1])
    return (word, word + "i")
