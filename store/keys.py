"""Safe keys for any id.

An id is any non-empty Unicode string. Encoded, it holds ASCII letters, digits and `_` alone, so that the same text
is safe as a part of a key, as a TAG value and inside a search filter, and no two ids ever meet.
"""

import re
from functools import lru_cache

MAX_ID_BYTES = 256
_PLAIN = re.compile(rb"[A-Za-z0-9]+\Z")
_UNSAFE = re.compile(rb"[^A-Za-z0-9]")
_ESCAPE = re.compile(rb"_([0-9a-f]{2})")


@lru_cache(maxsize=65536)
def encode(id: str) -> str:
    """The id as letters, digits and `_hh` escapes of its UTF-8 bytes; different ids give different texts.

    Raises ValueError for an empty id: an empty owner must never become a filter that lets all through.
    """
    if not id:
        raise ValueError("an id must not be empty")
    raw = id.encode()
    if _PLAIN.match(raw):
        return id
    return _UNSAFE.sub(lambda m: b"_%02x" % m.group()[0], raw).decode()


@lru_cache(maxsize=65536)
def decode(encoded: str | bytes) -> str:
    """The id that `encode` was given."""
    raw = encoded.encode() if isinstance(encoded, str) else encoded
    if b"_" not in raw:
        return raw.decode()
    return _ESCAPE.sub(lambda m: bytes([int(m.group(1), 16)]), raw).decode()


NAMESPACES = "rv:namespaces"
"""Set of the namespaces that hold anything, unencoded."""

RUNS = "rv:runs"
"""Hash: the last run of each scheduled task."""

DELIVERIES = "rv:delivered:"
"""Prefix of the counters of tasks that were delivered again."""

ERASED = "rv:erased"
"""Sorted set of the digests of erased namespaces and of tasks that must not run any more, by the moment."""

DECAY_RULE = "rv:decay-rule"
"""The half-life and threshold by which the episodes of every namespace were planned when it was last looked."""

SCHEMA = "rv:schema"
"""Number of the schema that everything is stored in."""

INDEX_META = "rv:index"
"""Hash: what the search index was built for (embedder name, dimension, generation)."""

INDEX_ALIAS = "rv:rows"
"""Alias of the search index in use."""


def waiting_key(name: str, *, bulk: bool = False) -> str:
    """Sorted set of the namespaces in which something of a topic or due set waits; see `reverie.store.waiting`."""
    return f"rv:waiting:{{{name}}}{':bulk' if bulk else ''}"


def wake_up_key(topic: str) -> str:
    """Sorted set of the namespaces for which a wake-up of a topic is on its way, by when it was sent."""
    return f"rv:waiting:{{{topic}}}:woken"


def last_look_key(topic: str) -> str:
    """When a worker last looked for work of a topic, in microseconds."""
    return f"rv:waiting:{{{topic}}}:looked"


def row_prefix(generation: int) -> str:
    """Prefix of every search row of one index generation, over all namespaces."""
    return f"rvr{generation}:"


class Keys:
    """The keys of one namespace. The braces keep them in one cluster slot, so that a transaction may span them."""

    __slots__ = ("_rows", "base", "generation", "namespace", "tag")

    def __init__(self, namespace: str, generation: int = 1) -> None:
        self.namespace = namespace
        self.generation = generation
        self.tag = encode(namespace)
        self.base = f"rv:{{{self.tag}}}:"
        self._rows = f"{row_prefix(generation)}{{{self.tag}}}:"

    @property
    def marker(self) -> str:
        """Holds the index generation while the namespace is registered; every transaction checks it."""
        return self.base + "ns"

    def record(self, kind: str, id: str) -> str:
        return f"{self.base}{kind}:{encode(id)}"

    def row(self, kind: str, id: str, part: int = 0) -> str:
        """A record's search row; what has several rows (a fact's versions) numbers them from 1."""
        whole = f"{self._rows}{kind}:{encode(id)}"
        return f"{whole}.{part}" if part else whole

    def links(self, kind: str, id: str) -> str:
        """Sorted set of everything a node points to; members are `EDGE:kind:id`."""
        return f"{self.base}out:{kind}:{encode(id)}"

    def linked(self, edge: str, source_kind: str, kind: str, id: str) -> str:
        """Sorted set of the nodes of one kind that point to a node by one edge, by time."""
        return f"{self.base}in:{edge}:{source_kind}:{kind}:{encode(id)}"

    def messages_of(self, session: str) -> str:
        """The sorted set that is the order of a session's messages."""
        return self.linked("IN_SESSION", "message", "session", session)

    def every(self, kind: str) -> str:
        """Sorted set of all records of a listed kind, by the moment of each."""
        return f"{self.base}every:{kind}"

    def edge(self, edge: str, source_kind: str, source: str, kind: str, id: str) -> str:
        """Hash of an edge's own properties; exists only when it has some."""
        return f"{self.base}edge:{edge}:{source_kind}:{encode(source)}:{kind}:{encode(id)}"

    def work(self, topic: str) -> str:
        """Sorted set of durable work of one topic, by the moment it may be claimed."""
        return f"{self.base}work:{topic}"

    def attempts(self, topic: str) -> str:
        """Hash of how often each piece of work of a topic was claimed."""
        return f"{self.base}attempts:{topic}"

    @property
    def dead(self) -> str:
        """Hash of dead letters, by letter id."""
        return self.base + "dead"

    @property
    def unreadable(self) -> str:
        """Set of (kind, id), as JSON, of the records that could not be read when they were met."""
        return self.base + "unreadable"

    @property
    def erasures(self) -> str:
        """How often something was erased from the namespace, as far as anybody asked."""
        return self.base + "erasures"

    def near(self, entity: str) -> str:
        """Sorted set of the entities that are spoken of together with one, by how often."""
        return f"{self.base}near:{encode(entity)}"

    @property
    def topics(self) -> str:
        """Sorted set of the topics, by when each was last spoken of."""
        return self.base + "topics"

    @property
    def topic_members(self) -> str:
        """Hash of the topic each entity is in."""
        return self.base + "topic-members"

    def due(self, name: str) -> str:
        """Sorted set of ids by the moment each falls due."""
        return f"{self.base}due:{name}"

    def lock(self, name: str) -> str:
        return f"{self.base}lock:{encode(name)}"

    def fence(self, name: str) -> str:
        """Counter from which a lock's fencing numbers come; outlives the lock."""
        return f"{self.base}fence:{encode(name)}"

    def named(self, name: str) -> str:
        """A key of its own for what has no kind, such as a counter."""
        return f"{self.base}{name}"


def member_of(id: str, order: int | None = None) -> str:
    """Member of an incoming edge's sorted set; see `id_of`."""
    encoded = encode(id)
    return encoded if order is None else f"{order:014x}.{encoded}"


def id_of(member: bytes) -> bytes:
    """The encoded id of an incoming edge's member."""
    return member.rpartition(b".")[2]
