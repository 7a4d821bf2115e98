"""Erasing what was claimed: observations, and the facts and entities that rest on nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from reverie.knowledge.reasons import ERASED
from reverie.pipelines import facts, topics
from reverie.pipelines.erasure.removing import remove, remove_all
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.facts.storing import store
from reverie.store import entities, nicknames, pending, removal
from reverie.store import facts as stored
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord
from reverie.store.retry import attempts


def erase_observations(tally: Tally, observations: Sequence[ObservationRecord]) -> list[str]:
    """Remove observations with their support of facts; a fact that is left without any goes too.

    Gives the ids of the entities that they were about.
    """
    ctx, ids = tally.ctx, [one.id for one in observations]
    supported = ctx.ns.sources_of_many(stored.SUPPORTED_BY, "fact", "observation", ids)
    for observation, fact_ids in zip(observations, supported, strict=True):
        for fact_id in fact_ids:
            _withdraw(tally, fact_id, observation.id, observation.message)
    entities = ctx.ns.targets_of_many("observation", ids, "ABOUT")
    for gone in remove_all(ctx, ObservationRecord, ids, _no_longer_waiting):
        tally.gone(gone)
    return [id for group in entities for id in group]


def _no_longer_waiting(transaction: Transaction, observation: ObservationRecord) -> None:
    pending.remove(transaction, observation.agent, [observation.id])


def _withdraw(tally: Tally, fact_id: str, observation: str, message: str) -> None:
    ctx = tally.ctx
    facts.withdraw(ctx, fact_id, [observation], reason=ERASED)
    fact = ctx.ns.get(FactRecord, fact_id)
    if fact is None:
        return
    if fact.support <= 0:
        erase_fact(tally, fact_id)
    else:
        _no_longer_stated(tally, fact_id, message)


def erase_fact(tally: Tally, fact_id: str) -> None:
    """Remove a fact with the rows of all its versions; what it ended or corrected stands as before."""
    ctx = tally.ctx
    ended = [id for _, id in ctx.ns.targets(("fact", fact_id), "INVALIDATES")]
    gone = remove(ctx, FactRecord, fact_id, partial(_drop_rows, ctx.ns))
    for other in ended:
        if facts.reopen(ctx, other, {fact_id}):
            tally.rewritten["fact"] += 1
    if gone is not None:
        tally.gone(gone)


def _drop_rows(ns: Namespace, transaction: Transaction, fact: FactRecord) -> None:
    for number in [version.number for version in fact.versions] or removal.parts_of(ns, "fact", fact.id):
        transaction.drop_row("fact", fact.id, number)
    stored.change_slot(transaction, fact.slot)


def _no_longer_stated(tally: Tally, fact_id: str, message: str) -> None:
    """Take a message from the sources of a fact that rests on others too."""
    ctx = tally.ctx
    for _ in attempts("the fact"):
        found = stored.standing(ctx.ns, fact_id).fact
        if found is None:
            return
        before, now = found.record, ctx.clock()
        kept = [source for source in before.sources if source != message]
        record = before.revised({"sources": kept})
        transaction = ctx.ns.transaction()
        store(transaction, before, replace(found, record=record), now)
        transaction.unlink(stored.STATED_IN, ("fact", fact_id), ("message", message))
        if transaction.commit().committed:
            tally.rewritten["fact"] += 1
            return


def erase_orphans(tally: Tally, ids: Iterable[str]) -> None:
    """Remove those of these entities that no message mentions and no observation is about any more."""
    ctx, wanted = tally.ctx, list(dict.fromkeys(ids))
    mentioned = ctx.ns.sources_of_many("MENTIONS", "message", "entity", wanted)
    told = ctx.ns.sources_of_many("ABOUT", "observation", "entity", wanted)
    orphans = [id for id, one, other in zip(wanted, mentioned, told, strict=True) if not one and not other]

    def unsupported(transaction: Transaction, entity: EntityRecord) -> None:
        entities.require_unmentioned(transaction, entity.id)
        topics.drop_entity(ctx, transaction, entity.id)
        nicknames.take_back(transaction, [one for one in nicknames.given(ctx.ns) if one.name == entity.name])

    for id in orphans:
        gone = remove(ctx, EntityRecord, id, unsupported)
        if gone is not None:
            tally.gone(gone)
