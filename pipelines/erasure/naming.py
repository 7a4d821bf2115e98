"""Taking a nickname from whom it stood for: messages that used it are read anew, as if it had never been given."""

from collections.abc import Iterable, Sequence
from typing import Final

from reverie.config.errors import ModelFailed
from reverie.knowledge.ids import entity_id
from reverie.knowledge.wording import folded
from reverie.pipelines import consolidate, facts, ingest, summaries
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.claims import erase_observations
from reverie.pipelines.erasure.cycles import scrub_cycles
from reverie.pipelines.erasure.graphs import unlearn
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import learning
from reverie.pipelines.nicknames import nicknames
from reverie.store import nicknames as stored
from reverie.store.namespace import Namespace
from reverie.store.nicknames import Given
from reverie.store.records.base import Record
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.facts import FactRecord
from reverie.store.records.graph import GraphEntityRecord, GraphObservationRecord, GraphRelationRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord
from reverie.store.records.synopses import SummaryRecord

_MADE: Final[tuple[type[Record], ...]] = (
    ObservationRecord, EntityRecord, FactRecord, GraphObservationRecord, GraphRelationRecord, GraphEntityRecord
)  # fmt: skip
"""What is made of a message when it is read, under ids that follow from what it says."""


def let_go(tally: Tally, words: Iterable[Given]) -> list[str]:
    """Take these words back, and read anew what was read by the nicknames that mean nobody any more.

    Gives the ids of the entities that those messages spoke of; some may be left without anything that is told of them.
    Raises StoreBusy, StoreUnavailable; doing it again does the rest.
    """
    ctx = tally.ctx
    meant = nicknames(ctx.ns)
    gone = list(words)
    transaction = ctx.ns.transaction()
    stored.take_back(transaction, gone)
    transaction.commit()
    left = nicknames(ctx.ns)
    erased = {one.message for one in gone}
    used: dict[str, MessageRecord] = {}
    for name in dict.fromkeys(one.nickname.casefold() for one in gone):
        if name in meant and name not in left:
            used |= {one.id: one for one in _messages(ctx, meant[name]) if one.id not in erased}
    spoken_of: list[str] = []
    messages = list(used.values())
    for start in range(0, len(messages), ctx.settings.work_batch):
        spoken_of += _read_anew(tally, messages[start : start + ctx.settings.work_batch])
    return spoken_of


def _messages(ctx: Context, given: Given) -> list[MessageRecord]:
    """The messages in which the nickname stands."""
    nickname = folded(given.nickname)
    known = facts.records(ctx.ns, object=given.name)
    supports = [id for view in facts.views(ctx, [one.id for one in known]) for id in view.observations]
    called = ctx.ns.sources(stored.CALLED, "observation", ("nickname", nickname))
    observations = ctx.ns.get_many(ObservationRecord, list(dict.fromkeys([*called, *supports])))
    mentions = ctx.ns.sources("MENTIONS", "message", ("entity", entity_id(given.name)))
    ids = dict.fromkeys([*mentions, *(one.message for one in observations if one is not None)])
    return [one for one in ctx.ns.get_many(MessageRecord, list(ids)) if one and nickname in folded(one.content)]


def _read_anew(tally: Tally, messages: Sequence[MessageRecord]) -> list[str]:
    """Remove what was read in these messages, and read them again; what takes longer than the caller has time for, and
    what needs an embedder that fails, is left to the workers.

    Gives the ids of the entities that they spoke of.
    """
    ctx, ids = tally.ctx, [one.id for one in messages]
    drawn = _drawn(ctx.ns, ids)
    believe_anew(tally, drawn)
    scrub_cycles(tally, {*(one.id for one in drawn), *tally.moved})
    entities = erase_observations(tally, drawn)
    unlearn(tally, ids)
    mentioned = ctx.ns.targets_of_many("message", ids, "MENTIONS")
    now = ctx.clock()
    transaction = ctx.ns.transaction()
    for message, named in zip(messages, mentioned, strict=True):
        for entity in named:
            transaction.unlink("MENTIONS", ("message", message.id), ("entity", entity))
        # Held for as long as a claim would be: it is read here.
        held = now if tally.is_late else now + ctx.settings.work_lease
        transaction.queue(ingest.TOPIC, message.id, held, when=transaction.when_stored(message.kind, message.id))
    for session in {one.session for one in messages}:
        if ctx.ns.get(SummaryRecord, summaries.summary_id(session)) is not None:
            summaries.withdraw(transaction, session, again_at=now)
    transaction.commit()
    tally.rewritten["message"] += len(messages)
    if tally.is_late:
        ctx.wake(ingest.TOPIC, ctx.namespace)
    else:
        _read(tally, ids)
    return [*entities, *(id for named in mentioned for id in named)]


def _read(tally: Tally, messages: Sequence[str]) -> None:
    ctx = tally.ctx
    try:
        ingest.ingest(ctx, messages)
    except ModelFailed:
        ctx.wake(ingest.TOPIC, ctx.namespace)
        return
    consolidate.again(ctx, _drawn(ctx.ns, messages))
    if ctx.settings.graph_learns:
        learning.learn(ctx, messages)
    for model in _MADE:
        ids = [id for kind, id in tally.ids if kind == model.kind]
        for made in ctx.ns.get_many(model, ids):
            if made is not None:
                tally.back(made)


def _drawn(ns: Namespace, messages: Sequence[str]) -> list[ObservationRecord]:
    """The observations that were read in these messages; what an agent added by itself is none."""
    groups = ns.sources_of_many("OBSERVED_IN", "observation", "message", messages)
    found = ns.get_many(ObservationRecord, list(dict.fromkeys(id for group in groups for id in group)))
    return [one for one in found if one is not None and not one.digest]
