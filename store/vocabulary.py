"""The words of a namespace: which say little anywhere, and how common each is there.

Counts decide over the weight of a match and over what is searched by, never over what may be seen.
"""

import math
import threading
import time
from collections.abc import Sequence
from typing import Final

from reverie.store.analysis import keywords
from reverie.store.namespace import Namespace
from reverie.store.search import Filter, Search, find

FUNCTION_WORDS: Final = frozenset(
    keywords(
        "a an the this that these those it its itself i me my mine we us our you your he him his she her they them "
        "their who whom whose which what when where why how is am are was were be been being do does did doing done "
        "have has had having can could will would shall should may might must of to in on at by for with about from "
        "into as and or but if than then so not no nor out up down over under again there here just also very too "
        "more most some any both each own same such s t d m re ve ll"
    )
)
"""English words that carry no subject, as keywords. A question in another language is asked with all its words."""

SMALL_WORDS: Final = FUNCTION_WORDS | frozenset(
    keywords(
        "above after all because before below between during ever few further get give got hers know "
        "let like many much myself now off once only other ours please tell theirs through until while "
        "yours don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't i'm you're he's she's "
        "it's we're they're i've you've we've they've i'll what's who's where's that's there's something anything thing"
    )
)
"""These and the words of asking and telling: where a query is a few words, they would stand for part of it."""

_HIGH = 1000
"""Counts from here on are kept: they cost time. Lower ones are made anew, so that a word just written is searched."""
_FRESH = 60.0
"""Seconds for which a count is believed."""
_MOST = 50_000
"""Counts kept."""
_POSTINGS = 20_000
"""Rows that a search by words may walk over; beyond, its most common keywords are left to the ranking."""
_MANY = 4000
"""Rows of a graph that hold a word, from which on looking it up costs more than it tells: about 4 ms of the server."""

_Word = tuple[str, str, str]
"""Namespace, tag of a graph or "", and the word; "" counts all rows."""


class CommonWords:
    """How many rows hold a word, where it is many: kept for a minute; safe to share between threads."""

    def __init__(self) -> None:
        self._counts: dict[_Word, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def known(self, ns: Namespace, graph: str | None, words: Sequence[str]) -> dict[str, int]:
        """The counts of those of the words that are known to be common."""
        now = time.monotonic()
        with self._lock:
            found = {word: self._counts.get((ns.namespace, graph or "", word)) for word in words}
        return {word: one[1] for word, one in found.items() if one is not None and now - one[0] <= _FRESH}

    def count(
        self, ns: Namespace, graph: str | None, words: Sequence[str], forms: Sequence[tuple[str, ...]] | None = None
    ) -> dict[str, int]:
        """How many rows hold each of the words, in any of its forms; one round trip for those that are not known.

        Of a graph the rows' own words count, otherwise their context too.
        """
        found = self.known(ns, graph, words)
        shapes = dict(zip(words, forms or [(word,) if word else () for word in words], strict=True))
        missing = [word for word in words if word not in found]
        context = 0.3 if graph is None else 0.0
        where = Filter(None, graph=graph)
        counted = find(ns, [Search(where, 0, keywords=shapes[word], context_weight=context) for word in missing])
        now = time.monotonic()
        with self._lock:
            if len(self._counts) > _MOST:
                self._counts.clear()
            for word, one in zip(missing, counted, strict=True):
                found[word] = one.count
                if one.count >= _HIGH:
                    self._counts[ns.namespace, graph or "", word] = (now, one.count)
        return found


_COMMON = CommonWords()
"""One a process."""


def counts(ns: Namespace, words: Sequence[str]) -> tuple[int, dict[str, int]]:
    """Rows of the namespace, and rows by keyword; one round trip for what is not known."""
    found = _COMMON.count(ns, None, ["", *words])
    return found[""], {word: found[word] for word in words}


def weights(total: int, counts: dict[str, int]) -> dict[str, float]:
    """Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)), of each keyword (Robertson's, kept positive)."""
    return {word: math.log(1 + (max(total, n) - n + 0.5) / (n + 0.5)) for word, n in counts.items()}


def searched(total: int, counts: dict[str, int], most: int = _POSTINGS) -> tuple[str, ...]:
    """The keywords worth searching by: the rarest first, until their rows are too many; those nobody used left out.

    One that more than a third of all rows hold tells little apart, and the server's count of it, which knows rows that
    were rewritten twice for a while, may make it weigh absurdly much; it is left out where another is there.
    """
    chosen: list[str] = []
    walked = 0
    used = [(count, word) for word, count in counts.items() if count]
    for count, word in sorted(used):
        if chosen and (walked + count > most or 3 * count > total):
            break
        chosen.append(word)
        walked += count
    return tuple(chosen)


def telling(ns: Namespace, graph: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words worth looking up in a graph: those that are not known to be everywhere, or else the rarest."""
    common = {word: count for word, count in _COMMON.known(ns, graph, words).items() if count > _MANY}
    rare = tuple(word for word in words if word not in common)
    return rare or tuple(sorted(words, key=lambda word: common[word])[:1])


def note(ns: Namespace, graph: str, words: Sequence[str], forms: Sequence[tuple[str, ...]], matched: int) -> None:
    """Count the words of a graph's search, each in its forms, when it matched very many rows."""
    if matched > _MANY and len(words) > 1:
        _COMMON.count(ns, graph, words, forms)
