"""A graph's search rows can be made again from its records."""

from reverie import Memory
from reverie.pipelines.rows import DRAFTERS
from reverie.store.keys import decode


def test_every_row_is_what_its_drafter_makes_of_the_record(quick_memory: Memory) -> None:
    graph = quick_memory.graph(app="coach", user="alice")
    [alice] = graph.create_entities(
        [{"name": "Alice", "entity_type": "person", "observations": ["plays chess", "sings"]}]
    )
    [edge] = graph.create_relations([{"source": "Alice", "relation_type": "works_at", "target": "Acme"}])
    graph.invalidate_observation(alice.observations[0].id)
    graph.invalidate_relation(edge.id)
    graph.create_relations([{"source": "Alice", "relation_type": "works_at", "target": "Acme"}])
    graph.add_session([{"content": "I sing.", "author": "alice"}], "s-1")
    ns = quick_memory.ctx.ns
    prefix = ns.keys.row("x", "y").removesuffix("x:y")

    kinds = set()
    for key in ns.client.scan_iter(match=f"{prefix}*"):
        kind, id = key.decode().removeprefix(prefix).split(":")
        [draft] = DRAFTERS[kind](quick_memory.ctx.ns, [decode(id)])
        flat = [str(word) if not isinstance(word, bytes) else word for word in draft.row.words(ns.keys.tag)]
        drafted = dict(zip(flat[::2], flat[1::2], strict=True))
        stored = {field.decode(): value for field, value in ns.client.hgetall(key).items()}
        assert stored.pop("v")
        assert stored.pop("rv") != drafted.pop("rv")
        assert {field: value.decode() for field, value in stored.items()} == drafted
        kinds.add(kind)
    assert kinds == {"graph_entity", "graph_observation", "graph_relation", "graph_turn"}
