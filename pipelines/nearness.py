"""How near in meaning a text is to a question, beyond what any text is."""

import threading
from weakref import WeakKeyDictionary

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.models.embedders import Vector
from reverie.models.embedders.deadline import DeadlineEmbedder
from reverie.pipelines.context import Context

_ANCHORS = (
    "The meeting starts at noon.", "likes long walks", "person", "The price went up by ten percent.",
    "a blue chair in the corner", "works in an office", "It rained all night.", "plays football on Sundays",
    "The file could not be opened.", "city", "ate soup for lunch", "a song from the eighties",
    "The river is wide and slow.", "has two children", "The committee rejected the plan.", "a battery of nine volts",
)  # fmt: skip
"""Texts about nothing in common: what a query has to them it has to any text."""
_centres: "WeakKeyDictionary[DeadlineEmbedder, Vector]" = WeakKeyDictionary()
_centres_lock = threading.Lock()


def _centre(ctx: Context) -> Vector:
    """The mean of the anchors' vectors, made once for each embedder that is open. Raises ModelFailed."""
    with _centres_lock:
        found = _centres.get(ctx.quick_embedder)
        if found is None:
            vectors = [vector for vector in ctx.quick_embedder.documents(_ANCHORS) if vector is not None]
            if len(vectors) < len(_ANCHORS):
                raise ModelFailed("the embedder failed at texts to compare with")
            found = np.mean(vectors, axis=0, dtype=np.float32)
            _centres[ctx.quick_embedder] = found
        return found


def background(ctx: Context, question: Vector) -> float:
    """The similarity that this question has to any text. Raises ModelFailed."""
    return float(question @ _centre(ctx))


def above(similarity: float, background: float) -> float:
    """A similarity above the question's background, as a part of what it could have: in [0, 1].

    Embedders put all texts into a narrow cone (0.75 to 0.9 for the default one), each question at its own height.
    """
    return min(1.0, max(0.0, (similarity - background) / max(1e-6, 1.0 - background)))
