"""Putting what an export holds into a namespace, in parts that are whole and never done twice.

Where an import is, the namespace itself holds, and each part is written together with the place it comes to: an import
that was killed goes on from there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reverie.config.errors import RecordUnreadable, StoreBusy
from reverie.store import scripts, waiting
from reverie.store.dumping import Document, bytes_of, row_parts
from reverie.store.keys import NAMESPACES, encode, member_of
from reverie.store.namespace import Namespace
from reverie.store.records.listed import MODELS
from reverie.store.scripts import Word
from reverie.store.times import to_micros

_IMPORTING: Final = "importing"

Command = tuple[Word, ...]
"""A command of Redis, its key second."""


@dataclass(frozen=True)
class Standing:
    """An import that is not finished: of which export, in which step, and how many lines of it are done."""

    export: str
    step: str
    place: int


def standing(ns: Namespace) -> Standing | None:
    """The import of the namespace that is not finished; None when there is none."""
    found = ns.client.hgetall(ns.keys.named(_IMPORTING))
    if not found:
        return None
    return Standing(found[b"export"].decode(), found[b"step"].decode(), int(found[b"place"]))


def is_empty(ns: Namespace) -> bool:
    """Whether nothing was ever written to the namespace, or all of it was forgotten."""
    return not ns.client.exists(ns.keys.marker)


def begin(ns: Namespace, export: str, step: str) -> None:
    """Note that an import of an export begins with a step, from its first line."""
    ns.client.hset(ns.keys.named(_IMPORTING), mapping={"export": export, "step": step, "place": 0})


def finish(ns: Namespace) -> None:
    """Note that the import is done."""
    ns.client.delete(ns.keys.named(_IMPORTING))


def register(ns: Namespace, topics: Sequence[str], due_sets: Sequence[str]) -> None:
    """Have the namespace written, searched and worked on like any other."""
    ns.client.sadd(NAMESPACES, ns.namespace)
    ns.client.set(ns.keys.marker, ns.keys.generation, nx=True)
    waiting.remark_one(ns, topics, due_sets)


def put(ns: Namespace, documents: Iterable[Document], begins: int, ends: int) -> None:
    """Write a part of an import, the documents of the lines from `begins` until before `ends`, in one step.

    Raises StoreBusy when another run of the import was there meanwhile.
    """
    commands = [command for document in documents for command in _commands(ns, document)]
    keys = [ns.keys.named(_IMPORTING), *(str(command[1]) for command in commands)]
    lengths = [len(command) - 1 for command in commands]
    words = [word for command in commands for word in (command[0], *command[2:])]
    done = scripts.run(ns.client, "restore", keys, [str(begins), str(ends), json.dumps(lengths), *words])
    if not done:
        raise StoreBusy(f"another process imports into the namespace {ns.namespace!r}; let it finish")


def _commands(ns: Namespace, document: Document) -> Iterator[Command]:
    """What makes the store hold a document."""
    match document:
        case {"record": str(kind), "id": str(id), "data": dict(data)}:
            yield from _record(ns, kind, id, data)
        case {"edge": str(edge), "of": str(source_kind), "to": [str(kind), str(id)], "from": list(sources)}:
            key = ns.keys.linked(edge, source_kind, kind, id)
            members = [(at, member_of(source, *order)) for source, at, *order in sources]
            yield ("ZADD", key, *(word for pair in members for word in pair))
            for source, at, *_ in sources:
                yield "ZADD", ns.keys.links(source_kind, source), at, f"{edge}:{kind}:{encode(id)}"
        case {"key": str(name), "zset": list(members)}:
            yield ("ZADD", ns.keys.named(name), *(word for member, at in members for word in (at, bytes_of(member))))
        case {"key": str(name), "hash": dict(fields)}:
            yield ("HSET", ns.keys.named(name), *(bytes_of(word) for pair in fields.items() for word in pair))
        case {"key": str(name), "set": list(texts)}:
            yield ("SADD", ns.keys.named(name), *(bytes_of(text) for text in texts))
        case {"key": str(name), "string": str(value)}:
            yield "SET", ns.keys.named(name), bytes_of(value)
        case {"clear": str(key)}:
            yield from _clearing(ns, key)


def _record(ns: Namespace, kind: str, id: str, data: Mapping[str, Any]) -> Iterator[Command]:
    whole = {"pk": f"{{{ns.keys.tag}}}:{kind}:{encode(id)}", **data}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    yield "JSON.SET", ns.keys.record(kind, id), "$", text
    if kind in MODELS:
        try:
            moment = to_micros(MODELS[kind].read(text).moment)
        except RecordUnreadable:
            return
        yield "ZADD", ns.keys.every(kind), moment, encode(id)


def _clearing(ns: Namespace, key: str) -> Iterator[Command]:
    """What takes a key away with what was made from it."""
    whole = ns.keys.named(key)
    kind, _, rest = key.partition(":")
    if kind == "in":
        edge, source_kind, target = rest.split(":", 2)
        members = ns.client.zrange(whole, 0, -1)
        for member in members:
            source = member.rpartition(b".")[2].decode()
            yield "ZREM", ns.keys.named(f"out:{source_kind}:{source}"), f"{edge}:{target}"
    elif kind in MODELS:
        yield "ZREM", ns.keys.every(kind), rest
    yield "DEL", whole


def drop_rows(ns: Namespace, records: Iterable[tuple[str, str]]) -> None:
    """Remove the search rows of records (kind, id) as they are stored now; one round trip."""
    wanted = list(records)
    pipe = ns.client.pipeline(transaction=False)
    for kind, id in wanted:
        pipe.execute_command("JSON.GET", ns.keys.record(kind, id), "$")
    found = pipe.execute() if wanted else []
    rows = [
        ns.keys.row(kind, id, part)
        for (kind, id), document in zip(wanted, found, strict=True)
        if document and document != b"[]"
        for part in row_parts(kind, json.loads(document)[0])
    ]
    if rows:
        ns.client.delete(*rows)
