"""What each feature weighs: learned on conversations by `bench/learn_ranking.py`, the same for every kind of row.

The logarithm of the odds that a candidate is what was asked for is linear in them. Features are standardised in the
pool (`features.standard`) or run from 0 to 1.
"""

import numpy as np

from reverie.pipelines.recall.features import FEATURES, Matrix

WEIGHTS = {
    "words": 0.52,
    "meaning": 0.65,
    "session_words": 0.19,
    "session_meaning": 1.05,
    "speaker": 0.53,
    "question": -0.88,
    "answers": 0.79,
    "length": 0.8,
    "time_told": 1.8,
    "number_told": 1.4,
    "in_time": 3.9,
    "after_time": 1.0,
    "near": 0.0,
    "claimed": 0.0,
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
