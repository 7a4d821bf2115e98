"""Ranking the candidates: what speaks for each, one number a feature, and what each feature weighs.

The logarithm of the odds that a candidate is what was asked for is linear in its features. They are standardised over
all candidates (`standard`) or run from -1 or 0 to 1. The weights are the same for every kind of row.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from reverie.pipelines.recall.question import NUMBER_WORDS, TIME_WORDS, Intent
from reverie.pipelines.rows.conversation import asks
from reverie.store.analysis import keywords
from reverie.store.hits import Hit, similarities

if TYPE_CHECKING:
    from reverie.models.embedders import Vector

Column = npt.NDArray[np.float32]
"""Shape (candidates,)."""
Matrix = npt.NDArray[np.float32]
"""Shape (candidates, features), the columns in the order of FEATURES."""

WEIGHTS = {
    "words": 0.48,
    "meaning": 0.7,
    "session_words": 0.22,
    "session_meaning": 1.17,
    "speaker": 0.28,
    "question": -0.76,
    "answers": 1.73,
    "length": 0.91,
    "time_told": 2.25,
    "number_told": 0.94,
    "in_time": 2.93,
    "after_time": 0.81,
    "near": 0.09,
    "claimed": 0.36,
}
"""What each feature weighs: learned on conversations by `bench/learn_ranking.py`."""
FEATURES = tuple(WEIGHTS)
_VECTOR = np.array(list(WEIGHTS.values()), dtype=np.float32)

_SATURATION, _LENGTH_SHARE = 1.2, 0.4
"""k1 and b of BM25."""
_BEFORE, _AFTER = 0.4, 0.3
"""What a keyword counts in the two messages before and in the one after, beside 1 in the row itself."""
_SAID = frozenset({"message", "chunk"})
_HAPPENED = frozenset({"episode", "action"})
"""Kinds whose own time is when what they tell of happened."""
_SESSION_BEST = 3
_USUAL_LENGTH = 100.0
_LEAST_SPREAD = 0.01
"""Similarities of a pool that differ less than this do not tell its rows apart."""


@dataclass(frozen=True)
class Ranking:
    """What speaks for each of the candidates, in their order."""

    features: Matrix
    fused: Column
    """Only differences among these candidates mean something."""
    similarity: Column
    """To the question; NaN where a candidate has no vector."""


EMPTY = Ranking(np.empty((0, 0), np.float32), np.empty(0, np.float32), np.empty(0, np.float32))
"""The ranking of no candidates."""


def rank(
    intent: Intent,
    pool: Sequence[Hit],
    idf: Mapping[str, float],
    vector: "Vector | None",
    near: Mapping[bytes, float],
) -> Ranking:
    """The ranking of the candidates, of which there is at least one.

    `idf` are the keywords' inverse document frequencies, `vector` the question's, and `near` the shares of the walk's
    activation by row key.
    """
    similarity = np.full(len(pool), np.nan, np.float32) if vector is None else similarities(pool, vector)
    features = matrix(intent, pool, idf, similarity, near)
    return Ranking(features, fuse(features), similarity)


def matrix(
    intent: Intent,
    pool: Sequence[Hit],
    weights: Mapping[str, float],
    similarity: Column,
    near: Mapping[bytes, float],
) -> Matrix:
    """The features of every candidate.

    `weights` are the keywords' inverse document frequencies, `similarity` the dot products with the question (NaN
    where a row has no vector yet), `near` the shares of graph activation by row key.
    """
    following = {candidate.previous: candidate for candidate in pool if candidate.previous}
    words = standard(_words(pool, weights, following))
    meaning = _meaning(similarity, words)
    sessions = [candidate.session for candidate in pool]
    columns = [
        words,
        meaning,
        _session_best(words, sessions),
        _session_best(meaning, sessions),
        _speaker(intent, pool),
        np.array([asks(candidate.text) for candidate in pool], dtype=np.float32),
        _answers(pool, weights),
        np.array([_length(candidate) for candidate in pool], dtype=np.float32),
        _told(intent.answer == "time", lambda c: c.kind in _HAPPENED or _holds(TIME_WORDS, c.text), pool),
        _told(intent.answer == "number", lambda c: _holds(NUMBER_WORDS, c.text), pool),
        *_in_time(intent, pool),
        _near(pool, near),
        _claimed(pool, meaning),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def standard(values: Column) -> Column:
    """Distance from the pool's mean in standard deviations; what is unknown lies on the mean."""
    known = values[~np.isnan(values)]
    if not known.size:
        return np.zeros_like(values)
    spread = max(float(known.std()), _LEAST_SPREAD)
    standardised: Column = np.nan_to_num((values - float(known.mean())) / spread, nan=0.0).astype(np.float32)
    return standardised


def _meaning(similarity: Column, words: Column) -> Column:
    """The standing by meaning. A row that waits for its vector is as near as its words say, at most as the nearest.

    Counted as far away, it would lose to any row that was embedded before it.
    """
    meaning = standard(similarity)
    waiting = np.isnan(similarity)
    if waiting.all():
        return meaning
    filled: Column = np.where(waiting, np.minimum(words, meaning.max()), meaning).astype(np.float32)
    return filled


