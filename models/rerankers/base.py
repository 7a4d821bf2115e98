"""The contract of a reranker."""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Reads a question together with each text: better than vectors made apart, and too dear for more than a few."""

    @property
    def name(self) -> str:
        """Name of the model, for notes and logs."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in their order; only the order of the numbers means something.

        Raises ModelFailed.
        """
        ...
