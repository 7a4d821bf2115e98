"""Erasing from knowledge graphs: what was inferred from a message, and the graphs of a user."""

from collections.abc import Sequence

from reverie.pipelines.context import Context
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import deleting, learning, log, reading
from reverie.pipelines.graph.base import KnowledgeGraph
from reverie.store.graphs import changes
from reverie.store.graphs import reading as stored
from reverie.store.records.graph import GraphObservationRecord, GraphRelationRecord, GraphStatement
from reverie.store.retry import attempts


def graphs(ctx: Context) -> list[KnowledgeGraph]:
    """Every graph of the namespace."""
    return [KnowledgeGraph(ctx, app, user) for app, user in stored.owners(ctx.ns)]


def erase_graphs(tally: Tally, user: str) -> None:
    """Remove every graph of a user, whatever the app, with its log."""
    for graph in graphs(tally.ctx):
        if graph.user != user:
            continue
        view = reading.read_graph(graph)
        tally.texts |= {one.text for entity in view.entities for one in entity.observations}
        tally.texts |= {turn.content for turn in log.turns(graph)}
        gone = deleting.delete_user(graph)
        for name, count in vars(gone).items():
            tally.erased[f"graph {name}"] += count


def unlearn(tally: Tally, messages: Sequence[str]) -> None:
    """Take back what was inferred from messages, and learn anew from the others what is touched by that.

    What rests on nothing else goes; what these messages ended opens again. What somebody wrote into the graph, or ended
    there, stays as it is. Doing it again changes nothing.
    """
    ctx = tally.ctx
    owners = {graph.at.id: graph for graph in graphs(ctx)}
    learned = [
        (model, id, message)
        for model in (GraphObservationRecord, GraphRelationRecord)
        for message, ids in zip(
            messages, ctx.ns.sources_of_many(changes.INFERRED_FROM, model.kind, "message", messages), strict=True
        )
        for id in ids
    ]
    dropped: dict[tuple[str, str], tuple[KnowledgeGraph, GraphStatement]] = {}
    again: dict[str, None] = {}
    for model, id, message in learned:
        record = ctx.ns.get(model, id)
        if record is None or record.graph not in owners:
            continue
        graph = owners[record.graph]
        if record.provenance == "curated":
            _take_back(tally, graph, record, message)
            continue
        for one in [record, *learning.rivals(graph, record)]:
            sources = [source for _, source in ctx.ns.targets((one.kind, one.id), changes.INFERRED_FROM)]
            again |= dict.fromkeys(source for source in sources if source not in messages)
            if _drop(graph, one):
                dropped[one.kind, one.id] = (graph, one)
    learning.learn(ctx, list(again))
    for (_, id), (graph, record) in dropped.items():
        if ctx.ns.get(type(record), id) is not None:
            tally.rewritten[record.kind] += 1
            continue
        deleting.delete_if_empty(graph, record)
        tally.gone(record)


def _drop(graph: KnowledgeGraph, record: GraphStatement) -> bool:
    """Remove an inferred statement, whoever changes it meanwhile; False where a curator took it over."""
    for _ in attempts("the graph"):
        known = graph.ctx.ns.get(type(record), record.id)
        if known is None or known.provenance == "curated":
            return False
        if deleting.drop_inferred(graph, known):
            return True
    raise AssertionError("attempts end by raising")


def _take_back(tally: Tally, graph: KnowledgeGraph, record: GraphStatement, message: str) -> None:
    for _ in attempts("the graph"):
        known = tally.ctx.ns.get(type(record), record.id)
        if known is None or deleting.take_back(graph, known, [message]):
            break
    tally.rewritten[record.kind] += 1
