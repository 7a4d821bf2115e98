"""Everything of a namespace that is no copy of something else, as JSON documents: what an export is made of.

Which keys these are, and in which order they come, `store.schema` says. A document is one of

    {"record": kind, "id": id, "data": fields}
    {"edge": name, "of": source kind, "to": [kind, id], "from": [[source id, at], [source id, at, order], ...]}
    {"key": name, "zset": [[member, score], ...]}, or "hash": {...}, "set": [...], "string": "..."

and of a long key there are several, each a part of it. Moments are microseconds since 1970. Bytes that are no UTF-8 are
kept as lone surrogates, which JSON escapes.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from reverie.store import contents
from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.base import unwrapped
from reverie.store.schema import KINDS, KeyPattern, order, pattern_of

Document = dict[str, Any]


class _Given(BaseModel):
    """A document as it may be given by a file."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Record(_Given):
    record: str
    id: str = Field(min_length=1)
    data: dict[str, Any]
    vectors: dict[str, str] = {}


class _Edges(_Given):
    edge: str
    of: str
    to: tuple[str, str]
    sources: list[tuple[str, int] | tuple[str, int, int]] = Field(alias="from", min_length=1, max_length=500)


class _SortedSet(_Given):
    key: str
    zset: list[tuple[str, int | float]] = Field(min_length=1, max_length=500)


class _Hash(_Given):
    key: str
    hash: dict[str, str] = Field(min_length=1, max_length=500)


class _Set(_Given):
    key: str
    set: list[str] = Field(min_length=1, max_length=500)


class _String(_Given):
    key: str
    string: str


class _Clear(_Given):
    clear: str


_DOCUMENT: TypeAdapter[Any] = TypeAdapter(_Record | _Edges | _SortedSet | _Hash | _Set | _String | _Clear)

_BATCH: Final = 200
"""Keys read in one round trip."""
_PART: Final = 500
"""Members or fields of one document at most: one write of them stays far below what a script may hold on its stack."""
_EMBED: Final = "work:embed"
"""Work that follows from rows without a vector; rows are made again."""
_ROWS: Final = {kind.name: kind.rows for kind in KINDS}


@dataclass(frozen=True)
class Unit:
    """All documents of one key; `key` is what follows the prefix of the namespace."""

    key: str
    documents: list[Document]


def keys(ns: Namespace) -> list[str]:
    """The keys that move, without the prefix of the namespace, in the order of an export."""
    base = ns.keys.base.encode()
    found = {key.removeprefix(base).decode() for key in contents.keys(ns) if key.startswith(base)}
    placed = ((order(key), key) for key in found if key != _EMBED)
    return [key for rank, key in sorted((rank, key) for rank, key in placed if rank is not None)]


def units(ns: Namespace, wanted: Sequence[str], *, vectors: bool = False) -> Iterator[Unit]:
    """What these keys hold; one that is gone meanwhile is left out. With `vectors` records have those of their rows."""
    for first in range(0, len(wanted), _BATCH):
        batch = wanted[first : first + _BATCH]
        records = [key for key in batch if _is_record(key)]
        yield from _records(ns, records, vectors=vectors)
        yield from _others(ns, [key for key in batch if not _is_record(key)])


def _is_record(key: str) -> bool:
    return key.partition(":")[0] in _ROWS


def _records(ns: Namespace, wanted: Sequence[str], *, vectors: bool) -> Iterator[Unit]:
    if not wanted:
        return
    found = ns.client.execute_command("JSON.MGET", *(ns.keys.base + key for key in wanted), "$")
    documents: list[Document] = []
    for key, stored in zip(wanted, found, strict=True):
        if stored and stored != b"[]":
            kind, _, id = key.partition(":")
            data = json.loads(unwrapped(stored))
            data.pop("pk", None)
            documents.append({"record": kind, "id": decode(id), "data": data})
    if vectors:
        _add_vectors(ns, documents)
    for document in documents:
        yield Unit(key_of(document), [document])


