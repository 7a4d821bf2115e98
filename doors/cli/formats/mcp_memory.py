"""The file of the MCP memory server: JSON Lines of entities with their observations, and of relations.

They go into a knowledge graph: that of `--app` and `--user`.

    {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["lives in Lyon"]}
    {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works at"}
"""

from collections.abc import Iterator
from typing import Any

from reverie.cli.formats.base import Item, Source, Thing, Tie, field


def matches(sample: Any) -> bool:
    """Whether an entry of a file is written so."""
    return isinstance(sample, dict) and sample.get("type") in ("entity", "relation")


def read(source: Source) -> Iterator[Item]:
    """The entities and relations, as they come."""
    for where, one in source.entries():
        name, kind = field(one, "name"), field(one, "entityType")
        observations = field(one, "observations") or []
        ends = [field(one, "from"), field(one, "relationType"), field(one, "to")]
        if field(one, "type") == "entity" and isinstance(name, str) and isinstance(observations, list):
            said = tuple(text for text in observations if isinstance(text, str) and text.strip())
            yield Thing(name, kind if isinstance(kind, str) else None, said)
        elif field(one, "type") == "relation" and all(isinstance(end, str) for end in ends):
            yield Tie(*map(str, ends))
        else:
            source.refuse(f"{where} is no entity and no relation")
