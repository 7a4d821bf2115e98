"""The nine calls of the reference `memory` server over a knowledge graph, with its shapes: a drop-in.

Where the reference keeps one JSON file, this keeps a graph that remembers: what `delete_observations` and
`delete_relations` take away is ended and its past stays; `delete_entities` erases. A search that finds no text as
it is written looks by words and meaning.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reverie.graph import Graph
from reverie.knowledge.wording import folded
from reverie.pipelines.graph.views import EntityView, RelationView
from reverie.pipelines.graph.writing import EntityDraft, write
from reverie.tools.fields import failure, validated
from reverie.tools.graph import EntityParams, statements

Found = dict[str, Any]
"""A reply as JSON has it."""


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, populate_by_name=True)


class Entity(_Shape):
    """An entity as the reference writes it."""

    name: str = Field(description="The name of the entity")
    type: str = Field(alias="entityType", description="The type of the entity")
    observations: list[str] = Field(description="An array of observation contents associated with the entity")


class Relation(_Shape):
    """A relation as the reference writes it."""

    source: str = Field(alias="from", description="The name of the entity where the relation starts")
    target: str = Field(alias="to", description="The name of the entity where the relation ends")
    type: str = Field(alias="relationType", description="The type of the relation")


class Addition(_Shape):
    """What to add to an entity."""

    entity: str = Field(alias="entityName", description="The name of the entity to add the observations to")
    contents: list[str] = Field(description="An array of observation contents to add")


class Deletion(_Shape):
    """What to take from an entity."""

    entity: str = Field(alias="entityName", description="The name of the entity containing the observations")
    observations: list[str] = Field(description="An array of observations to delete")


class CreateEntities(_Shape):
    entities: list[Entity]


class CreateRelations(_Shape):
    relations: list[Relation]


class AddObservations(_Shape):
    observations: list[Addition]


class DeleteEntities(_Shape):
    names: list[str] = Field(alias="entityNames", description="An array of entity names to delete")


class DeleteObservations(_Shape):
    deletions: list[Deletion]


class DeleteRelations(_Shape):
    relations: list[Relation] = Field(description="An array of relations to delete")


class ReadGraph(_Shape):
    pass


class SearchNodes(_Shape):
    query: str = Field(description="The search query to match against entity names, types, and observation content")


class OpenNodes(_Shape):
    names: list[str] = Field(description="An array of entity names to retrieve")


class GraphReply(_Shape):
    """A graph or a part of it."""

    entities: list[Entity]
    relations: list[Relation]


class AddedReply(_Shape):
    """What was new of one addition."""

    entity: str = Field(alias="entityName")
    added: list[str] = Field(alias="addedObservations")


class AddedReplies(_Shape):
    results: list[AddedReply]


class DoneReply(_Shape):
    success: bool
    message: str


def create_entities(graph: Graph, asked: CreateEntities) -> Found:
    """Create the entities that are new; a known one stays as it is. Gives those that were created."""
    known = {one.name for one in graph.open_nodes([one.name for one in asked.entities])}
    new = {one.name: one for one in reversed(asked.entities) if one.name not in known}
    created = [one for one in asked.entities if new.get(one.name) is one]
    graph.create_entities(
        [{"name": one.name, "entity_type": one.type, "observations": one.observations} for one in created]
    )
    return {"entities": [_dumped(one) for one in created]}


def create_relations(graph: Graph, asked: CreateRelations) -> Found:
    """Create relations; gives those that did not stand yet, each once."""
    stored = graph.create_relations(
        [{"source": one.source, "relation_type": one.type, "target": one.target} for one in asked.relations]
    )
    made = [Relation(source=one.source, target=one.target, type=one.relation_type) for one in stored if one.created]
    return {"relations": [_dumped(one) for one in made]}


def add_observations(graph: Graph, asked: AddObservations) -> Found:
    """Add observations; gives for each addition what was new. An unknown entity is an error, and nothing is added.

    Raises NotFound, ValidationFailed.
    """
    drafts = []
    for one in asked.observations:
        checked = validated(EntityParams, name=one.entity, observations=one.contents)
        drafts.append(EntityDraft(checked.name, None, statements(checked.observations), must_exist=True))
    stored = write(graph.handle, drafts).entities if drafts else ()
    new = {entity.name: {folded(said.text) for said in entity.observations if said.created} for entity in stored}
    results = []
    for one in asked.observations:
        added = []
        for text in one.contents:
            if folded(text) in new[one.entity]:
                new[one.entity].discard(folded(text))
                added.append(text)
        results.append({"entityName": one.entity, "addedObservations": added})
    return {"results": results}


def delete_entities(graph: Graph, asked: DeleteEntities) -> Found:
    """Erase entities and the relations that touch them; unknown names are skipped."""
    graph.delete_entities(asked.names)
    return _done("Entities deleted successfully")


def delete_observations(graph: Graph, asked: DeleteObservations) -> Found:
    """End observations; what is not there is skipped."""
    named = {one.name: one for one in graph.open_nodes([one.entity for one in asked.deletions])}
    ended: set[str] = set()
    for deletion in asked.deletions:
        for said in named[deletion.entity].observations if deletion.entity in named else ():
            if said.text in deletion.observations and said.id not in ended:
                graph.invalidate_observation(said.id)
                ended.add(said.id)
    return _done("Observations deleted successfully")


def delete_relations(graph: Graph, asked: DeleteRelations) -> Found:
    """End relations; what is not there is skipped."""
    wanted = {(one.source, one.type, one.target) for one in asked.relations}
    for one in graph.read_graph().relations:
        if (one.source, one.relation_type, one.target) in wanted:
            graph.invalidate_relation(one.id)
    return _done("Relations deleted successfully")


def read_graph(graph: Graph, _: ReadGraph) -> Found:
    """The whole graph."""
    view = graph.read_graph()
    return _graph(view.entities, view.relations)


def search_nodes(graph: Graph, asked: SearchNodes) -> Found:
    """The entities that hold the query as it is written, else those that are meant, with their relations."""
    view = graph.read_graph()
    words = asked.query.lower()
    found = [one for one in view.entities if any(words in text.lower() for text in _texts(one))]
    if not found:
        meant = {one.name for one in graph.search_nodes(asked.query)}
        found = [one for one in view.entities if one.name in meant]
    return _graph(found, _touching(found, view.relations))


def open_nodes(graph: Graph, asked: OpenNodes) -> Found:
    """The entities of these names, with the relations that touch them."""
    found = graph.open_nodes(asked.names)
    relations = {one.id: one for entity in found for one in entity.relations}
    return _graph(found, relations.values())


class Operation(BaseModel):
    """One of the nine calls: how it is shown, what it takes and gives, and what runs it."""

    model_config = ConfigDict(frozen=True)

    title: str
    description: str
    takes: type[_Shape]
    gives: type[_Shape]
    run: Callable[[Graph, Any], Found]
    reads: bool = False
    destroys: bool = False
    whole: bool = False
    """Its text is the reply itself, not the one list inside it."""


OPERATIONS: Mapping[str, Operation] = {
    "create_entities": Operation(
        title="Create Entities",
        description="Create multiple new entities in the knowledge graph",
        takes=CreateEntities,
        gives=CreateEntities,
        run=create_entities,
    ),
    "create_relations": Operation(
        title="Create Relations",
        description="Create multiple new relations between entities in the knowledge graph. Relations should be in "
        "active voice",
        takes=CreateRelations,
        gives=CreateRelations,
        run=create_relations,
    ),
    "add_observations": Operation(
        title="Add Observations",
        description="Add new observations to existing entities in the knowledge graph",
        takes=AddObservations,
        gives=AddedReplies,
        run=add_observations,
    ),
    "delete_entities": Operation(
        title="Delete Entities",
        description="Delete multiple entities and their associated relations from the knowledge graph",
        takes=DeleteEntities,
        gives=DoneReply,
        run=delete_entities,
        destroys=True,
    ),
    "delete_observations": Operation(
        title="Delete Observations",
        description="Delete specific observations from entities in the knowledge graph",
        takes=DeleteObservations,
        gives=DoneReply,
        run=delete_observations,
        destroys=True,
    ),
    "delete_relations": Operation(
        title="Delete Relations",
        description="Delete multiple relations from the knowledge graph",
        takes=DeleteRelations,
        gives=DoneReply,
        run=delete_relations,
        destroys=True,
    ),
    "read_graph": Operation(
        title="Read Graph",
        description="Read the entire knowledge graph",
        takes=ReadGraph,
        gives=GraphReply,
        run=read_graph,
        reads=True,
        whole=True,
    ),
    "search_nodes": Operation(
        title="Search Nodes",
        description="Search for nodes in the knowledge graph based on a query",
        takes=SearchNodes,
        gives=GraphReply,
        run=search_nodes,
        reads=True,
        whole=True,
    ),
    "open_nodes": Operation(
        title="Open Nodes",
        description="Open specific nodes in the knowledge graph by their names",
        takes=OpenNodes,
        gives=GraphReply,
        run=open_nodes,
        reads=True,
        whole=True,
    ),
}
"""The calls of version 0.6.3 of the reference, in its order."""


def perform(graph: Graph, name: str, arguments: Mapping[str, Any]) -> Found:
    """Run one of the nine calls. Raises ValidationFailed and NotFound for what is wrong in it, StoreUnavailable."""
    operation = OPERATIONS[name]
    try:
        asked = operation.takes.model_validate(arguments)
    except ValidationError as error:
        raise failure(error) from None
    return operation.run(graph, asked)


def _texts(entity: EntityView) -> Iterable[str]:
    return (entity.name, entity.entity_type, *(one.text for one in entity.observations))


def _touching(entities: Iterable[EntityView], relations: Iterable[RelationView]) -> list[RelationView]:
    names = {one.name for one in entities}
    return [one for one in relations if one.source in names or one.target in names]


def _graph(entities: Iterable[EntityView], relations: Iterable[RelationView]) -> Found:
    """A part of the graph as the reference writes it, the oldest observation of an entity first."""
    return {
        "entities": [
            {
                "name": one.name,
                "entityType": one.entity_type,
                "observations": [said.text for said in reversed(one.observations)],
            }
            for one in entities
        ],
        "relations": [{"from": one.source, "to": one.target, "relationType": one.relation_type} for one in relations],
    }


def _dumped(shape: _Shape) -> Found:
    return shape.model_dump(by_alias=True)


def _done(message: str) -> Found:
    return {"success": True, "message": message}
