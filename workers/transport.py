"""Celery's Redis transport, mended where a worker that lost its broker would end.

When Redis goes away, kombu 5.7 closes a channel a second time when its connection is gone already, and acknowledges
late what came over a channel of the old connection. Both meet an `AttributeError`, which nothing handles, and the
worker dies. Here they meet the connection error that they are; the worker handles that and connects again, and what
was not acknowledged is delivered once more after the visibility timeout.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(redis.Channel):
    """A channel that knows when its connection is gone."""

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the channel was closed together with its connection")
        found: dict[str, Any] = super()._connparams(asynchronous=asynchronous)
        return found


class Transport(redis.Transport):
    """The transport of `redis://` and `rediss://` in this process, once `install` was called."""

    Channel = Channel


def install() -> None:
    """Use this transport for Redis URLs."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{Transport.__name__}"
