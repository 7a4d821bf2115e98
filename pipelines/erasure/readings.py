"""Removing what an earlier reading of a message said and a later one does not bear out."""

import json
from collections.abc import Sequence

from reverie.pipelines import ingest
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.claims import erase_observations, erase_orphans
from reverie.pipelines.erasure.cycles import scrub_cycles
from reverie.pipelines.erasure.graphs import unlearn
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import learning
from reverie.store import work
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import ObservationRecord


def finish_replaced(ctx: Context, entries: Sequence[str]) -> str:
    """Remove the observations that these pieces of work name, with what rests on them alone, and end the work.

    Done again it changes nothing. What a graph learned from the message is learned anew from what is left.
    """
    tally = Tally(ctx)
    named = [json.loads(entry) for entry in entries]
    ids = [id for one in named for id in one["observations"]]
    observations = [one for one in ctx.ns.get_many(ObservationRecord, ids) if one is not None]
    believe_anew(tally, observations)
    # Before they are gone: after that nothing says any more which they were.
    scrub_cycles(tally, {*ids, *tally.moved})
    erase_orphans(tally, erase_observations(tally, observations))
    messages = ctx.ns.get_many(MessageRecord, [one["message"] for one in named])
    for entry, message in zip(entries, messages, strict=True):
        transaction = ctx.ns.transaction()
        work.finish(transaction, ingest.REPLACED, entry)
        if message is not None:
            unlearn(tally, [message.id])
            learning.queue(ctx, transaction, message)
        transaction.commit()
    if ctx.settings.graph_learns:
        ctx.wake(learning.TOPIC, ctx.namespace)
    return f"{tally.erased['observation']} observations replaced"
