"""Whether a Redis can hold a memory: what it must be able to do, and how it must be set."""

import json
import logging
from typing import Final

import redis

from reverie.config.errors import StoreDenied, StoreError, StoreUnfit

log = logging.getLogger("reverie.store")

_BROKEN: Final = {"8.0.0"}
_NEEDED: Final = (("search", "FT._LIST"), ("JSON", "JSON.TYPE", "rv:none"))


def check(client: "redis.Redis") -> None:
    """Refuse a server that cannot serve. Raises StoreUnavailable or StoreUnfit, both saying what to do."""
    about = client.info()
    version = about["redis_version"]
    if version in _BROKEN:
        raise StoreUnfit(f"Redis {version} returns wrong search results; use 8.0.1 or later, or Redis Stack 7.4")
    missing = [what for what, *command in _NEEDED if not _knows(client, command)]
    if missing:
        raise StoreUnfit(
            f"the Redis at REVERIE_REDIS_URL ({version}) lacks {' and '.join(missing)}; use Redis Stack 7.4, Redis 8, "
            "or unset REVERIE_REDIS_URL to use the embedded server"
        )
    policy = about.get("maxmemory_policy")
    if policy is None:
        log.warning("this Redis does not tell its maxmemory-policy; it must be noeviction, or it forgets by itself")
    elif policy != "noeviction":
        raise StoreUnfit(
            f"the Redis at REVERIE_REDIS_URL evicts keys when it is full (maxmemory-policy {policy}), so that what was "
            "stored would vanish; set it: CONFIG SET maxmemory-policy noeviction, and the same in its configuration"
        )
    refused = _refused(client)
    if refused:
        raise StoreDenied(
            f"the Redis user of REVERIE_REDIS_URL may not use {', '.join(refused)}; allow it: ACL SETUSER <user> "
            "~rv* +@all"
        )


def _knows(client: "redis.Redis", command: list[str]) -> bool:
    try:
        client.execute_command(*command)
    except StoreError as error:
        if "unknown command" in str(error):
            return False
        raise
    return True


# A user who may use some commands alone would get half of a write done: a script is not taken back.
_PERMITTED: Final = """
local refused = {}
for i = 1, #ARGV do
  local words = cjson.decode(ARGV[i])
  if not redis.acl_check_cmd(unpack(words)) then refused[#refused + 1] = words[1] end
end
return refused
"""
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
    found: list[bytes] = client.eval(_PERMITTED, 0, *(json.dumps(words) for words in _USED))
    return sorted({name.decode() for name in found})
