"""Any rerank endpoint that speaks as Cohere's does, which most servers of rerankers understand."""

from collections.abc import Sequence
from typing import Annotated

import httpx
from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from reverie.config.errors import ModelFailed
from reverie.models.embedders.base import clean


class _Result(BaseModel):
    index: Annotated[int, Field(ge=0)]
    relevance_score: FiniteFloat


class _Reply(BaseModel):
    results: list[_Result]


class EndpointReranker:
    """Posts `model`, `query`, `documents` and `top_n` to one address, and reads `results` of index and relevance."""

    def __init__(self, model: str, *, url: str, api_key: str | None = None, timeout: float = 1.0) -> None:
        self.name = model
        self._url = url
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(headers=headers, timeout=timeout)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = {
            "model": self.name,
            "query": clean(question),
            "documents": [clean(text) or " " for text in texts],
            "top_n": len(texts),
        }
        try:
            reply = self._client.post(self._url, json=asked)
            reply.raise_for_status()
            results = _Reply.model_validate_json(reply.content).results
        except (httpx.HTTPError, ValidationError) as error:
            raise ModelFailed(f"the reranker {self.name} failed: {type(error).__name__}") from error
        given = {result.index: result.relevance_score for result in results}
        if given.keys() != set(range(len(texts))):
            raise ModelFailed(f"the reranker {self.name} scored {len(given)} texts of {len(texts)}")
        return [given[index] for index in range(len(texts))]
