"""The words of a question: which of them say something, and in which forms they may stand in a graph."""

from functools import lru_cache

from reverie.store.analysis import keywords

_FUNCTION_WORDS = frozenset(
    keyword
    for keyword in keywords(
        "a about above after again all also am an and any are as at be because been before being below between "
        "both but by can could did do does doing down during each ever few for from further get give got had has "
        "have having he her here hers him his how i if in into is it its itself just know let like many may me "
        "might mine more most much must my myself no nor not now of off on once only or other our ours out over "
        "own please same shall she should so some such tell than that the their theirs them then there these they "
        "this those through to too under until up us very was we were what when where which while who whom whose "
        "why will with would you your yours don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't "
        "wouldn't i'm you're he's she's it's we're they're i've you've we've they've i'll what's who's where's "
        "that's there's something anything thing "
    )
)
"""English words that carry no subject, as keywords. A question in another language is asked with all its words."""

_LONG = 6


def asked_words(query: str) -> tuple[str, ...]:
    """The keywords of a question that say what it is about, each once."""
    return tuple(word for word in dict.fromkeys(keywords(query, asked=True)) if word not in _FUNCTION_WORDS)


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
