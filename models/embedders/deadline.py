"""An embedder that is given up on after a deadline, so that neither a write nor a question waits for a slow one."""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import timedelta
from typing import TypeVar

import numpy as np

from reverie.config.errors import ModelFailed, ReverieError
from reverie.models.embedders.base import Embedder, Vector

log = logging.getLogger("reverie.embedder")

Given = TypeVar("Given")
Got = TypeVar("Got")

_MOST_WAITING = 4
_BATCH = 8
"""Texts embedded under one deadline: few enough that a sound embedder on a busy machine keeps it."""


class DeadlineEmbedder:
    """Gives vectors within a deadline, or none.

    A call that overran keeps its thread until the embedder answers; while `_MOST_WAITING` calls hang, further ones
    are refused at once instead of queueing behind them.
    """

    def __init__(self, embedder: Embedder, deadline: timedelta) -> None:
        self.embedder = embedder
        self._deadline = deadline.total_seconds()
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self.hanging = 0
        """How many calls overran and are still not answered."""
        self._pool = ThreadPoolExecutor(_MOST_WAITING, thread_name_prefix="reverie-embed")

    def documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector per text; None for those from the first on that the embedder failed at or was late with.

        Texts go to it a few at a time, each time within the deadline: what overruns is one batch, not the call.
        """
        vectors: list[Vector | None] = []
        for start in range(0, len(texts), _BATCH):
            try:
                batch = self._within(self.embedder.documents, list(texts[start : start + _BATCH]))
            except ModelFailed:
                break
            if not np.isfinite(batch).all():
                log.warning("the embedder gave numbers that are none")
                break
            vectors.extend(batch)
        return vectors + [None] * (len(texts) - len(vectors))

    def query(self, text: str) -> Vector:
        """Vector of a question. Raises ModelFailed also when it comes late, or is none of the index's."""
        vector: Vector = np.asarray(self._within(self.embedder.query, text), dtype=np.float32)
        if vector.shape != (self.embedder.dimension,) or not np.isfinite(vector).all():
            raise ModelFailed(f"the embedder gave no vector of {self.embedder.dimension} finite numbers")
        return vector

    def _within(self, embed: Callable[[Given], Got], given: Given) -> Got:
        if self._process != os.getpid():
            self._open()  # forked since: the pool's threads stayed with the parent
        if self.hanging >= _MOST_WAITING:
            raise ModelFailed("the embedder does not answer")
        future = self._pool.submit(embed, given)
        try:
            return future.result(self._deadline)
        except FutureTimeout:
            # One of the embedder's own is a failure like any other.
            if future.done():
                raise ModelFailed("the embedder failed: TimeoutError") from None
            with self._lock:
                self.hanging += 1
            future.add_done_callback(self._answered)
            raise ModelFailed(f"the embedder did not answer within {self._deadline:g} s") from None
        except ReverieError as error:
            raise ModelFailed(str(error)) from error
        except Exception as error:
            log.warning("the embedder failed: %s", type(error).__name__)
            raise ModelFailed(f"the embedder failed: {type(error).__name__}") from error

    def _answered(self, future: "Future[Got]") -> None:  # noqa: ARG002  # the callback's contract
        with self._lock:
            self.hanging -= 1
