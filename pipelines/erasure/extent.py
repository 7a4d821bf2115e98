"""What an erasure would take away, counted before anything goes."""

from collections.abc import Sequence

from reverie.pipelines.context import Context
from reverie.pipelines.erasure.graphs import graphs
from reverie.pipelines.erasure.scopes import Scope
from reverie.pipelines.graph import reading
from reverie.store import contents
from reverie.store import facts as stored
from reverie.store.namespace import Namespace
from reverie.store.records.activity import ActionRecord, EpisodeRecord
from reverie.store.records.base import Record
from reverie.store.records.conversation import MessageRecord, ParticipantRecord, SessionRecord
from reverie.store.records.facts import FactRecord
from reverie.store.unreadable import salvaging

_ALONE: dict[str, type[Record]] = {
    "message": MessageRecord,
    "episode": EpisodeRecord,
    "action": ActionRecord,
    "fact": FactRecord,
    "session": SessionRecord,
    "participant": ParticipantRecord,
    "user": ParticipantRecord,
}
_BY_EDGE = {
    "session": (("message", "IN_SESSION"), ("action", "IN_SESSION"), ("episode", "IN_SESSION")),
    "participant": (
        ("message", "SENT_BY"),
        ("action", "PERFORMED_BY"),
        ("episode", "RECORDED_BY"),
        ("goal", "OWNED_BY"),
        ("task", "ASSIGNED_TO"),
        ("procedure", "LEARNED_BY"),
    ),
}


@salvaging()
def extent(ctx: Context, scope: Scope, id: str) -> dict[str, int]:
    """How many records of each kind would go; {} when nothing is stored of it.

    Facts are those that rest on what goes: each goes with it or is worked out anew. What topics, summaries and
    procedures lose is not counted. Raises StoreUnavailable.
    """
    if scope == "namespace":
        count = sum(1 for _ in contents.keys(ctx.ns))
        return {"key": count} if count else {}
    found = {_ALONE[scope].kind: int(ctx.ns.get(_ALONE[scope], id) is not None)}
    who = "participant" if scope == "user" else scope
    groups = {kind: ctx.ns.sources(edge, kind, (who, id)) for kind, edge in _BY_EDGE.get(who, ())}
    found |= {kind: len(ids) for kind, ids in groups.items()}
    messages = groups.get("message", [id] if scope == "message" and found["message"] else [])
    found |= _drawn(ctx.ns, messages)
    if scope == "user":
        owned = [reading.read_graph(graph) for graph in graphs(ctx) if graph.user == id]
        found["graph entity"] = sum(len(view.entities) for view in owned)
    return {kind: count for kind, count in found.items() if count}


def _drawn(ns: Namespace, messages: Sequence[str]) -> dict[str, int]:
    """What was drawn from messages, or triggered by them."""
    drawn = {
        "observation": ns.sources_of_many("OBSERVED_IN", "observation", "message", messages),
        "chunk": ns.sources_of_many("CHUNK_OF", "chunk", "message", messages),
        "triggered action": ns.sources_of_many("TRIGGERED_BY", "action", "message", messages),
        "triggered episode": ns.sources_of_many("TRIGGERED_BY", "episode", "message", messages),
    }
    observations = [id for group in drawn["observation"] for id in group]
    facts = ns.sources_of_many(stored.SUPPORTED_BY, "fact", "observation", observations)
    return {kind: sum(map(len, groups)) for kind, groups in drawn.items()} | {
        "fact": len({id for group in facts for id in group})
    }
