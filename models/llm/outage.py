"""A language model that fails in public: one warning when it goes out, one line when it is back, and a rest between."""

import logging
import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from reverie.config.errors import ModelFailed, ModelRefused
from reverie.models.llm.base import LanguageModel, Prompt, Reply

log = logging.getLogger("reverie.models")


class WatchedModel:
    """A language model that knows whether it is out.

    After a failure it is not worth asking for `pause` seconds, or for as long as the endpoint asked to be left alone.
    `resting` says so to those who have a way without it; whoever has none asks anyway, and ends the outage if it works.
    """

    def __init__(self, model: LanguageModel, pause: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._pause = pause
        self._clock = clock
        self._lock = Lock()
        self._failures = 0
        self._reason = ""
        self._until = 0.0

    @property
    def name(self) -> str:
        return self._model.name

    def complete(
        self,
        prompts: Sequence[Prompt],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
    ) -> Reply:
        try:
            reply = self._model.complete(prompts, schema=schema, max_tokens=max_tokens, timeout=timeout)
        except ModelRefused:
            self._works()
            raise
        except ModelFailed as error:
            self._fails(error)
            raise
        self._works()
        return reply

    def resting(self) -> str | None:
        """Why the model is not to be asked now; None when it is."""
        with self._lock:
            return self._reason if self._failures and self._clock() < self._until else None

    def _fails(self, error: ModelFailed) -> None:
        with self._lock:
            self._failures += 1
            self._reason = str(error)
            rest = max(self._pause, error.retry_after or 0.0)
            self._until = self._clock() + rest
            first = self._failures == 1
        if first:
            log.warning("%s; until it is back, what can be done without it is", error)

    def _works(self) -> None:
        with self._lock:
            failures, self._failures = self._failures, 0
        if failures:
            log.info("the language model %s is back after %d failures", self.name, failures)
