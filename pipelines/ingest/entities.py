"""Whom and what messages name: one canonical entity per namespace, however it is spelled.

Names that differ only in case are one. Two names are one entity only with evidence: the one spoken to is called by a
nickname, or says that it is theirs. What was learned so holds for the whole namespace from then on, and an entity that
stood under the nickname before, and of which nothing was said, is merged into the canonical one. A nickname never takes
the name of a participant, nor that of an entity which is known already.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.knowledge.ids import entity_id
from reverie.pipelines.context import Context
from reverie.pipelines.ingest.language.base import Claim, EntityMention
from reverie.pipelines.ingest.language.en.nicknames import full_names
from reverie.pipelines.ingest.language.en.nicknames import nicknames as heard
from reverie.pipelines.ingest.reading import Reading
from reverie.pipelines.nicknames import nicknames
from reverie.store import nicknames as stored
from reverie.store.namespace import Namespace
from reverie.store.nicknames import Given
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord

_AT_ONCE = 500


@dataclass(frozen=True)
class People:
    """The canonical names and records of what a batch of readings names."""

    ctx: Context
    known: Mapping[str, Given]
    """By folded nickname the word that says whom it stands for."""

    def subject(self, reading: Reading, claim: Claim) -> str:
        """The canonical name of a claim's subject."""
        return self._canonical(reading, claim.subject)

    def named(self, reading: Reading) -> dict[str, EntityRecord]:
        """The entities of a reading by their folded names."""
        found: dict[str, EntityRecord] = {}
        for mention in reading.extraction.entities:
            name = self._canonical(reading, mention.name)
            found.setdefault(name.casefold(), self._record(EntityMention(name, mention.type)))
        return found

    def _canonical(self, reading: Reading, name: str) -> str:
        given = self.known.get(name.casefold())
        if given is not None:
            return given.name
        return full_names([mention.name for mention in reading.extraction.entities], name)

    def _record(self, mention: EntityMention) -> EntityRecord:
        return EntityRecord.new(
            self.ctx.ns,
            entity_id(mention.name),
            name=mention.name,
            type=mention.type,
            recorded_at=self.ctx.clock(),
        )


def settle(ctx: Context, readings: Sequence[Reading]) -> People:
    """Learn the nicknames these readings give evidence of, and look up those learned before."""
    words: list[Given] = []
    mentioned: set[str] = set()
    for reading in readings:
        turn, extraction = reading.utterance, reading.extraction
        for nickname, name in heard(turn, extraction.entities, extraction.observations).items():
            given = Given(nickname, name, turn.speaker, reading.message.id)
            if not _is_taken(ctx.ns, given, mentioned):
                transaction = ctx.ns.transaction()
                transaction.require_present(reading.message.kind, reading.message.id)
                stored.give(transaction, given)
                transaction.commit()
                words.append(given)
        mentioned |= {mention.name.casefold() for mention in extraction.entities}
    known = nicknames(ctx.ns)
    for given in words:
        if given.nickname.casefold() in known:
            _merge(ctx.ns, entity_id(given.nickname), entity_id(given.name))
    return People(ctx, known)


def _is_taken(ns: Namespace, given: Given, mentioned: Collection[str]) -> bool:
    """Whether a nickname is the name of an entity of its own already.

    One who names themselves can take no name that anybody mentioned before. Who is spoken to by a short form of their
    own name may have been mentioned by it; then only what something was said of is another.
    """
    entity = ("entity", entity_id(given.nickname))
    if given.giver == given.name:
        others = ns.sources("MENTIONS", "message", entity, newest=2)
        return given.nickname.casefold() in mentioned or any(one != given.message for one in others)
    return bool(ns.sources("ABOUT", "observation", entity, newest=1))


def _merge(ns: Namespace, old: str, new: str) -> None:
    """Move what pointed to the entity `old` over to `new`, and remove it. Nothing to do when there is no `old`."""
    record = ns.get(EntityRecord, old)
    if record is None or old == new:
        return
    moved = (("MENTIONS", MessageRecord, "message"), ("ABOUT", ObservationRecord, "observation"))
    for edge, model, kind in moved:
        while sources := ns.sources(edge, kind, ("entity", old), newest=_AT_ONCE):
            transaction = ns.transaction()
            for id, source in zip(sources, ns.get_many(model, sources), strict=True):
                transaction.unlink(edge, (kind, id), ("entity", old))
                if source is not None:
                    at = source.at if isinstance(source, MessageRecord) else source.observed_at
                    transaction.link(edge, (kind, id), ("entity", new), at)
            transaction.commit()
    transaction = ns.transaction()
    transaction.delete(record.kind, record.id)
    transaction.commit()
