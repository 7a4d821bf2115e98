"""Celery's consumer, which logs nothing of what a message says.

The gate lets no message through that Celery could not read. What gets here all the same, such as a broken broadcast,
Celery would log whole; whatever it holds may be what a user said.
"""

import logging
from typing import Any

from celery.worker import consumer

log = logging.getLogger("reverie.workers")


class Consumer(consumer.Consumer):
    """Drops what it cannot read, and names the kind of fault alone."""

    def on_decode_error(self, message: Any, exc: BaseException) -> None:
        self._drop(message, exc)

    def on_unknown_message(self, _body: Any, message: Any) -> None:
        self._drop(message)

    def on_unknown_task(self, _body: Any, message: Any, exc: BaseException) -> None:
        self._drop(message, exc)

    def on_invalid_task(self, _body: Any, message: Any, exc: BaseException) -> None:
        self._drop(message, exc)

    def _drop(self, message: Any, error: BaseException | None = None) -> None:
        log.error("a message is dropped: %s", "it is no task" if error is None else type(error).__name__)
        message.reject_log_error(log, self.connection_errors)
