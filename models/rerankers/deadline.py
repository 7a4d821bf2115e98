"""A reranker that is given up on after a deadline, so that no recall waits for a slow one."""

import logging
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import timedelta

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.models.rerankers.base import Reranker

log = logging.getLogger("reverie.reranker")

_MOST_WAITING = 4
"""As many as of an embedder's calls: beyond, a reranker that hangs would only gather threads."""


class DeadlineReranker:
    """Gives scores within a deadline, or ModelFailed; while four calls hang, further ones are refused at once."""

    def __init__(self, reranker: Reranker, deadline: timedelta) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._deadline = deadline.total_seconds()
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._free = threading.BoundedSemaphore(_MOST_WAITING)
        self._pool = ThreadPoolExecutor(_MOST_WAITING, thread_name_prefix="reverie-rerank")

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """One finite number a text, in their order. Raises ModelFailed also when they come late."""
        if self._process != os.getpid():
            self._open()  # forked since: the pool's threads stayed with the parent
        free = self._free
        if not free.acquire(blocking=False):
            raise ModelFailed(f"the reranker {self.name} does not answer")
        future = self._pool.submit(self._reranker.scores, question, list(texts))

        def released(_: "Future[list[float]]") -> None:
            free.release()

        future.add_done_callback(released)
        try:
            scores = future.result(self._deadline)
        except ModelFailed:
            raise
        except FutureTimeout:
            raise ModelFailed(f"the reranker {self.name} did not answer within {self._deadline:g} s") from None
        except Exception as error:
            log.warning("the reranker failed: %s", type(error).__name__)
            raise ModelFailed(f"the reranker {self.name} failed: {type(error).__name__}") from error
        if len(scores) != len(texts) or not np.isfinite(scores).all():
            raise ModelFailed(f"the reranker {self.name} gave no finite score for every text")
        return scores
