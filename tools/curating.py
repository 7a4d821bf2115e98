"""The knowledge graph as a model curates it: four tools, whose results carry the ids it needs to correct itself."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from reverie.pipelines.graph import closing, reading
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.service import Fact, Memory, facts, find
from reverie.pipelines.graph.views import ObservationView, RelationView
from reverie.pipelines.graph.writing import EntityDraft, RelationDraft, Statement, StoredObservation, write
from reverie.tools.fields import AnyText, Count, Id, Name, Params, Several, Text

_KNOWN_SHOWN = 10


class RememberParams(Params):
    """Remember facts about a person, place, thing or topic.

    To correct something remembered before, remember what is true now and `forget` the id of what no longer is: the
    result lists, under `also_known`, what else is held true of the entity.
    """

    entity: Name = Field(description="such as Alice")
    facts: Several[Text] = Field(min_length=1, description="one fact each, such as 'lives in Lyon'")
    entity_type: Name | None = Field(None, description="such as person or place; null keeps the known type")


class RelateParams(Params):
    """Remember how two things relate: source, relation, target, as in Alice, works_at, Acme."""

    source: Name = Field(description="such as Alice")
    relation: Name = Field(description="a verb, such as works_at")
    target: Name = Field(description="such as Acme")


class ForgetParams(Params):
    """Mark a fact or relation as no longer true. Its past is kept; it is not shown as current any more."""

    id: Id = Field(description="as remember, relate and load_memory give it")
    reason: Text | None = Field(None, description="why it is no longer true")


class LoadMemoryParams(Params):
    """Look up what is known. Without a query: the profile of the user."""

    query: AnyText = Field("", description="in plain words")
    limit: Annotated[Count, Field(le=50)] = Field(5, description="default 5")
    token_budget: Count | None = None


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True)


class Remembered(_Result):
    """What was remembered, and the newest of what else is held true of the same entity."""

    entity: str
    entity_type: str
    stored: tuple[StoredObservation, ...]
    also_known: tuple[Fact, ...]


class Related(_Result):
    """The relation that is held true now, and the newest of what else is held true of its source."""

    id: str
    source: str
    relation: str
    target: str
    created: bool
    also_known: tuple[Fact, ...]


class Forgotten(_Result):
    """What is no longer held true."""

    id: str
    text: str
    reason: str | None


def remember(graph: KnowledgeGraph, params: RememberParams) -> Remembered:
    """Create the entity when it is new and add the facts, in one transaction.

    An entity whose name differs only in case or blanks is the one meant. Raises ValidationFailed, StoreUnavailable.
    """
    name = reading.resolve(graph, [params.entity])[params.entity]
    draft = EntityDraft(name, params.entity_type, tuple(Statement(fact) for fact in params.facts))
    stored = write(graph, [draft]).entities[0]
    fresh = {one.id for one in stored.observations}
    found = reading.open_nodes(graph, [name], newest=_KNOWN_SHOWN + len(fresh))
    known = [fact for node in found for fact in facts(node) if fact.id not in fresh]
    return Remembered(
        entity=name,
        entity_type=stored.entity_type,
        stored=stored.observations,
        also_known=tuple(known[:_KNOWN_SHOWN]),
    )


def relate(graph: KnowledgeGraph, params: RelateParams) -> Related:
    """Create the relation, and whichever end is no entity yet; a known end keeps its type. One transaction."""
    names = reading.resolve(graph, [params.source, params.target])
    source, target = names[params.source], names[params.target]
    ends = [EntityDraft(name) for name in dict.fromkeys([source, target])]
    stored = write(graph, ends, [RelationDraft(source, params.relation, target)]).relations[0]
    found = reading.open_nodes(graph, [source], newest=_KNOWN_SHOWN)
    known = [fact for node in found for fact in facts(node) if fact.id != stored.id]
    return Related(
        id=stored.id,
        source=source,
        relation=stored.relation_type,
        target=target,
        created=stored.created,
        also_known=tuple(known[:_KNOWN_SHOWN]),
    )


def forget(graph: KnowledgeGraph, params: ForgetParams) -> Forgotten:
    """End an observation or a relation. Raises NotFound for an id that this graph does not have."""
    ended: ObservationView | RelationView
    if params.id.startswith("r"):
        ended = closing.invalidate_relation(graph, params.id, reason=params.reason)
        text = f"{ended.source} {ended.relation_type} {ended.target}"
    else:
        ended = closing.invalidate_observation(graph, params.id, reason=params.reason)
        text = ended.text
    return Forgotten(id=ended.id, text=text, reason=ended.reason)


def load_memory(graph: KnowledgeGraph, params: LoadMemoryParams) -> list[Memory]:
    """What answers the query, from the graph and the log; without a query the profile card.

    Within a `token_budget`, the best that fit it whole are returned.
    """
    found = find(graph, params.query, params.limit)
    if params.token_budget is None:
        return found
    left, kept = params.token_budget, []
    for memory in found:
        cost = graph.ctx.tokens.count(memory.content)
        if cost <= left:
            kept.append(memory)
            left -= cost
    return kept
