"""An embedder that is given up on after a deadline, so that no write waits for a slow one."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import timedelta

from reverie.config.errors import ReverieError
from reverie.models.embedders.base import Embedder, Vector, Vectors

_MOST_WAITING = 4
_BATCH = 8
"""Texts embedded under one deadline: few enough that a sound embedder on a busy machine keeps it."""


class DeadlineEmbedder:
    """Gives document vectors within a deadline, or none.

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
            batch = self._embed(texts[start : start + _BATCH])
            if batch is None:
                break
            vectors.extend(batch)
        return vectors + [None] * (len(texts) - len(vectors))

    def _embed(self, texts: Sequence[str]) -> Vectors | None:
        if self._process != os.getpid():
            self._open()  # forked since: the pool's threads stayed with the parent
        if self.hanging >= _MOST_WAITING:
            return None
        future = self._pool.submit(self.embedder.documents, list(texts))
        try:
            return future.result(self._deadline)
        except FutureTimeout:
            with self._lock:
                self.hanging += 1
            future.add_done_callback(self._answered)
            return None
        except (ReverieError, OSError, ValueError, RuntimeError):
            return None

    def _answered(self, future: "Future[Vectors]") -> None:  # noqa: ARG002  # the callback's contract
        with self._lock:
            self.hanging -= 1