def _words(pool: Sequence[Hit], weights: Mapping[str, float], following: Mapping[str, Hit]) -> Column:
    """BM25 (Robertson) over a row's own words, those before it and those after it, each at its weight."""
    counts: list[dict[str, float]] = []
    lengths = np.empty(len(pool), dtype=np.float32)
    asked = frozenset(weights)
    for index, candidate in enumerate(pool):
        after = following.get(candidate.id) if candidate.kind == "message" else None
        length = len(candidate.terms) + _BEFORE * len(candidate.before)
        found: dict[str, float] = {term: float(candidate.terms.count(term)) for term in asked & candidate.words}
        for term in asked & candidate.words_before:
            found[term] = found.get(term, 0.0) + _BEFORE * candidate.before.count(term)
        if after is not None:
            length += _AFTER * len(after.terms)
            for term in asked & after.words:
                found[term] = found.get(term, 0.0) + _AFTER * after.terms.count(term)
        counts.append(found)
        lengths[index] = length
    usual = (float(lengths.mean()) if counts else 0.0) or 1.0
    scores = np.zeros(len(pool), dtype=np.float32)
    for index, found in enumerate(counts):
        damped = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * float(lengths[index]) / usual)
        scores[index] = sum(
            weights[term] * count * (_SATURATION + 1) / (count + damped) for term, count in found.items()
        )
    return scores


def _session_best(values: Column, sessions: Sequence[str | None]) -> Column:
    """Mean of the best three of each row's session; a row without one stands for itself."""
    groups: dict[str, list[float]] = defaultdict(list)
    flat: list[float] = values.tolist()
    for session, value in zip(sessions, flat, strict=True):
        if session is not None:
            groups[session].append(value)
    best: dict[str, float] = {}
    for session, found in groups.items():
        found.sort(reverse=True)
        best[session] = sum(found[:_SESSION_BEST]) / len(found[:_SESSION_BEST])
    return np.array(
        [value if session is None else best[session] for session, value in zip(sessions, flat, strict=True)],
        dtype=np.float32,
    )


def _speaker(intent: Intent, pool: Sequence[Hit]) -> Column:
    """1 for rows of a participant whom the question names, -1 for those of others, 0 when it names none or all."""
    asked = set(intent.keywords)
    speakers = [candidate.participants[0] if candidate.participants else None for candidate in pool]
    named = {speaker: bool(asked.intersection(keywords(speaker))) for speaker in set(speakers) if speaker is not None}
    if len(set(named.values())) < 2:
        return np.zeros(len(pool), dtype=np.float32)
    signs = [0.0 if speaker is None else 1.0 if named[speaker] else -1.0 for speaker in speakers]
    return np.array(signs, dtype=np.float32)


def _answers(pool: Sequence[Hit], weights: Mapping[str, float]) -> Column:
    """For what was said right after a question, the share of the keywords, by weight, that stood just before it."""
    total = sum(weights.values()) or 1.0
    before = [weights.keys() & candidate.words_before if candidate.answers else () for candidate in pool]
    return np.array([sum(weights[word] for word in words) / total for words in before], dtype=np.float32)


def _length(candidate: Hit) -> float:
    """Logarithm of the length beside a usual one, from -1 to 1: short replies say little. A record says it all."""
    if candidate.kind not in _SAID:
        return 0.0
    return min(1.0, max(-1.0, math.log((len(candidate.text) + 1) / _USUAL_LENGTH)))


def _told(wanted: bool, tells: Callable[[Hit], bool], pool: Sequence[Hit]) -> Column:
    if not wanted:
        return np.zeros(len(pool), dtype=np.float32)
    return np.array([tells(candidate) for candidate in pool], dtype=np.float32)


@lru_cache(maxsize=16384)
def _holds(words: re.Pattern[str], text: str) -> bool:
    """Whether a text holds any such word; kept for the texts of rows that are kept."""
    return words.search(text) is not None


def _in_time(intent: Intent, pool: Sequence[Hit]) -> tuple[Column, Column]:
    window = intent.window
    if window is None:
        return np.zeros(len(pool), dtype=np.float32), np.zeros(len(pool), dtype=np.float32)
    inside = np.array([window.holds(candidate.valid_from or candidate.at) for candidate in pool], dtype=np.float32)
    after = np.array([window.just_before(candidate.at) for candidate in pool], dtype=np.float32)
    return inside, after


def _near(pool: Sequence[Hit], near: Mapping[bytes, float]) -> Column:
    """Activation beside the pool's highest, its square root for its long tail; from 0 to 1."""
    shares = np.array([near.get(candidate.key, 0.0) for candidate in pool], dtype=np.float32)
    highest = float(shares.max()) if len(shares) else 0.0
    return np.sqrt(shares / highest).astype(np.float32) if highest else shares


def _claimed(pool: Sequence[Hit], meaning: Column) -> Column:
    """For a message the meaning of the best observation drawn from it, where that is above the pool's mean."""
    best: dict[str, float] = {}
    for candidate, value in zip(pool, meaning.tolist(), strict=True):
        if candidate.kind == "observation":
            for source in candidate.sources:
                best[source] = max(value, best.get(source, 0.0))
    return np.array([best.get(c.id, 0.0) if c.kind == "message" else 0.0 for c in pool], dtype=np.float32)


def fuse(features: Matrix) -> Column:
    """The fused score of each candidate, shape (candidates,); only differences within a pool mean something."""
    fused: Column = features @ _VECTOR
    return fused


def odds(fused: Column) -> Column:
    """The share of each candidate, of the whole pool's, in being what was asked for: the softmax that was learned."""
    if not fused.size:
        return fused
    raised: Column = np.exp(fused - fused.max())
    shares: Column = raised / raised.sum()
    return shares


def parts(row: Column) -> dict[str, float]:
    """What each feature added to one candidate's score; features that added nothing are left out."""
    added = row * _VECTOR
    return {name: round(float(value), 3) for name, value in zip(FEATURES, added, strict=True) if abs(value) >= 0.0005}
