"""Taking a nickname from whom it stood for: what was said under it is said of a name of its own again."""

from collections.abc import Iterable

from reverie.knowledge.ids import entity_id
from reverie.knowledge.wording import folded
from reverie.pipelines import consolidate, facts, vectors
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.nicknames import nicknames
from reverie.pipelines.rows import observation_draft
from reverie.store import nicknames as stored
from reverie.store.nicknames import Given
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord


def let_go(tally: Tally, words: Iterable[Given]) -> list[str]:
    """Take these words back, and what stood under the nicknames that mean nobody any more from the names they meant.

    Gives the ids of the entities that the nicknames name now; one may be left without anything that is told of it.
    Raises StoreBusy, StoreUnavailable; doing it again does the rest.
    """
    ctx = tally.ctx
    meant = nicknames(ctx)
    gone = list(words)
    transaction = ctx.ns.transaction()
    stored.take_back(transaction, gone)
    transaction.commit()
    left = nicknames(ctx)
    parted = []
    for one in gone:
        known = meant.get(one.nickname.casefold())
        if known is not None and one.nickname.casefold() not in left:
            parted.append(_part(tally, known))
    return parted


def _part(tally: Tally, given: Given) -> str:
    ctx, old, new = tally.ctx, ("entity", entity_id(given.name)), ("entity", entity_id(given.nickname))
    nickname = folded(given.nickname)
    called = ctx.ns.sources(stored.CALLED, "observation", ("nickname", nickname))
    subjects = [one for one in ctx.ns.get_many(ObservationRecord, called) if one is not None]
    known = facts.records(ctx, object=given.name)
    supports = [id for view in facts.views(ctx, [one.id for one in known]) for id in view.observations]
    objects = ctx.ns.get_many(ObservationRecord, list(dict.fromkeys(supports)))
    again = {one.id: one for one in objects if one is not None and folded(one.object or "") == nickname}
    again |= {one.id: one for one in subjects}
    believe_anew(tally, list(again.values()))
    transaction = ctx.ns.transaction()
    entity = ctx.ns.get(EntityRecord, old[1])
    for one in subjects:
        renamed = one.revised({"subject": one.subject_as, "subject_as": None})
        again[one.id] = renamed
        transaction.require_unchanged(one.kind, one.id, one.revision)
        transaction.put(renamed)
        vectors.write_row(transaction, observation_draft(renamed), None, ctx.clock())
        transaction.unlink(stored.CALLED, ("observation", one.id), ("nickname", nickname))
        transaction.unlink("ABOUT", ("observation", one.id), old)
        transaction.link("ABOUT", ("observation", one.id), new, one.observed_at)
    mentions = ctx.ns.get_many(MessageRecord, ctx.ns.sources("MENTIONS", "message", old))
    for message in mentions:
        words = folded(message.content) if message is not None else ""
        if message is not None and nickname in words and folded(given.name) not in words:
            transaction.unlink("MENTIONS", ("message", message.id), old)
            transaction.link("MENTIONS", ("message", message.id), new, message.at)
    named = EntityRecord.new(
        ctx.ns,
        new[1],
        name=given.nickname,
        type="person" if entity is None else entity.type,
        recorded_at=ctx.clock(),
    )
    transaction.put(named, only_new=True)
    consolidate.requeue(transaction, again.values(), ctx.clock())
    if transaction.commit().committed and again:
        consolidate.again(ctx, list(again.values()))
    tally.rewritten["observation"] += len(subjects)
    return new[1]
