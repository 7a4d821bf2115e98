"""The contract of an embedder."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
"""Shape (dimension,), unit length."""
Vectors = npt.NDArray[np.float32]
"""Shape (texts, dimension), rows of unit length."""


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity.

    Documents and queries are two sides: many models embed them differently, and mixing them up costs recall.
    """

    @property
    def name(self) -> str:
        """Name that the index remembers; two embedders whose vectors do not compare have different names."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, shape (len(texts), dimension). Raises ModelFailed."""
        ...

    def query(self, text: str) -> Vector:
        """Vector of a question, shape (dimension,). Raises ModelFailed."""
        ...


def clean(text: str) -> str:
    """What an embedder may see of a stored text: NUL ends a C string, so it is left out."""
    return text.replace("\0", " ")
