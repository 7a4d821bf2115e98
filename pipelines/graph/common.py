"""Words that so many rows of a graph hold that looking them up costs more than it tells.

A search by word costs by the rows that match. A query that matched very many has its words counted once; for a while
those that are everywhere are left out of the lookup, as long as a rarer one is left. They still count in the score.
"""

import threading
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines.context import Context
from reverie.pipelines.graph.words import forms
from reverie.store.graphs import count_rows

MANY = 4000
"""Rows: about 4 ms of the server's time."""
_KEPT = 600.0
"""Seconds that a count is believed."""

_MOST = 20_000
"""Counts kept for one connection."""

Counts = dict[tuple[str, str, str], tuple[int, float]]
"""(namespace, tag, word) to the count and the moment until which it is believed."""

_known: "WeakKeyDictionary[DeadlineEmbedder, Counts]" = WeakKeyDictionary()
_lock = threading.Lock()


def telling(ctx: Context, tag: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words worth looking up: those that are not known to be everywhere, or else the rarest."""
    with _lock:
        known = _known.get(ctx.quick_embedder, {})
        now = time.monotonic()
        counts = {word: known.get((ctx.namespace, tag, word), (0, 0.0)) for word in words}
    common = {word: count for word, (count, until) in counts.items() if until > now and count > MANY}
    rare = tuple(word for word in words if word not in common)
    return rare or tuple(sorted(words, key=lambda word: common[word])[:1])


def note(ctx: Context, tag: str, words: Sequence[str], matched: int) -> None:
    """Count the words of a lookup that matched very many rows."""
    if matched <= MANY or len(words) < 2:
        return
    counts = count_rows(ctx.ns, tag, [forms(word) for word in words])
    until = time.monotonic() + _KEPT
    with _lock:
        known = _known.setdefault(ctx.quick_embedder, {})
        if len(known) > _MOST:
            known.clear()
        known.update({(ctx.namespace, tag, word): (count, until) for word, count in zip(words, counts, strict=True)})
