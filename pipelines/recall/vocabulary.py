"""How common keywords are in a namespace: the weight of a match, and which words are too common to search by."""

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from reverie.store.candidates import all_rows, counting, find
from reverie.store.namespace import Namespace

_FRESH = 60.0
"""Seconds for which a high count is believed; it decides over weights, never over what may be seen."""
_HIGH = 1000
"""Counts from here on are kept: they cost time. Lower ones are made anew, so that a word just written is searched."""
_MOST = 50_000
POSTINGS = 20_000
"""Rows that a search by text may walk over; beyond, its most common keywords are left to the ranking."""


@dataclass
class Vocabulary:
    """Counts of rows by keyword, the high ones kept for a minute; one a process."""

    _counts: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def counts(self, ns: Namespace, keywords: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Rows of the namespace, and rows by keyword; one round trip for what is not known."""
        now = time.monotonic()
        namespace = ns.namespace
        wanted = ["", *keywords]
        with self._lock:
            known = {word: self._counts[namespace, word] for word in wanted if (namespace, word) in self._counts}
        missing = [word for word in wanted if word not in known or now - known[word][0] > _FRESH]
        if missing:
            _, found = find(ns, [], [counting(ns, word) if word else all_rows(ns) for word in missing])
            fresh = {word: (now, count) for word, count in zip(missing, found, strict=True)}
            known |= fresh
            with self._lock:
                if len(self._counts) > _MOST:
                    self._counts.clear()
                self._counts.update({(namespace, word): entry for word, entry in fresh.items() if entry[1] >= _HIGH})
        return known[""][1], {word: known[word][1] for word in keywords}


def weights(total: int, counts: dict[str, int]) -> dict[str, float]:
    """Inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)), of each keyword (Robertson's, kept positive)."""
    return {word: math.log(1 + (max(total, n) - n + 0.5) / (n + 0.5)) for word, n in counts.items()}


def searched(total: int, counts: dict[str, int], most: int = POSTINGS) -> tuple[str, ...]:
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
