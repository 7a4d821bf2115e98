"""The grouping itself: a weighted graph to communities, and communities to the topics they were. No Redis, no clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Weights = Mapping[str, Mapping[str, float]]
"""Entity to its neighbours and how often they were spoken of together; both ways."""

_SEED = 0
_PAIR = 2.0
"""Two entities alone are a topic once they were spoken of together so often; three are one at once."""


@dataclass(frozen=True)
class Community:
    """Entities that belong together, the most connected first, and how connected each is within."""

    members: tuple[str, ...]
    degrees: tuple[float, ...]


def communities(weights: Weights) -> list[Community]:
    """The communities by the Louvain method (Blondel et al. 2008), the same for the same graph."""
    import networkx as nx  # needed by workers alone

    graph = nx.Graph()
    graph.add_nodes_from(sorted(weights))
    for one in sorted(weights):
        for other, weight in sorted(weights[one].items()):
            if one < other and other in weights:
                graph.add_edge(one, other, weight=weight)
    if not graph.number_of_edges():
        return []
    found = [_community(weights, group) for group in nx.community.louvain_communities(graph, seed=_SEED)]
    told = [one for one in found if len(one.members) > 2 or (len(one.members) == 2 and one.degrees[0] >= _PAIR)]
    return sorted(told, key=lambda one: one.members)


def _community(weights: Weights, group: set[str]) -> Community:
    degrees = {one: sum(weight for other, weight in weights[one].items() if other in group) for one in group}
    members = sorted(group, key=lambda one: (-degrees[one], one))
    return Community(tuple(members), tuple(degrees[one] for one in members))


def matched(found: Sequence[Community], known: Mapping[str, Sequence[str]]) -> list[str | None]:
    """For each community the id of the known topic it continues: that with which it shares most, each used once."""
    shared = []
    for place, community in enumerate(found):
        members = set(community.members)
        for id, old in known.items():
            common = len(members & set(old))
            if common:
                shared.append((-common / len(members | set(old)), id, place))
    taken: dict[int, str] = {}
    for _, id, place in sorted(shared):
        if place not in taken and id not in taken.values():
            taken[place] = id
    return [taken.get(place) for place in range(len(found))]
