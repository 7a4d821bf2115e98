"""Walking the edges: the neighbours of many nodes in one round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.store import scripts
from reverie.store.keys import decode, id_of
from reverie.store.namespace import Namespace

Node = tuple[str, str]
"""Kind and id."""


@dataclass(frozen=True)
class Neighbours:
    """The nodes beside one node, and how many there are in all (`nodes` may be cut short)."""

    nodes: tuple[Node, ...]
    degree: int


def neighbours(
    ns: Namespace, nodes: Sequence[Node], incoming: Mapping[str, Sequence[tuple[str, str]]], width: int
) -> list[Neighbours]:
    """What each node points to and what points to it, at most the `width` latest of each edge; one round trip.

    `incoming` names, by the kind of the node, the edges (edge, source kind) that are followed backwards.
    """
    keys: list[str] = []
    shape: list[list[str]] = []
    for kind, id in nodes:
        edges = incoming.get(kind, ())
        keys.append(ns.keys.links(kind, id))
        keys += [ns.keys.linked(edge, source, kind, id) for edge, source in edges]
        shape.append([source for _, source in edges])
    replies = iter(scripts.run(ns.client, "latest_neighbours", keys, [width - 1]) if keys else [])
    found = []
    for sources in shape:
        degree, members = next(replies)
        beside = [(part[1].decode(), decode(part[2])) for part in (member.split(b":") for member in members)]
        for source in sources:
            count, members = next(replies)
            beside += [(source, decode(id_of(member))) for member in members]
            degree += count
        found.append(Neighbours(tuple(beside), degree))
    return found
