"""The proof that something is gone: every key of the namespace is read and searched.

A text counts as gone when nothing holds it but what somebody else said in the very same words. An id counts as gone
when no record, row or edge bears it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure.documents import TELLING
from reverie.pipelines.erasure.namespaces import namespace_keys
from reverie.pipelines.erasure.report import Tally
from reverie.store.analysis import keywords
from reverie.store.keys import encode
from reverie.store.space import reachable

_BATCH = 200
_LEAST_WORDS = 4
"""A sequence of so many keywords is somebody's sentence; of fewer it may be anybody's."""


def traces(tally: Tally) -> list[str]:
    """The keys in which an erased text or id is left."""
    kb = tally.kb
    forms = {text: _forms(text) for text in tally.texts}
    ids = {(kind.encode(), encode(id).encode()) for kind, id in tally.ids}
    noted = kb.space.keys.named("recalled:").encode()
    found: set[str] = set()
    holders: dict[str, list[str]] = defaultdict(list)
    said_again: set[str] = set()
    for key, values in _contents(kb):
        context = values.pop(b"c", b"")
        contents = [part for pair in values.items() for part in pair]
        # What was recalled lately is noted by its id alone, and for a week: no text comes of it.
        if not key.startswith(noted) and any(_bears(one, ids) for one in (key, *contents)):
            found.add(key.decode())
        for text, (plain, words) in forms.items():
            if any(_holds(one, form) for form in plain for one in contents) or (words and words in context):
                holders[text].append(key.decode())
                if key.startswith(kb.space.keys.record("message", "x")[:-1].encode()):
                    said_again.add(text)
    found |= {key for text, keys in holders.items() if text not in said_again for key in keys}
    return sorted(found)


def _forms(text: str) -> tuple[set[bytes], bytes]:
    """A text as a record or a row holds it, and as the keywords in the context of a row that follows it."""
    plain = {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}
    words = keywords(text)
    return {form.encode() for form in plain}, " ".join(words).encode() if len(words) >= _LEAST_WORDS else b""


def _holds(value: bytes, needle: bytes) -> bool:
    """Whether a value holds a text; a short one only counts as a whole, else it would be found in any word."""
    if len(needle) < TELLING:
        return value == needle or b'"%s"' % needle in value
    return needle in value


def _bears(name: bytes, ids: set[tuple[bytes, bytes]]) -> bool:
    """Whether a key or a member of a set ends with kind and id of what was erased."""
    parts = name.rsplit(b":", 2)
    if len(parts) < 2 or len(name) > 2048:
        return False
    kind, id = parts[-2], parts[-1]
    return (kind, id) in ids or (kind, id.partition(b".")[0]) in ids


def _contents(kb: KnowledgeBase) -> Iterator[tuple[bytes, dict[bytes, bytes]]]:
    """Every key of the namespace with all that it holds: a hash's fields, the members of a set as such."""
    batch: list[bytes] = []
    for key in namespace_keys(kb):
        batch.append(key)
        if len(batch) == _BATCH:
            yield from _read(kb, batch)
            batch = []
    yield from _read(kb, batch)


def _read(kb: KnowledgeBase, keys: Sequence[bytes]) -> Iterator[tuple[bytes, dict[bytes, bytes]]]:
    pipe = kb.space.client.pipeline(transaction=False)
    for key in keys:
        pipe.type(key)
    with reachable():
        types = pipe.execute() if keys else []
    pipe = kb.space.client.pipeline(transaction=False)
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
    with reachable():
        replies = pipe.execute(raise_on_error=False) if keys else []
    for key, reply in zip(keys, replies, strict=True):
        yield key, _flat(reply)


def _flat(reply: object) -> dict[bytes, bytes]:
    if isinstance(reply, dict):
        return {field: value for field, value in reply.items() if isinstance(value, bytes)}
    if isinstance(reply, list | set):
        return {one: b"" for one in reply if isinstance(one, bytes)}
    return {reply: b""} if isinstance(reply, bytes) else {}
