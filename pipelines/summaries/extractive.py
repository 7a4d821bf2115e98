"""The deterministic summary: the sentences nearest to what the whole session is about, each once, in order of time.

Centrality is nearness to the centroid of all sentences (Radev et al. 2004, with embeddings as in Rossiello et al.
2017); repetition is kept out by maximal marginal relevance (Carbonell and Goldstein 1998).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reverie.models.embedders import Vector

_CENTRAL = 0.6
"""Weight of being central; the rest is the weight of being unlike what was chosen already."""


@dataclass(frozen=True)
class Unit:
    """What is chosen or left out as a whole: a sentence, or a tool call with its result.

    `place` orders units in time; `sources` are the ids of the messages it rests on. `weight` tells a claim drawn from
    a message from the message's own words. What is `kept` goes in before all others.
    """

    text: str
    place: tuple[int, int]
    vector: Vector
    sources: tuple[str, ...] = ()
    weight: float = 1.0
    kept: bool = False


def select(units: Sequence[Unit], characters: int) -> list[Unit]:
    """The units of the summary in order of time; joined by blanks they take at most so many characters."""
    fitting = [unit for unit in units if 0 < len(unit.text) <= characters]
    if not fitting:
        return []
    vectors = np.stack([unit.vector for unit in fitting]).astype(np.float64)
    central = _spread(vectors @ vectors.mean(axis=0)) * np.array([unit.weight for unit in fitting])
    nearest = np.zeros(len(fitting))
    chosen: list[int] = []
    left, room = list(range(len(fitting))), characters
    while left:
        worth = _CENTRAL * central - (1 - _CENTRAL) * nearest
        best = max(left, key=lambda i: (fitting[i].kept, worth[i], -i))
        chosen.append(best)
        room -= len(fitting[best].text) + 1
        left = [i for i in left if i != best and len(fitting[i].text) <= room]
        nearest = np.maximum(nearest, _spread(vectors @ vectors[best]))
    return [fitting[i] for i in sorted(chosen, key=lambda i: fitting[i].place)]


def _spread(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Values stretched over [0, 1]: embedders crowd all similarities into their own narrow band."""
    low, high = float(values.min()), float(values.max())
    spread: npt.NDArray[np.float64] = (values - low) / (high - low) if high > low else np.ones_like(values)
    return spread
