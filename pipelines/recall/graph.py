"""What lies near over the edges: activation spread from the question's entities and the best rows found so far.

Two steps of personalised PageRank by power iteration from the seeds, bounded in width, each step one round trip. A
node passes its activation on in equal parts, so that one that everything is linked to passes on next to nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from reverie.knowledge.ids import entity_id
from reverie.store.adjacency import Node, neighbours
from reverie.store.candidates import Candidate
from reverie.store.namespace import Namespace

INCOMING: Mapping[str, Sequence[tuple[str, str]]] = {
    "entity": (("MENTIONS", "message"), ("ABOUT", "observation")),
    "message": (("OBSERVED_IN", "observation"), ("STATED_IN", "fact"), ("TRIGGERED_BY", "action")),
    "observation": (("SUPPORTED_BY", "fact"),),
    "action": (("INVOLVES", "episode"), ("NEXT_ACTION", "action")),
    "goal": (("PART_OF", "task"),),
}
"""Edges followed backwards, by the kind they point to."""
_HUBS = frozenset({"participant", "session", "phase", "term", "cycle"})
"""Kinds that nearly everything points to; nothing is learned by passing through them."""
_STEPS = 2
_WIDTH = 48
_FRONTIER = 24
_PASSED_ON = 0.85
SEEDS = 8
MOST = 40
"""Rows that the graph may bring."""


def seeds(names: Iterable[str], best: Sequence[Candidate]) -> dict[Node, float]:
    """Where activation starts: half with the entities of these names, half with the best rows, falling with rank."""
    entities = [("entity", entity_id(name)) for name in names]
    started: dict[Node, float] = {entity: 0.5 / len(entities) for entity in entities}
    shares = [1 / (rank + 1) for rank in range(len(best[:SEEDS]))]
    for candidate, share in zip(best, shares, strict=False):
        started[candidate.kind, candidate.id] = 0.5 * share / sum(shares)
    return started


def spread(ns: Namespace, started: Mapping[Node, float]) -> dict[Node, float]:
    """The activation of the nodes reached, seeds included."""
    reached: dict[Node, float] = defaultdict(float, started)
    frontier = dict(started)
    for _ in range(_STEPS):
        nodes = sorted(frontier, key=lambda node: -frontier[node])[:_FRONTIER]
        if not nodes:
            break
        passed: dict[Node, float] = defaultdict(float)
        for node, beside in zip(nodes, neighbours(ns, nodes, INCOMING, _WIDTH), strict=True):
            share = _PASSED_ON * frontier[node] / max(1, beside.degree)
            for other in beside.nodes:
                if other[0] not in _HUBS:
                    passed[other] += share
        for node, share in passed.items():
            reached[node] += share
        frontier = passed
    return dict(reached)
