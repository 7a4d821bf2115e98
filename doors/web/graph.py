"""The graph around one name: at most two steps of facts, or of a user's knowledge graph, at once."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie import Memory
from reverie.store.graphs.reading import owners
from reverie.web.asked import moment, number
from reverie.web.pages import address, memory_of, page

_NODES = 60
"""Names drawn at once: of more, nobody reads the picture."""
_EDGES_OF_ONE = 40
"""Relations followed from one name, the newest."""
_LABEL = 60
"""Characters of a name under its dot."""


@dataclass(frozen=True)
class Edge:
    """A relation between two names, and the fact that it is, where it is one."""

    source: str
    relation: str
    target: str
    fact_id: str | None = None


def _graph(request: Request) -> Response:
    memory = memory_of(request)
    name, relation = request.query_params.get("name", "").strip(), request.query_params.get("relation", "").strip()
    steps = min(2, number(request, "steps", 1) or 1)
    valid = moment(request, "valid")
    known = owners(memory.ctx.ns)
    chosen = request.query_params.get("graph", "")
    owner = next((one for one in known if json.dumps(one) == chosen), None)
    edges = []
    if name and owner is not None:
        around = memory.graph(*owner).neighbours(name, depth=steps, limit=_NODES, valid_as_of=valid)
        edges = [Edge(one.source, one.relation_type, one.target) for one in around.relations]
    elif name:
        edges = _facts_around(memory, name, steps, valid)
    relations = sorted({edge.relation for edge in edges})
    shown = [edge for edge in edges if not relation or edge.relation == relation]
    return page(
        request,
        "graph.html",
        name=name,
        edges=shown,
        elements=_elements(request, name, shown, chosen),
        relations=relations,
        relation=relation,
        steps=steps,
        valid=valid,
        owners=[(json.dumps(one), f"{one[1]} in {one[0]}") for one in known],
        chosen=chosen,
    )


def _facts_around(memory: Memory, name: str, steps: int, valid: datetime | None) -> list[Edge]:
    """The facts that lead from or to a name, and with two steps those of what they lead to."""
    found: dict[str, Edge] = {}
    reached, frontier = {name.casefold()}, [name]
    for _ in range(steps):
        new = []
        for one in frontier:
            touching = [*memory.facts(one, valid_as_of=valid), *memory.facts(object=one, valid_as_of=valid)]
            for fact in touching[-_EDGES_OF_ONE:]:
                if fact.object is None or len(reached) >= _NODES:
                    continue
                found[fact.fact_id] = Edge(fact.subject, fact.predicate, fact.object, fact.fact_id)
                ends = [end for end in (fact.subject, fact.object) if end.casefold() not in reached]
                reached |= {end.casefold() for end in ends}
                new += ends
        frontier = new
    return list(found.values())


def _elements(request: Request, name: str, edges: Sequence[Edge], graph: str) -> str:
    """The picture's nodes and edges as the drawing library takes them, as JSON."""
    names = _distinct([name, *(end for edge in edges for end in (edge.source, edge.target))]) if name else []
    nodes = [
        {
            "data": {
                "id": one.casefold(),
                "label": one[:_LABEL],
                "centre": one.casefold() == name.casefold(),
                "url": address(request, "/graph", name=one, graph=graph),
            }
        }
        for one in names
    ]
    lines = [
        {
            "data": {
                "id": f"edge {place}",
                "source": edge.source.casefold(),
                "target": edge.target.casefold(),
                "label": edge.relation.replace("_", " ")[:_LABEL],
            }
        }
        for place, edge in enumerate(edges)
    ]
    return json.dumps([*nodes, *lines])


def _distinct(names: Iterable[str]) -> list[str]:
    return list({name.casefold(): name for name in names}.values())


routes = [Route("/graph", _graph)]
