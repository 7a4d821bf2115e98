"""Embeddings of any OpenAI-compatible endpoint."""

from collections.abc import Sequence

import numpy as np
from openai import OpenAI, OpenAIError

from reverie.config.errors import ConfigurationError, ModelFailed
from reverie.models.embedders.base import Vector, Vectors, clean

_BATCH = 128


class OpenAIEmbedder:
    """Batches of up to 128 texts; the client retries what may pass on a second try, within `timeout` a request."""

    def __init__(
        self,
        model: str,
        *,
        dimension: int,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 10.0,
        max_retries: int = 2,
    ) -> None:
        self.name = model
        self.dimension = dimension
        try:
            self._client = OpenAI(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=max_retries)
        except OpenAIError:
            raise ConfigurationError("the openai embedder needs REVERIE_EMBEDDER_API_KEY") from None

    def documents(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [clean(text) or " " for text in texts[start : start + _BATCH]]
            vectors[start : start + len(batch)] = self._embed(batch)
        return vectors

    def query(self, text: str) -> Vector:
        vector: Vector = self._embed([clean(text) or " "])[0]
        return vector

    def _embed(self, texts: list[str]) -> Vectors:
        try:
            reply = self._client.embeddings.create(model=self.name, input=texts, encoding_format="float")
        except OpenAIError as error:
            raise ModelFailed(f"the embedder {self.name} failed: {type(error).__name__}") from error
        rows = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        vectors: Vectors = np.asarray(rows, dtype=np.float32)
        if vectors.shape != (len(texts), self.dimension):
            raise ConfigurationError(
                f"the embedder {self.name} gave vectors of shape {vectors.shape}, "
                f"not ({len(texts)}, {self.dimension}); set REVERIE_EMBEDDER_DIMENSION to their length"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)
        return unit
