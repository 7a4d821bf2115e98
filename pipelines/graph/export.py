"""A graph in the formats of others: JSON, GraphML, Graphviz' DOT and Mermaid."""

import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Literal

from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.pipelines.graph.views import EntityView, GraphView

Format = Literal["json", "graphml", "dot", "mermaid"]

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(graph: KnowledgeGraph, view: GraphView, format: Format) -> str:
    """The view of a graph as a document of the format; it ends with a line break."""
    return _FORMATS[format](graph, view).rstrip("\n") + "\n"


def _json(graph: KnowledgeGraph, view: GraphView) -> str:
    document = {
        "app": graph.app,
        "user": graph.user,
        "entities": [entity.model_dump(mode="json", exclude={"relations", "score"}) for entity in view.entities],
        "relations": [relation.model_dump(mode="json") for relation in view.relations],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _graphml(graph: KnowledgeGraph, view: GraphView) -> str:
    """Nodes with `type`, `updated_at` and their `observations` one a line; edges with `type` and validity."""
    import networkx  # here: only who exports pays for it

    drawn = networkx.MultiDiGraph(app=_xml(graph.app), user=_xml(graph.user))
    for name, entity in _nodes(view):
        attributes = {"name": _xml(name)}
        if entity is not None:
            attributes |= {
                "type": _xml(entity.entity_type),
                "updated_at": entity.updated_at.isoformat(),
                "observations": _xml("\n".join(one.text for one in entity.observations)),
            }
        drawn.add_node(_xml(name), **attributes)
    for relation in view.relations:
        ends = {"valid_from": relation.valid_from.isoformat()}
        if relation.valid_to is not None:
            ends["valid_to"] = relation.valid_to.isoformat()
        drawn.add_edge(
            _xml(relation.source), _xml(relation.target), key=relation.id, type=_xml(relation.relation_type), **ends
        )
    written = io.BytesIO()
    networkx.write_graphml_xml(drawn, written)
    return written.getvalue().decode()


def _dot(graph: KnowledgeGraph, view: GraphView) -> str:
    lines = [f"digraph {_quoted(f'{graph.app}: {graph.user}')} {{"]
    for name, entity in _nodes(view):
        if entity is None:
            lines.append(f"  {_quoted(name)} [style=dashed];")
            continue
        label = _quoted(f"{name}\n({entity.entity_type})")
        said = _quoted("\n".join(one.text for one in entity.observations))
        lines.append(f"  {_quoted(name)} [label={label}, tooltip={said}];")
    lines += [
        f"  {_quoted(one.source)} -> {_quoted(one.target)} [label={_quoted(one.relation_type)}];"
        for one in view.relations
    ]
    return "\n".join([*lines, "}"])


def _mermaid(graph: KnowledgeGraph, view: GraphView) -> str:  # noqa: ARG001  # Mermaid has no place for the owner
    names = {name: f"n{place}" for place, (name, _) in enumerate(_nodes(view))}
    lines = ["flowchart LR"]
    for name, entity in _nodes(view):
        shape = f'("{_entities(name)}")' if entity is None else f'["{_entities(f"{name} ({entity.entity_type})")}"]'
        lines.append(f"  {names[name]}{shape}")
    lines += [
        f'  {names[one.source]} -->|"{_entities(one.relation_type)}"| {names[one.target]}' for one in view.relations
    ]
    return "\n".join(lines)


_FORMATS: dict[Format, Callable[[KnowledgeGraph, GraphView], str]] = {
    "json": _json,
    "graphml": _graphml,
    "dot": _dot,
    "mermaid": _mermaid,
}


def _nodes(view: GraphView) -> Iterator[tuple[str, EntityView | None]]:
    """Every entity, then the ends of relations that are none."""
    known = {entity.name for entity in view.entities}
    for entity in view.entities:
        yield entity.name, entity
    ends = (end for relation in view.relations for end in (relation.source, relation.target))
    for name in dict.fromkeys(ends):
        if name not in known:
            yield name, None


def _xml(text: str) -> str:
    """The text without the characters that no XML document may hold."""
    return _NOT_XML.sub("\ufffd", text)


def _quoted(text: str) -> str:
    """A DOT string: a backslash and a quote are escaped, a line break is `\\n`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return '"' + escaped.replace("\0", "\ufffd") + '"'


def _entities(text: str) -> str:
    """Text inside Mermaid's quotes: what has a meaning there is written by its number, lines become one."""
    folded = " ".join(text.split())
    return "".join(one if one.isalnum() or one in " .,:()_-'!?/+" else f"#{ord(one)};" for one in folded)
