"""The connection: to the given Redis, else to the embedded one."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from redis.backoff import ExponentialWithJitterBackoff
from redis.connection import ConnectionPool, parse_url
from redis.exceptions import AuthenticationError, ConnectionError, RedisError
from redis.retry import Retry

from reverie.config.errors import ConfigurationError, EmbeddedServerError
from reverie.config.settings import Settings
from reverie.store import embedded
from reverie.store.client import Client

T = TypeVar("T")

log = logging.getLogger("reverie.store")

_SCHEMES: Final = ("redis", "rediss", "unix")
_OURS: Final = frozenset({"protocol", "legacy_responses", "decode_responses", "encoding", "encoding_errors"})
"""Options of a URL that would change what replies look like."""
_RETRY_WITHIN = 0.3
"""Seconds after which a lost connection is not tried again: with one more wait for a reply (4 s by default) and the
connection's own retries the error comes within five."""
_HOW = "write redis://USER:PASSWORD@HOST:PORT/0, rediss://… or unix:///PATH, with special characters percent-encoded"


def locate(settings: Settings) -> tuple[str, embedded.Lease | None]:
    """URL of the Redis that holds the memory: the one given, else the embedded server, started when it must be.

    The lease keeps the embedded server running; release it when done. Raises ConfigurationError, EmbeddedServerError.
    """
    if settings.redis_url is not None:
        return _checked(settings.redis_url.get_secret_value()), None
    lease = embedded.acquire(settings.data_dir, fsync=settings.appendfsync)
    return lease.endpoint.url(), lease


def _checked(url: str) -> str:
    """The URL, if it can be right. No message quotes it: it holds a password."""
    try:
        parts = urlsplit(url)
        number = parse_url(url).get("db", 0)
    except ValueError:
        raise ConfigurationError(f"REVERIE_REDIS_URL is no Redis URL; {_HOW}") from None
    if parts.scheme not in _SCHEMES:
        raise ConfigurationError(f"REVERIE_REDIS_URL has a scheme that Reverie does not speak; {_HOW}")
    if parts.scheme == "unix":
        misread = not parts.path.strip("/")
    else:
        # A password with a slash, a question mark or a hash in it ends up in the parts behind the host.
        number_or_none = parts.path.strip("/").isdecimal() or parts.path in ("", "/")
        misread = not number_or_none or ("@" in parts.query and "@" not in parts.netloc)
    if misread or parts.fragment:
        raise ConfigurationError(f"REVERIE_REDIS_URL cannot be read; {_HOW}")
    named = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if named & _OURS:
        raise ConfigurationError(
            f"REVERIE_REDIS_URL sets {', '.join(sorted(named & _OURS))}, which Reverie sets itself; leave it out"
        )
    try:
        ConnectionPool.from_url(url).make_connection()  # connects nowhere
    except (TypeError, ValueError, RedisError):
        raise ConfigurationError(
            "REVERIE_REDIS_URL has an option that redis-py does not know, or a wrong value of one; see its from_url()"
        ) from None
    if number != 0:
        raise ConfigurationError(f"REVERIE_REDIS_URL names database {number}; Redis searches in database 0 alone")
    return url


def is_redis(url: str) -> bool:
    """Whether it is a URL that `connect` takes."""
    return urlsplit(url).scheme in _SCHEMES


def database(url: str, number: int) -> str:
    """The same server's database of another number."""
    parts = urlsplit(url)
    options = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != "db"]
    if parts.scheme == "unix":  # its path is the socket's
        query = urlencode([*options, ("db", number)])
        return f"unix://{parts.netloc}{parts.path}?{query}"
    return urlunsplit((parts.scheme, parts.netloc, f"/{number}", urlencode(options), ""))


class _Patience(Retry):
    """Tries a lost connection again for a moment; a server that hangs or refuses the password is not asked twice."""

    def __init__(self) -> None:
        super().__init__(ExponentialWithJitterBackoff(base=0.02, cap=0.5), 3, (ConnectionError,))

    def call_with_retry(
        self,
        do: Callable[[], T],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        began = time.monotonic()

        def again(error: Exception) -> bool:
            late = time.monotonic() - began > _RETRY_WITHIN
            refused = isinstance(error, AuthenticationError) or "max number of clients" in str(error)
            return not (late or refused) and (is_retryable is None or is_retryable(error))

        found: T = super().call_with_retry(do, fail, again, with_failure_count)
        return found


def connect(url: str, timeout: timedelta = timedelta(seconds=4), lease: embedded.Lease | None = None) -> Client:
    """A client of the server at `url`, replies as bytes. Makes no check; see `fitness.check`.

    `timeout` is how long one reply may take; a connection must be made in half of that. With the lease of an embedded
    server the client starts that again when it is gone.
    """
    seconds = timeout.total_seconds()
    client: Client = Client.from_url(
        url,
        protocol=2,
        socket_timeout=seconds,
        socket_connect_timeout=seconds / 2,
        health_check_interval=30,
        retry=_Patience(),
    )
    if lease is not None:
        number = parse_url(url).get("db", 0)

        def revive() -> str | None:
            try:
                return lease.ensure(seconds).url(number)
            except EmbeddedServerError as error:
                log.warning("the embedded Redis is gone and does not come back: %s", error)
                return None

        client.revive = revive
    return client
