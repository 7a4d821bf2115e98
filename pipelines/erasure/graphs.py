"""Erasing from knowledge graphs: what was inferred from a message, and the graphs of a user."""

from collections.abc import Sequence

from reverie.pipelines.context import Context
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import deleting, log, reading
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
    """Take back what was inferred from messages; what rests on nothing else goes."""
    ctx = tally.ctx
    models: tuple[type[GraphStatement], ...] = (GraphObservationRecord, GraphRelationRecord)
    for model in models:
        learned = ctx.ns.sources_of_many(changes.INFERRED_FROM, model.kind, "message", messages)
        for message, ids in zip(messages, learned, strict=True):
            for id in ids:
                _unlearn(tally, model, id, message)


def _unlearn(tally: Tally, model: type[GraphStatement], id: str, message: str) -> None:
    ctx = tally.ctx
    owners = {graph.at.id: graph for graph in graphs(ctx)}
    for _ in attempts("the graph"):
        record = ctx.ns.get(model, id)
        if record is None or record.graph not in owners:
            return
        gone = deleting.take_back(owners[record.graph], record, message)
        if gone is None:
            continue
        if gone:
            text = record.text if isinstance(record, GraphObservationRecord) else None
            tally.gone(record, text)
        else:
            tally.rewritten[record.kind] += 1
        return
