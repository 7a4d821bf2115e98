"""Walking the edges: the neighbours of many nodes in one round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.store.commit import id_of
from reverie.store.keys import decode
from reverie.store.space import Space, reachable

Node = tuple[str, str]
"""Kind and id."""


@dataclass(frozen=True)
class Neighbours:
    """The nodes beside one node, and how many there are in all (`nodes` may be cut short)."""

    nodes: tuple[Node, ...]
    degree: int


def neighbours(
    space: Space, nodes: Sequence[Node], incoming: Mapping[str, Sequence[tuple[str, str]]], width: int
) -> list[Neighbours]:
    """What each node points to and what points to it, at most the `width` latest of each edge; one round trip.

    `incoming` names, by the kind of the node, the edges (edge, source kind) that are followed backwards.
    """
    pipe = space.client.pipeline(transaction=False)
    shape: list[list[str]] = []
    for kind, id in nodes:
        out = space.keys.links(kind, id)
        pipe.zrevrange(out, 0, width - 1)
        pipe.zcard(out)
        edges = incoming.get(kind, ())
        for edge, source in edges:
            key = space.keys.linked(edge, source, kind, id)
            pipe.zrevrange(key, 0, width - 1)
            pipe.zcard(key)
        shape.append([source for _, source in edges])
    with reachable():
        replies = iter(pipe.execute())
    found = []
    for sources in shape:
        members, degree = next(replies), next(replies)
        beside = [(part[1].decode(), decode(part[2])) for part in (member.split(b":") for member in members)]
        for source in sources:
            members, count = next(replies), next(replies)
            beside += [(source, decode(id_of(member))) for member in members]
            degree += count
        found.append(Neighbours(tuple(beside), degree))
    return found
