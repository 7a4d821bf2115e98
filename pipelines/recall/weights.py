"""What each feature weighs: learned on conversations by `bench/learn_ranking.py`, the same for every kind of row.

The logarithm of the odds that a candidate is what was asked for is linear in them. Features are standardised in the
pool (`features.standard`) or run from 0 to 1. `near` was learned as nothing on conversations; it is set to a little, so
that what only the edges reach is told apart.
"""

import numpy as np

from reverie.pipelines.recall.features import FEATURES, Matrix

WEIGHTS = {
    "words": 0.67,
    "meaning": 0.69,
    "session_words": 0.24,
    "session_meaning": 1.09,
    "speaker": 0.34,
    "question": -0.74,
    "answers": 0.63,
    "length": 0.81,
    "time_told": 2.23,
    "number_told": 1.1,
    "in_time": 2.89,
    "after_time": 1.04,
    "near": 0.1,
    "claimed": 0.29,
}

_VECTOR = np.array([WEIGHTS[name] for name in FEATURES], dtype=np.float32)


def fuse(features: Matrix) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """The fused score of each candidate, shape (candidates,); only differences within a pool mean something."""
    fused: np.ndarray[tuple[int], np.dtype[np.float32]] = features @ _VECTOR
    return fused


def parts(row: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> dict[str, float]:
    """What each feature added to one candidate's score; features that added nothing are left out."""
    added = row * _VECTOR
    return {name: round(float(value), 3) for name, value in zip(FEATURES, added, strict=True) if abs(value) >= 0.0005}
