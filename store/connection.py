"""The connection: to the given Redis, else to the embedded one; checked once for what Reverie needs."""

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import redis
from redis.backoff import ExponentialWithJitterBackoff
from redis.connection import parse_url
from redis.exceptions import ConnectionError, ResponseError, TimeoutError
from redis.retry import Retry

from reverie.config.errors import ConfigurationError, StoreUnavailable, StoreUnfit
from reverie.config.settings import Settings
from reverie.store import embedded
from reverie.store.space import reachable

_BROKEN = {"8.0.0"}
_NEEDED = {"FT.SEARCH": "search", "JSON.SET": "JSON"}


def locate(settings: Settings) -> tuple[str, embedded.Lease | None]:
    """URL of the Redis that holds the memory: the one given, else the embedded server, started when it must be.

    The lease keeps the embedded server running; release it when done. Raises ConfigurationError, EmbeddedServerError.
    """
    if settings.redis_url is not None:
        return _checked(settings.redis_url.get_secret_value()), None
    lease = embedded.acquire(settings.data_dir, fsync=settings.appendfsync)
    return lease.endpoint.url(), lease


def _checked(url: str) -> str:
    try:
        number = parse_url(url).get("db", 0)
    except ValueError:  # which would quote the URL, password and all
        raise ConfigurationError("REVERIE_REDIS_URL is no Redis URL; write redis://:PASSWORD@HOST:PORT/0") from None
    if number != 0:
        raise ConfigurationError(f"REVERIE_REDIS_URL names database {number}; Redis searches in database 0 alone")
    return url


def database(url: str, number: int) -> str:
    """The same server's database of another number."""
    parts = urlsplit(url)
    query = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] != "db"])
    return urlunsplit((parts.scheme, parts.netloc, f"/{number}", query, ""))


def connect(url: str) -> "redis.Redis":
    """A client of the server at `url`, replies as bytes. Makes no check; see `check`."""
    return redis.Redis.from_url(
        url,
        protocol=2,
        socket_timeout=30,
        socket_connect_timeout=5,
        health_check_interval=30,
        retry=Retry(ExponentialWithJitterBackoff(base=0.02, cap=0.5), 3),
        retry_on_error=[ConnectionError, TimeoutError],
    )


def check(client: "redis.Redis") -> None:
    """Refuse a server that cannot serve. Raises StoreUnavailable or StoreUnfit, both saying what to do."""
    with reachable():
        try:
            version = client.info("server")["redis_version"]
            found = client.execute_command("COMMAND", "INFO", *_NEEDED)
        except ResponseError as error:
            raise StoreUnavailable(f"Redis refused the connection: {error}; check REVERIE_REDIS_URL") from error
    if version in _BROKEN:
        raise StoreUnfit(f"Redis {version} returns wrong search results; use 8.0.1 or later, or Redis Stack 7.4")
    known = set(found) if isinstance(found, dict) else {row[0].decode().upper() for row in found if row}
    known = {str(name).upper() for name in known}
    missing = [what for command, what in _NEEDED.items() if command not in known]
    if missing:
        raise StoreUnfit(
            f"the Redis at REVERIE_REDIS_URL ({version}) lacks {' and '.join(missing)}; use Redis Stack 7.4, Redis 8, "
            "or unset REVERIE_REDIS_URL to use the embedded server"
        )
