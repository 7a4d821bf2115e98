"""One run over a batch of messages.

A message is worked on once: the transaction that stores the result ends the work, and does nothing when the work was
ended before or the message is gone. Ids are made from the message's, so that a replay makes the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.pipelines import consolidate, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.graph import learning
from reverie.pipelines.ingest import chunking, entities
from reverie.pipelines.ingest.reading import read
from reverie.pipelines.ingest.storing import REPLACED, TOPIC, prepare, stored
from reverie.store import work
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import ObservationRecord

__all__ = ["REPLACED", "TOPIC", "Ingested", "ingest"]

_VECTORS_AT_ONCE = 32
"""Texts embedded within a run; the vectors of more, from long messages, are filled in afterwards."""


@dataclass(frozen=True)
class Ingested:
    """What one run did."""

    messages: int
    observations: int
    entities: int
    chunks: int = 0
    replacing: tuple[str, ...] = ()
    """Work that the run made necessary: observations of an earlier reading to be removed."""

    def __str__(self) -> str:
        return (
            f"{self.messages} messages ingested, {self.observations} observations, {self.entities} entities and "
            f"{self.chunks} chunks stored"
        )


def ingest(ctx: Context, message_ids: Sequence[str]) -> Ingested:
    """Extract from these messages and store the result. Raises ModelFailed, StoreUnavailable; then nothing is lost.

    Ids whose message is gone (erased since it was queued) end their work without a trace.
    """
    found = dict(zip(message_ids, ctx.ns.get_many(MessageRecord, message_ids), strict=True))
    gone = [id for id, message in found.items() if message is None]
    if gone:
        _end(ctx.ns, gone)
    readings = read(ctx, [message for message in found.values() if message is not None])
    people = entities.settle(ctx, readings)
    known = _known(ctx.ns, [reading.message for reading in readings])
    results = [prepare(ctx, reading, people, known.get(reading.message.id, ())) for reading in readings]
    drafts = [draft for result in results for draft in result.drafts]
    embedded = ctx.embedder.documents([draft.embedded for draft in drafts[:_VECTORS_AT_ONCE]])
    given = iter([*embedded, *([None] * (len(drafts) - len(embedded)))])
    transactions = [stored(ctx, result, [next(given) for _ in result.drafts]) for result in results]
    outcomes = ctx.ns.commit(transactions) if transactions else []
    done = [result for result, outcome in zip(results, outcomes, strict=True) if outcome.committed]
    consolidate.hasten(ctx, {result.message.agent for result in done if result.observations})
    if len(drafts) > len(embedded):
        ctx.wake(vectors.TOPIC, ctx.namespace)
    if any(chunking.is_cut(result.message) for result in done):
        ctx.wake(chunking.TOPIC, ctx.namespace)
    if done and ctx.settings.graph_learns:
        ctx.wake(learning.TOPIC, ctx.namespace)
    replacing = [result.replacing for result in done if result.replacing]
    if replacing:
        ctx.wake(REPLACED, ctx.namespace)
    return Ingested(
        messages=len(done),
        observations=sum(len(result.observations) for result in done),
        entities=sum(len(result.entities) for result in done),
        chunks=sum(len(result.chunks) for result in done),
        replacing=tuple(replacing),
    )


def _known(ns: Namespace, messages: Sequence[MessageRecord]) -> dict[str, list[ObservationRecord]]:
    """The observations, by message, of those messages that were read before and are to be read anew."""
    again = [message.id for message in messages if message.fell_back is not None]
    if not again:
        return {}
    ids = ns.sources_of_many("OBSERVED_IN", "observation", "message", again)
    found = iter(ns.get_many(ObservationRecord, [id for some in ids for id in some]))
    known = [[next(found) for _ in some] for some in ids]
    return {id: [one for one in some if one is not None] for id, some in zip(again, known, strict=True)}


def _end(ns: Namespace, message_ids: Sequence[str]) -> None:
    transactions = []
    for id in message_ids:
        transaction = ns.transaction()
        work.finish(transaction, TOPIC, id)
        transactions.append(transaction)
    ns.commit(transactions)
