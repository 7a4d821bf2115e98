"""The cross-encoders of the `fastembed` library, for machines that may fetch a model at first use."""

from collections.abc import Sequence

from reverie.config.errors import ConfigurationError
from reverie.models.embedders.base import clean


class FastReranker:
    """Any cross-encoder of fastembed by its name. Needs the `fastembed` extra and, the first time, internet."""

    def __init__(self, model: str) -> None:
        try:
            from fastembed.rerank.cross_encoder import TextCrossEncoder
        except ImportError:
            raise ConfigurationError("REVERIE_RERANKER=fastembed needs `pip install 'reverie[fastembed]'`") from None
        self.name = model
        self._model = TextCrossEncoder(model)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(score) for score in self._model.rerank(clean(question), [clean(text) for text in texts])]
