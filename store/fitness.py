"""Whether a Redis can hold a memory: what it must be able to do, and how it must be set."""

import json
import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import redis

from reverie.config.errors import StoreDenied, StoreError, StoreUnfit
from reverie.store import schema_version, scripts

log = logging.getLogger("reverie.store")

_CLOCKS_DIFFER: Final = 60.0
"""Seconds from which it is told: more than the slowest answer, less than anybody waits for."""
_BROKEN: Final = {"8.0.0"}
_NEEDED: Final = (("search", "FT._LIST"), ("JSON", "JSON.TYPE", "rv:none"))


@dataclass(frozen=True)
class Fitness:
    """What a Redis says about itself: sizes in bytes, `max_bytes` None where there is no bound."""

    version: str
    policy: str | None
    """Its maxmemory-policy; None where it does not tell."""
    used_bytes: int
    max_bytes: int | None
    role: str
    """"master", or "slave" for a replica, which takes no writes."""
    uptime_seconds: int
    schema: int
    unfit: tuple[StoreError, ...]
    """Why it cannot hold a memory."""
    ailing: tuple[str, ...]
    """Why it takes no writes now, or will not, or why its work is done late."""


def check(client: "redis.Redis") -> None:
    """Refuse a server that cannot serve. Raises StoreUnavailable or StoreUnfit, both saying what to do."""
    found = examine(client)
    for warning in found.ailing:
        log.warning(warning)
    if found.unfit:
        raise found.unfit[0]


def examine(client: "redis.Redis") -> Fitness:
    """Ask a server what it is and can do. Raises StoreUnavailable when it does not answer."""
    about = client.info()
    version, policy = about["redis_version"], about.get("maxmemory_policy")
    used, most = int(about.get("used_memory", 0)), int(about.get("maxmemory", 0)) or None
    numbered, newer = schema_version.look(client)
    unfit = [*_unfit(client, version, policy), *([newer] if newer else [])]
    return Fitness(
        version=version,
        policy=policy,
        used_bytes=used,
        max_bytes=most,
        role=about.get("role", "master"),
        uptime_seconds=int(about.get("uptime_in_seconds", 0)),
        schema=numbered,
        unfit=tuple(unfit),
        ailing=(*_ailing(about, policy, used, most), *_skewed(about, time.time())),
    )


def _unfit(client: "redis.Redis", version: str, policy: str | None) -> Iterator[StoreError]:
    if version in _BROKEN:
        yield StoreUnfit(f"Redis {version} returns wrong search results; use 8.0.1 or later, or Redis Stack 7.4")
    missing = [what for what, *command in _NEEDED if not _knows(client, command)]
    if missing:
        yield StoreUnfit(
            f"the Redis at REVERIE_REDIS_URL ({version}) lacks {' and '.join(missing)}; use Redis Stack 7.4, Redis 8, "
            "or unset REVERIE_REDIS_URL to use the embedded server"
        )
    if policy not in (None, "noeviction"):
        yield StoreUnfit(
            f"the Redis at REVERIE_REDIS_URL evicts keys when it is full (maxmemory-policy {policy}), so that what was "
            "stored would vanish; set it: CONFIG SET maxmemory-policy noeviction, and the same in its configuration"
        )
    refused = [] if missing else _refused(client)
    if refused:
        yield StoreDenied(
            f"the Redis user of REVERIE_REDIS_URL may not use {', '.join(refused)}; allow it: ACL SETUSER <user> "
            "~rv* +@all"
        )


def _ailing(about: Mapping[str, Any], policy: str | None, used: int, most: int | None) -> Iterator[str]:
    if policy is None:
        yield "this Redis does not tell its maxmemory-policy; it must be noeviction, or it forgets by itself"
    if most is not None and used >= most:
        yield f"Redis is full ({used} of {most} bytes): forget what is not needed, or raise maxmemory"
    if about.get("role") == "slave":
        yield "this Redis is a read-only replica: it takes no writes; name its primary"
    if about.get("aof_last_write_status", "ok") != "ok" or about.get("rdb_last_bgsave_status", "ok") != "ok":
        yield "Redis could not save to its disk; look at its log and its disk"


def _skewed(about: Mapping[str, Any], now: float) -> Iterator[str]:
    """Work is done when the clock of a worker says that it is due, and was queued by the clock of a writer."""
    ahead = now - int(about.get("server_time_usec", now * 1e6)) / 1e6
    if abs(ahead) > _CLOCKS_DIFFER:
        where = "ahead of" if ahead > 0 else "behind"
        yield (
            f"the clock of this machine is {abs(ahead):.0f} s {where} that of Redis: what waits may be done that much "
            "too late; set both, such as by NTP"
        )


def _knows(client: "redis.Redis", command: list[str]) -> bool:
    try:
        client.execute_command(*command)
    except StoreError as error:
        if "unknown command" in str(error):
            return False
        raise
    return True


_USED: Final = (
    *(("JSON.SET", key, "$", "1") for key in ("rv:none", "rv:{none}:none")),
    *(("HSET", key, "a", "1") for key in ("rv:index", "rv:{none}:none", "rvr1:{none}:none")),
    ("JSON.GET", "rv:{none}:none", "$"),
    ("JSON.MGET", "rv:{none}:none", "$"),
    ("DEL", "rv:{none}:none"),
    ("DEL", "rvr1:{none}:none"),
    ("UNLINK", "rv:{none}:none"),
    ("ZADD", "rv:{none}:none", "1", "a"),
    ("ZREM", "rv:{none}:none", "a"),
    ("ZRANGE", "rv:{none}:none", "0", "1"),
    ("HDEL", "rv:{none}:none", "a"),
    ("HINCRBY", "rv:{none}:none", "a", "1"),
    ("SET", "rv:{none}:none", "1"),
    ("GET", "rv:{none}:none"),
    ("INCR", "rv:{none}:none"),
    ("SADD", "rv:namespaces", "a"),
    ("SREM", "rv:namespaces", "a"),
    ("SCAN", "0"),
    ("FT.SEARCH", "rv:rows", "*"),
    ("FT.AGGREGATE", "rv:rows", "*"),
    ("SCRIPT", "LOAD", "return 1"),
)  # fmt: skip


def _refused(client: "redis.Redis") -> list[str]:
    """Names of the commands that the connection's user may not use on the keys of a memory."""
    found: list[bytes] = client.eval(scripts.text("refused_commands"), 0, *(json.dumps(words) for words in _USED))
    return sorted({name.decode() for name in found})
