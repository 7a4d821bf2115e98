"""Counting tokens, so that a budget is kept and not guessed."""

from typing import Protocol

from reverie.models.embedders.base import Embedder


class TokenCounter(Protocol):
    """Counts the tokens of a text. A model whose own tokenizer is at hand implements it too."""

    def count(self, text: str) -> int: ...


class _LocalCounter:
    def __init__(self) -> None:
        from reverie.models.embedders.local import LocalEmbedder

        self._embedder = LocalEmbedder()

    def count(self, text: str) -> int:
        return self._embedder.count(text)


def counter_for(embedder: Embedder) -> TokenCounter:
    """The embedder's own tokenizer where it has one, else the local embedder's."""
    count = getattr(embedder, "count", None)
    if callable(count):
        counter: TokenCounter = embedder  # type: ignore[assignment]  # it has the one method of the protocol
        return counter
    return _LocalCounter()
