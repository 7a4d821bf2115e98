"""The proof that something is gone: every key of the namespace is read and searched.

It looks for three things. An erased id in any key, record, row or edge. Something that was learned from what is no
more, whichever call erased it: an observation without its message, a fact without its evidence, a nickname nobody gave.
And words: whatever the erased records said, and what was learned from them, names and titles and summaries alike,
stands in nothing that stays, unless somebody said it elsewhere too: then it is told where.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from reverie.knowledge.predicates import SINGLE_VALUED
from reverie.pipelines.erasure.documents import is_telling, texts_of
from reverie.pipelines.erasure.report import Elsewhere, Tally
from reverie.store import entities, nicknames
from reverie.store import facts as stored
from reverie.store.analysis import keywords
from reverie.store.contents import Content, contents, whole_key
from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.base import unwrapped

_SAID: Final = {
    "message": "said in another message",
    "action": "recorded in an action",
    "artifact": "kept as what an action produced",
    "episode": "recorded in an episode",
    "goal": "written into a goal",
    "task": "written into a task",
    "graph_turn": "written into a knowledge graph's log",
    "graph_entity": "written into a knowledge graph",
    "graph_observation": "written into a knowledge graph",
    "graph_relation": "written into a knowledge graph",
    "fact": "asserted by a call",
    "participant": "the id of a participant",
    "session": "the id of a session",
}
"""Kinds of records that somebody wrote, and what that makes of a text in one. Everything else is learned from them."""
_MACHINERY: Final = re.compile(
    rb"(?:ns|erasures|erased|usage|topics|topic-members|results)$"
    rb"|(?:in|out|every|work|attempts|due|slot|lock|fence|near|pending|closings|recalled|used|decay)[:-]?"
    rb"|graph:.*:(?!names$)"
)
"""Keys that hold ids, digests and numbers alone."""
_ROW_TEXTS: Final = (b"text", b"t", b"c", b"ab")
_TOLD: Final = 100
"""So many places are named where the same was said."""
_VOCABULARY: Final = frozenset(
    keywords(
        " ".join(word for base, others in SINGLE_VALUED.items() for word in (base, *others))
        + " a an and are as at be been by did do does for from had has have he her hers him his i in is it its me my no"
        " nor not of on or our she so that the their them they this to used was we were who will with would you your"
        " s d m t re ve ll longer plan plans user assistant"
    )
)
"""What says nothing of anybody, and what rules put into the words of a claim whatever its message said."""


@dataclass(frozen=True)
class Proof:
    """`traces` are the keys in which something is left, `elsewhere` where the same was said and stays."""

    traces: tuple[str, ...]
    elsewhere: tuple[Elsewhere, ...]


@dataclass
class _Found:
    """What one reading of the namespace came upon."""

    traces: set[str] = field(default_factory=set)
    words: dict[bytes, set[str]] = field(default_factory=dict)
    """By key the erased words in what was learned."""
    said: set[str] = field(default_factory=set)
    """The erased words that somebody used elsewhere."""
    whole: list[bytes] = field(default_factory=list)
    """Keys of what was learned, or left over, that repeat an erased text."""
    elsewhere: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By record the erased texts that it repeats."""
    records: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By kind and id the documents, as far as they are needed to see what rests on what."""
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    repeats: dict[bytes, set[str]] = field(default_factory=dict)


def prove(tally: Tally) -> Proof:
    """Read the whole namespace once, and say what is left of what was erased. Raises StoreUnavailable."""
    ctx, found = tally.ctx, _Found()
    words = {word for text in tally.learned | tally.texts for word in keywords(text)}
    wanted = {word for word in words - _VOCABULARY if len(word) > 1 or not word.isascii()}
    texts = {text for text in tally.texts if is_telling(text)}
    ids = {(kind.encode(), encode(id).encode()) for kind, id in tally.ids}
    for content in contents(ctx.ns):
        _look(found, content, wanted, texts, ids)
    messages = found.records.get("message", {})
    for one in found.records.get("observation", {}).values():
        # "go to", of a message that says "went".
        found.said |= set(keywords(one.get("predicate") or "")) if one.get("message") in messages else set()
    asserted = _asserted(ctx.ns, found)
    for id in asserted:
        found.said |= found.words.pop(f"fact:{encode(id)}".encode(), set())
    found.traces |= set(_unfounded(ctx.ns, found))
    found.traces |= {_name(ctx.ns, key) for key, words in found.words.items() if words - found.said}
    repeated = {text for held in found.elsewhere.values() for text in held}
    found.traces |= {_name(ctx.ns, key) for key, held in found.repeats.items() if held - repeated}
    told = [Elsewhere(kind=kind, id=id, why=_SAID[kind]) for kind, id in islice(sorted(found.elsewhere), _TOLD)]
    return Proof(tuple(sorted(found.traces)), tuple(told))


def _name(ns: Namespace, key: bytes) -> str:
    """The key in Redis of one that was noted without the prefix of its namespace."""
    return key.decode() if key.startswith(b"rvr") else whole_key(ns, key.decode())


def _record(ns: Namespace, kind: str, id: str) -> str:
    return whole_key(ns, f"{kind}:{encode(id)}")


def _look(found: _Found, content: Content, wanted: set[str], texts: set[str], ids: set[tuple[bytes, bytes]]) -> None:
    key, whole = content.key, content.whole if content.is_row else content.key
    kind, _, rest = key.partition(b":")
    parts = [*content.fields.keys(), *content.fields.values(), *content.values]
    # What was recalled lately is noted by its id alone, and for a week: no text comes of it.
    if kind != b"recalled" and any(_bears(one, ids) for one in (key, *parts)):
        found.traces.add(content.whole.decode())
    if content.is_row:
        _note_row(found, content)
        strings: list[str] = [_text(content.fields[name]) for name in _ROW_TEXTS if name in content.fields]
    elif content.document is not None:
        document = json.loads(unwrapped(content.document))
        known = document if isinstance(document, dict) else {}
        found.records.setdefault(kind.decode(), {})[decode(rest)] = _needed(kind.decode(), known)
        strings = list(texts_of(document))
    elif _MACHINERY.match(key):
        return
    else:
        strings = [decode(one.partition(b":")[0]) if kind == b"graph" else _text(one) for one in parts]
    if not wanted and not texts:
        return
    hits = wanted.intersection(word for one in strings for word in keywords(one))
    repeats = {text for text in texts if any(text in one for one in strings)} if len(texts) <= _TOLD else set()
    repeats |= texts.intersection(strings)
    named = kind.decode()
    by_somebody = content.document is not None and not content.is_row and _is_said(named, content.document)
    if by_somebody or key == b"dead" or kind == b"graphs" or kind == b"predicates":
        if named in ("participant", "session"):
            hits |= wanted.intersection(keywords(decode(rest)))
        found.said |= hits
        if repeats and by_somebody:
            found.elsewhere[(named, decode(rest))] = repeats
        elif repeats:
            found.repeats[whole] = repeats
        return
    if hits:
        found.words[whole] = hits
    if repeats:
        found.repeats[whole] = repeats


def _is_said(kind: str, document: bytes) -> bool:
    if kind.startswith("graph_") and kind != "graph_turn":
        return b'"provenance":"inferred"' not in document
    return kind in _SAID and kind != "fact"


def _note_row(found: _Found, content: Content) -> None:
    kind, _, id = content.key.partition(b":")
    found.rows.append((kind.decode(), decode(id.partition(b".")[0]), content.whole.decode()))


def _needed(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    fields = (
        ("message", "sources", "support", "predicate") if kind in ("observation", "chunk", "fact", "summary") else ()
    )
    return {name: document[name] for name in fields if name in document}


def _asserted(ns: Namespace, found: _Found) -> list[str]:
    """The facts that a call asserted, beside what was observed."""
    facts = found.records.get("fact", {})
    backing = stored.backing(ns, list(facts))
    return [
        id for (id, fact), behind in zip(facts.items(), backing, strict=True)
        if fact.get("support", 0) > len(behind.observations)
    ]  # fmt: skip


def _unfounded(ns: Namespace, found: _Found) -> Iterator[str]:
    """The keys of what rests on something that is no more."""
    records = found.records
    messages, observations = records.get("message", {}), records.get("observation", {})
    for kind in ("observation", "chunk"):
        for id, one in records.get(kind, {}).items():
            if "message" in one and one["message"] not in messages:
                yield _record(ns, kind, id)
    for kind in ("fact", "summary"):
        for id, one in records.get(kind, {}).items():
            if any(source not in messages for source in one.get("sources", ())):
                yield _record(ns, kind, id)
    facts = list(records.get("fact", {}))
    for id, behind in zip(facts, stored.backing(ns, facts), strict=True):
        if any(one not in observations for one in behind.observations):
            yield _record(ns, "fact", id)
    known = list(records.get("entity", {}))
    for id, told in zip(known, entities.told(ns, known), strict=True):
        if not told.mentions and not told.observations:
            yield _record(ns, "entity", id)
    if any(one.message not in messages for one in nicknames.given(ns)):
        yield whole_key(ns, "nicknames")
    for kind, id, row in found.rows:
        if id not in records.get(kind, {}):
            yield row


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _bears(name: bytes, ids: set[tuple[bytes, bytes]]) -> bool:
    """Whether a key or a member of a set ends with kind and id of what was erased."""
    parts = name.rsplit(b":", 2)
    if len(parts) < 2 or len(name) > 2048:
        return False
    kind, id = parts[-2], parts[-1]
    return (kind, id) in ids or (kind, id.partition(b".")[0]) in ids
