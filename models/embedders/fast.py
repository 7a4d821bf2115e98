"""The `fastembed` library, for machines that may fetch a model at first use."""

from collections.abc import Sequence

import numpy as np

from reverie.config.errors import ConfigurationError
from reverie.models.embedders.base import Vector, Vectors, clean


class FastEmbedder:
    """Any text model of fastembed by its name. Needs the `fastembed` extra and, the first time, internet."""

    def __init__(self, model: str) -> None:
        try:
            from fastembed import TextEmbedding
        except ImportError:
            raise ConfigurationError("REVERIE_EMBEDDER=fastembed needs `pip install 'reverie[fastembed]'`") from None
        self.name = model
        self._model = TextEmbedding(model)
        self.dimension = int(self._model.embedding_size)

    def documents(self, texts: Sequence[str]) -> Vectors:
        rows = list(self._model.passage_embed([clean(text) for text in texts]))
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def query(self, text: str) -> Vector:
        vector: Vector = np.asarray(next(iter(self._model.query_embed(clean(text)))), dtype=np.float32)
        return vector
