"""What each feature weighs: learned on conversations by `bench/learn_ranking.py`, the same for every kind of row.

The logarithm of the odds that a candidate is what was asked for is linear in them. Features are standardised in the
pool (`features.standard`) or run from -1 or 0 to 1.
"""

import numpy as np

from reverie.pipelines.recall.features import FEATURES, Column, Matrix

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

_VECTOR = np.array([WEIGHTS[name] for name in FEATURES], dtype=np.float32)


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