def _add_vectors(ns: Namespace, documents: Iterable[Document]) -> None:
    """Give documents of records the vectors of their search rows, by the number of the row, in hexadecimal digits."""
    rows = [(one, part) for one in documents for part in row_parts(one["record"], one["data"])]
    pipe = ns.client.pipeline(transaction=False)
    for one, part in rows:
        pipe.hget(ns.keys.row(one["record"], one["id"], part), "v")
    found = pipe.execute()
    for (one, part), vector in zip(rows, found, strict=True):
        if vector:
            one.setdefault("vectors", {})[str(part)] = vector.hex()


def row_parts(kind: str, data: Document) -> list[int]:
    """The numbers of the search rows that a record may have: 0 where it has one, from 1 on where it has several."""
    if _ROWS[kind] is None:
        return []
    return [0] if _ROWS[kind] == "one" else list(range(1, len(data.get("versions", ())) + 1))


def _others(ns: Namespace, wanted: Sequence[str]) -> Iterator[Unit]:
    pipe = ns.client.pipeline(transaction=False)
    patterns = [None if key.startswith("in:") else pattern_of(key) for key in wanted]
    for key, pattern in zip(wanted, patterns, strict=True):
        whole = ns.keys.base + key
        match _type(pattern):
            case "zset":
                pipe.zrange(whole, 0, -1, withscores=True)
            case "hash":
                pipe.hgetall(whole)
            case "set":
                pipe.smembers(whole)
            case _:
                pipe.get(whole)
    found = pipe.execute() if wanted else []
    for key, pattern, held in zip(wanted, patterns, found, strict=True):
        if held:
            documents = _edges(key, held) if pattern is None else _parts(key, _type(pattern), held)
            yield Unit(key, documents)


def _type(pattern: KeyPattern | None) -> str:
    return "zset" if pattern is None else pattern.type


def _edges(key: str, held: Sequence[tuple[bytes, float]]) -> list[Document]:
    _, edge, source_kind, kind, id = key.split(":")
    about = {"edge": edge, "of": source_kind, "to": [kind, decode(id)]}
    return [
        {**about, "from": [_source(member, at) for member, at in held[first : first + _PART]]}
        for first in range(0, len(held), _PART)
    ]


def _source(member: bytes, at: float) -> list[Any]:
    order_of, _, id = member.rpartition(b".")
    return [decode(id), int(at), *([int(order_of, 16)] if order_of else [])]


def _parts(key: str, type: str, held: Any) -> list[Document]:
    if type in ("string", "counter"):
        return [{"key": key, "string": text_of(held)}]
    if type == "zset":
        whole: list[Any] = [[text_of(member), int(at) if at.is_integer() else at] for member, at in held]
    elif type == "hash":
        whole = sorted((text_of(name), text_of(value)) for name, value in held.items())
    else:
        whole = sorted(map(text_of, held))
    parts = [whole[first : first + _PART] for first in range(0, len(whole), _PART)]
    return [{"key": key, type: dict(part) if type == "hash" else part} for part in parts]


def key_of(document: Document) -> str:
    """The key that a document is of, without the prefix of the namespace. Raises KeyError for what is no document."""
    match document:
        case {"record": str(kind), "id": str(id)}:
            return f"{kind}:{encode(id)}"
        case {"edge": str(edge), "of": str(source_kind), "to": [str(kind), str(id)]}:
            return f"in:{edge}:{source_kind}:{kind}:{encode(id)}"
        case {"clear": str(key)} | {"key": str(key)}:
            return key
    raise KeyError("a document names a record, an edge or a key")


def check(document: Document) -> None:
    """Raise ValueError for what no export holds: another shape, a key of nothing that moves, or of another type."""
    _DOCUMENT.validate_json(json.dumps(document))
    key = key_of(document)
    if order(key) is None:
        raise ValueError("no key of an export")
    pattern = pattern_of(key)
    if "key" in document and (
        pattern is None or ("string" if pattern.type == "counter" else pattern.type) not in document
    ):
        raise ValueError("a key of another type")


def record_of(key: str) -> tuple[str, str] | None:
    """Kind and id of the record of a key; None for a key of something else."""
    kind, _, id = key.partition(":")
    return (kind, decode(id)) if kind in _ROWS else None


def text_of(value: bytes) -> str:
    """Bytes as a text that `bytes_of` makes the same bytes of."""
    return value.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The bytes that `text_of` was given."""
    return text.encode("utf-8", "surrogateescape")
