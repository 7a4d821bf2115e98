"""Storing what other memories knew: facts, and entities and relations of a knowledge graph."""

from collections.abc import Sequence

from reverie import Agent, Graph
from reverie.cli.formats import Claim, Item, Thing, Tie
from reverie.config.errors import ReverieError, ValidationFailed
from reverie.tools.facts import AssertFactParams, assert_fact
from reverie.tools.fields import validated
from reverie.tools.observe import OnError


def store_knowledge(
    agent: Agent, graph: Graph, items: Sequence[Item], skipped: list[str], on_error: OnError
) -> dict[str, int]:
    """Store facts, entities and relations; how many of each there were. Doing it again changes nothing.

    What is wrong is added to `skipped`, or raised. Raises StoreUnavailable.
    """
    counts = {"facts": 0, "entities": 0, "relations": 0}
    for item in items:
        try:
            match item:
                case Claim():
                    _assert(agent, item)
                    counts["facts"] += 1
                case Thing():
                    _observe(graph, item)
                    counts["entities"] += 1
                case Tie():
                    graph.create_relations(
                        [{"source": item.source, "relation_type": item.relation, "target": item.target}]
                    )
                    counts["relations"] += 1
        except ValidationFailed as error:
            _skip(error, f"{item}", skipped, on_error)
    return counts


def _skip(error: ReverieError, what: str, skipped: list[str], on_error: OnError) -> None:
    if on_error == "refuse":
        raise error
    skipped.append(f"{what[:200]}: {error}")


def _assert(agent: Agent, claim: Claim) -> None:
    """Assert a fact by a name of its own, so that it counts once however often it is read."""
    params = validated(
        AssertFactParams,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
    )
    assert_fact(agent.ctx, params, agent=agent.id, token=claim.id)


def _observe(graph: Graph, thing: Thing) -> None:
    """Create an entity with those of its observations that it does not have: a repeated one would count twice."""
    known = {one.text for entity in graph.open_nodes([thing.name]) for one in entity.observations}
    new = [text for text in dict.fromkeys(thing.observations) if text not in known]
    entity = {"name": thing.name, "observations": new}
    graph.create_entities([entity if thing.type is None else {**entity, "entity_type": thing.type}])
