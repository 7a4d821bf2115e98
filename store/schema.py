"""What is stored, in one table: kinds of records, edges between them, and the keys beside both.

`docs/architecture.md` prints it, and a test compares it with what a store holds after every feature was used.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

KeyType = Literal["record", "zset", "hash", "string", "set", "counter"]


@dataclass(frozen=True)
class Kind:
    """One kind of record: a JSON document under `rv:{<namespace>}:<name>:<id>`.

    `rows` says how it is searched: "one" row, "many" rows (numbered from 1), or None for what is never searched by
    itself. `says` tells what one record is. `listed` kinds have all their records in the order `every:<kind>`.
    """

    name: str
    says: str
    rows: Literal["one", "many"] | None = "one"
    listed: bool = False


@dataclass(frozen=True)
class Edge:
    """One kind of edge between two kinds of nodes, kept in both directions.

    From the source in the sorted set `out:<kind>:<id>` (members `<edge>:<kind>:<id>`), to the target in
    `in:<edge>:<source kind>:<kind>:<id>` (members are source ids); both are scored by `scored_by` in microseconds.
    A node that is no record, such as `phase` or `slot`, stands for what records have in common.
    """

    name: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    scored_by: str


@dataclass(frozen=True)
class KeyPattern:
    """One kind of key beside records, edges and rows.

    `pattern` is what follows `rv:{<namespace>}:`, or the whole key for one that no namespace owns; `<...>` stands for
    an encoded id or name.
    """

    pattern: str
    type: KeyType
    holds: str
    shared: bool = False
    """Whether it belongs to the whole store and not to a namespace."""
    moves: bool = True
    """Whether an export holds it: not what is made again from the rest, and not what this server alone is at."""

    @property
    def regex(self) -> re.Pattern[str]:
        """Matches the keys of this kind."""
        parts = re.split(r"<[^>]*>", self.pattern)
        return re.compile("[^:{}]+".join(re.escape(part) for part in parts) + r"\Z")


KINDS: Final = (
    Kind("participant", "a human, agent or service that says or does things", None, listed=True),
    Kind("session", "one bounded conversation of one agent", None, listed=True),
    Kind("message", "one turn: who said what to whom, when", listed=True),
    Kind("chunk", "a part of a long message, found by itself"),
    Kind("observation", "an atomic claim tied to the message it was drawn from"),
    Kind("entity", "a named, typed thing of the namespace", listed=True),
    Kind("fact", "a (subject, predicate, object) triple with the versions of its life in two times", "many"),
    Kind("goal", "an objective of one agent"),
    Kind("task", "a unit of work, assigned to one agent"),
    Kind("action", "a tool call that was made", listed=True),
    Kind("artifact", "an output too large to keep inside its action"),
    Kind("episode", "what an agent experienced", listed=True),
    Kind("procedure", "a proven sequence of an agent's actions"),
    Kind("summary", "a synopsis of a session"),
    Kind("topic", "entities that are spoken of together"),
    Kind("cycle", "the audit record of one consolidation run", None),
    Kind("graph_entity", "a named thing of one user's knowledge graph"),
    Kind("graph_observation", "a fact about an entity of a knowledge graph"),
    Kind("graph_relation", "a typed edge between two names of a knowledge graph"),
    Kind("graph_turn", "an entry of a knowledge graph's episodic log"),
)

EDGES: Final = (
    Edge("SENT_BY", ("message",), ("participant",), "when it was said"),
    Edge("ADDRESSED_TO", ("message",), ("participant",), "when it was said"),
    Edge("IN_SESSION", ("message", "action", "episode"), ("session",), "when it was, then the order of arrival"),
    Edge("SESSION_OF", ("session",), ("participant",), "its latest message"),
    Edge("FOR_GOAL", ("session", "action", "episode"), ("goal",), "when it was linked"),
    Edge("FOR_TASK", ("session", "action"), ("task",), "when it was"),
    Edge("CHUNK_OF", ("chunk",), ("message",), "when it was said"),
    Edge("MENTIONS", ("message",), ("entity",), "when it was said"),
    Edge("OBSERVED_IN", ("observation",), ("message",), "when it was observed"),
    Edge("ABOUT", ("observation",), ("entity",), "when it was observed"),
    Edge("CALLED", ("observation",), ("nickname",), "when it was observed"),
    Edge("BEARS_ON", ("observation",), ("fact",), "the time it speaks of"),
    Edge("CLAIM_OF", ("fact",), ("slot",), "the time it speaks of"),
    Edge(
        "OF",
        ("fact",),
        ("subject", "predicate", "object", "slot", "every", "given_id"),
        "when the fact was first recorded",
    ),
    Edge("SUPPORTED_BY", ("fact",), ("observation", "token"), "when it came to count"),
    Edge("STATED_IN", ("fact",), ("message",), "when it was said"),
    Edge("SAID_BY", ("fact",), ("participant",), "when it came to count"),
    Edge("ASSERTED_BY", ("fact",), ("participant",), "when it was asserted"),
    Edge("INVALIDATES", ("fact",), ("fact",), "when the replacement began to hold"),
    Edge("CYCLE_OF", ("cycle",), ("participant", "every"), "when the cycle ran"),
    Edge("OWNED_BY", ("goal",), ("participant",), "when it was created"),
    Edge("PARENT_GOAL", ("goal",), ("goal",), "when it was linked"),
    Edge("ASSIGNED_TO", ("task",), ("participant",), "when it was created"),
    Edge("PART_OF", ("task",), ("goal",), "when it was linked"),
    Edge("DEPENDS_ON", ("task",), ("task",), "when it was linked"),
    Edge("SUBTASK_OF", ("task",), ("task",), "when it was linked"),
    Edge("IN_PHASE", ("goal", "task"), ("phase",), "when it was created"),
    Edge("PERFORMED_BY", ("action",), ("participant",), "when it began"),
    Edge("NEXT_ACTION", ("action",), ("action",), "when the later one began"),
    Edge("TRIGGERED_BY", ("action", "episode"), ("message",), "when it was"),
    Edge("PRODUCED", ("action",), ("artifact",), "when the action began"),
    Edge("RECORDED_BY", ("episode",), ("participant",), "when it was, then the order of arrival"),
    Edge("INVOLVES", ("episode",), ("action",), "when the episode was"),
    Edge("LEARNED_BY", ("procedure",), ("participant",), "its latest use"),
    Edge("SUMMARY_OF", ("summary",), ("session",), "the end of what it tells of"),
    Edge("INFERRED_FROM", ("graph_observation", "graph_relation", "graph_entity"), ("message",), "when it was said"),
)

KEYS: Final = (
    KeyPattern(
        "ns", "string", "the index generation while the namespace is registered; every write checks it", moves=False
    ),
    KeyPattern("unreadable", "set", "records that could not be read when they were met, by kind and id", moves=False),
    KeyPattern("importing", "hash", "the export that is being imported, and how far that came", moves=False),
    KeyPattern("erasures", "counter", "how often something was erased, as far as a running task asked", moves=False),
    KeyPattern("erased", "zset", "digests of what was erased, by when: late deliveries of it are dropped"),
    KeyPattern(
        "every:<kind>",
        "zset",
        "all records of a listed kind, by when each was said, began or was recorded",
        moves=False,
    ),
    KeyPattern("out:<kind>:<id>", "zset", "everything a node points to", moves=False),
    KeyPattern("in:<edge>:<source kind>:<kind>:<id>", "zset", "the nodes of one kind that point to a node by one edge"),
    KeyPattern("edge:<edge>:<source kind>:<source>:<kind>:<id>", "hash", "an edge's own properties, if it has any"),
    KeyPattern("work:<topic>", "zset", "durable work, by when it may be claimed; that of bulk imports 2^52 higher"),
    KeyPattern("attempts:<topic>", "hash", "how often each piece of work was claimed", moves=False),
    KeyPattern("dead", "hash", "dead letters by letter id"),
    KeyPattern("due:<name>", "zset", "ids by when each falls due"),
    KeyPattern("lock:<name>", "string", "the token of who holds a lock, until it expires", moves=False),
    KeyPattern("fence:<name>", "counter", "where a lock's fencing numbers come from; outlives the lock", moves=False),
    KeyPattern("pending:<agent>", "zset", "an agent's observations that wait for consolidation, by when they came"),
    KeyPattern("slot:<slot>", "counter", "how often the facts of a (subject, predicate) pair were changed"),
    KeyPattern("closings:<subject>", "zset", "closed facts of a subject, by when: too many make it unstable"),
    KeyPattern("predicates", "hash", "declared predicates: 1 for one value at a time, 0 for many"),
    KeyPattern("nicknames", "hash", "who gave themselves which nickname, and in which message"),
    KeyPattern("near:<entity>", "zset", "entities spoken of together with one, by how often"),
    KeyPattern("topics", "zset", "topics, by when each was last spoken of"),
    KeyPattern("topic-members", "hash", "the topic that each entity is in"),
    KeyPattern("recalled:<agent>", "zset", "digests of what an agent recalled of late: the echo guard", moves=False),
    KeyPattern("recalled:<agent>:<session>", "zset", "the same, of one session", moves=False),
    KeyPattern("used", "zset", "episodes by when recall last used them"),
    KeyPattern("decay-rule", "string", "the half-life and threshold by which episodes were planned"),
    KeyPattern("usage", "hash", "what language models took, by purpose"),
    KeyPattern("fallbacks", "zset", "messages that rules read in a language model's stead, by when they were said"),
    KeyPattern("results", "zset", "ids of tasks whose results Celery keeps, by when", moves=False),
    KeyPattern("graphs", "hash", "the knowledge graphs: id to app and user"),
    KeyPattern("graph:<graph>:entities", "zset", "a graph's entities, by when each was last updated"),
    KeyPattern("graph:<graph>:names", "zset", "folded names, found by their prefix"),
    KeyPattern("graph:<graph>:relations", "zset", "a graph's relations, by when each was last opened"),
    KeyPattern("graph:<graph>:relations:open", "zset", "those relations whose last interval has not ended"),
    KeyPattern("graph:<graph>:turns", "zset", "the episodic log, by time"),
    KeyPattern("graph:<graph>:sessions", "zset", "the sessions of the log, by their last entry"),
    KeyPattern("graph:<graph>:session:<session>", "zset", "the entries of one session of the log"),
    KeyPattern("graph:<graph>:writes", "counter", "moved by every write, so that a deletion sees what came meanwhile"),
    KeyPattern("graph:<graph>:<entity>:observations", "zset", "an entity's observations, by when each was opened"),
    KeyPattern("graph:<graph>:<entity>:observations:open", "zset", "those of them that have not ended"),
    KeyPattern("graph:<graph>:<entity>:relations", "zset", "the relations that touch a name, by when each was opened"),
    KeyPattern("graph:<graph>:<entity>:relations:open", "zset", "those of them that have not ended"),
    KeyPattern("rv:namespaces", "set", "the namespaces that hold anything", shared=True),
    KeyPattern("rv:index", "hash", "what the search index was built for: embedder, dimension, generation", shared=True),
    KeyPattern("rv:schema", "string", "the version of the schema", shared=True),
    KeyPattern("rv:decay-rule", "string", "the settings by which all episodes were planned", shared=True),
    KeyPattern("rv:runs", "hash", "the last run of each scheduled task", shared=True),
    KeyPattern("rv:erased", "zset", "digests of erased namespaces and withdrawn tasks, by when", shared=True),
    KeyPattern("rv:delivered:<task>", "counter", "how often a task was delivered again", shared=True),
    KeyPattern("rv:waiting:{<topic>}", "zset", "namespaces in which live work or due ids wait", shared=True),
    KeyPattern("rv:waiting:{<topic>}:bulk", "zset", "namespaces in which bulk work waits", shared=True),
    KeyPattern("rv:waiting:{<topic>}:woken", "zset", "namespaces for which a wake-up is on its way", shared=True),
    KeyPattern("rv:waiting:{<topic>}:turns", "counter", "turns taken, so that bulk work gets its share", shared=True),
    KeyPattern("rv:waiting:{<topic>}:looked", "string", "when a worker last looked for work", shared=True),
)

LISTED: Final = frozenset(kind.name for kind in KINDS if kind.listed)
"""The kinds whose records are kept in one order each; see `reverie.store.pages`."""

_KIND_NAMES: Final = {kind.name: kind for kind in KINDS}
_PLACES: Final = {kind.name: place for place, kind in enumerate(KINDS)}
_EDGE_NAMES: Final = {edge.name: edge for edge in EDGES}
_PATTERNS: Final = tuple((pattern, pattern.regex) for pattern in KEYS)
_OWNED: Final = re.compile(r"rv:\{[^{}]+\}:(?P<rest>.+)", re.DOTALL)
_ROW: Final = re.compile(r"rvr\d+:\{[^{}]+\}:(?P<kind>[a-z_]+):[^:.]+(\.\d+)?")
_EDGE: Final = re.compile(r"in:(?P<edge>[A-Z_]+):(?P<source>[a-z_]+):(?P<target>[a-z_]+):[^:]+")


def belongs(key: str) -> bool:
    """Whether the table knows a key: a record, a search row, an edge between nodes that it names, or one beside them.

    `key` is a whole key of database 0.
    """
    if row := _ROW.fullmatch(key):
        return (kind := _KIND_NAMES.get(row["kind"])) is not None and kind.rows is not None
    if (owned := _OWNED.fullmatch(key)) is None:
        return any(pattern.shared and regex.fullmatch(key) for pattern, regex in _PATTERNS)
    rest = owned["rest"]
    if _EDGE.fullmatch(rest):
        return _is_edge(rest)
    kind_name, _, id = rest.partition(":")
    if kind_name in _KIND_NAMES and id and ":" not in id:
        return True
    return pattern_of(rest) is not None


def _is_edge(rest: str) -> bool:
    """Whether a key is of an edge between nodes that the table names."""
    edge = _EDGE.fullmatch(rest)
    known = None if edge is None else _EDGE_NAMES.get(edge["edge"])
    return (
        edge is not None and known is not None and edge["source"] in known.sources and edge["target"] in known.targets
    )


def order(rest: str) -> tuple[int, str] | None:
    """Where a key of a namespace stands in an export, records first; None for one that does not move.

    `rest` is what follows the prefix of the namespace.
    """
    kind, _, id = rest.partition(":")
    if kind in _KIND_NAMES and id and ":" not in id:
        return _PLACES[kind], rest
    if _EDGE.fullmatch(rest):
        return (len(KINDS), rest) if _is_edge(rest) else None
    pattern = pattern_of(rest)
    return None if pattern is None or not pattern.moves else (len(KINDS) + 1, rest)


def pattern_of(rest: str) -> KeyPattern | None:
    """The pattern of a key of a namespace beside records and edges; None for one that the table does not know."""
    found = (pattern for pattern, regex in _PATTERNS if not pattern.shared and regex.fullmatch(rest))
    return next(found, None)


def markdown() -> str:
    """The tables as `docs/architecture.md` prints them."""
    kinds = [
        (f"`{kind.name}`", kind.says, {"one": "one", "many": "one a version"}.get(kind.rows or "", "none"))
        for kind in KINDS
    ]
    edges = [(f"`{edge.name}`", ", ".join(edge.sources), ", ".join(edge.targets), edge.scored_by) for edge in EDGES]
    owned = [(f"`{key.pattern}`", key.type, key.holds) for key in KEYS if not key.shared]
    shared = [(f"`{key.pattern}`", key.type, key.holds) for key in KEYS if key.shared]
    return "\n\n".join(
        [
            "### Records: `rv:{<namespace>}:<kind>:<id>`, rows: `rvr<generation>:{<namespace>}:<kind>:<id>`",
            _table(("kind", "what one is", "search rows"), kinds),
            "### Edges",
            _table(("edge", "from", "to", "ordered by"), edges),
            "### Keys beside them: `rv:{<namespace>}:…`",
            _table(("key", "type", "holds"), owned),
            "### Keys of the whole store",
            _table(("key", "type", "holds"), shared),
        ]
    )


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ("---",) * len(columns), *rows])
