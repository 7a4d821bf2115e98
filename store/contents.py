"""Everything that a namespace holds, read key by key: for the proof that something is gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.store.namespace import Namespace

_BATCH = 200


@dataclass(frozen=True)
class Content:
    """A key without the prefix of its namespace, and what it holds: fields of a hash, members of a set, one value."""

    key: bytes
    whole: bytes
    """The key as it is in Redis."""
    is_row: bool
    """Whether it is a search row; else it is a record, an edge, a queue or the like."""
    fields: dict[bytes, bytes] = field(default_factory=dict)
    """Of a hash."""
    values: tuple[bytes, ...] = ()
    """Of anything else."""
    document: bytes | None = None
    """Of a record."""


def keys(ns: Namespace) -> Iterator[bytes]:
    """Every key of the namespace, the search rows of every index generation included."""
    for pattern in (f"rv:{{{ns.keys.tag}}}:*", f"rvr*:{{{ns.keys.tag}}}:*"):
        yield from ns.client.scan_iter(match=pattern, count=1000)


def whole_key(ns: Namespace, key: str) -> str:
    """The key as it is in Redis of a key without the prefix of its namespace."""
    return ns.keys.base + key


def contents(ns: Namespace) -> Iterator[Content]:
    """Every key of the namespace with all that it holds."""
    batch: list[bytes] = []
    for key in keys(ns):
        batch.append(key)
        if len(batch) == _BATCH:
            yield from _read(ns, batch)
            batch = []
    yield from _read(ns, batch)


def _read(ns: Namespace, keys: Sequence[bytes]) -> Iterator[Content]:
    pipe = ns.client.pipeline(transaction=False)
    for key in keys:
        pipe.type(key)
    types = pipe.execute() if keys else []
    pipe = ns.client.pipeline(transaction=False)
    for key, kind in zip(keys, types, strict=True):
        if kind == b"string":
            pipe.get(key)
        elif kind == b"hash":
            pipe.hgetall(key)
        elif kind == b"zset":
            pipe.zrange(key, 0, -1)
        elif kind == b"set":
            pipe.smembers(key)
        elif kind == b"list":
            pipe.lrange(key, 0, -1)
        elif kind == b"ReJSON-RL":
            pipe.execute_command("JSON.GET", key, "$")
        else:
            pipe.exists(key)  # gone meanwhile
    replies = pipe.execute(raise_on_error=False) if keys else []
    for key, kind, reply in zip(keys, types, replies, strict=True):
        yield _content(key, kind, reply)


def _content(key: bytes, kind: bytes, reply: object) -> Content:
    short, is_row = key.partition(b"}:")[2], key.startswith(b"rvr")
    if isinstance(reply, dict):
        return Content(short, key, is_row, fields={name: one for name, one in reply.items() if isinstance(one, bytes)})
    if isinstance(reply, list | set):
        return Content(short, key, is_row, values=tuple(one for one in reply if isinstance(one, bytes)))
    if isinstance(reply, bytes):
        is_document = kind == b"ReJSON-RL"
        return Content(short, key, is_row, values=(reply,), document=reply if is_document else None)
    return Content(short, key, is_row)
