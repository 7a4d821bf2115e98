"""Whom and what messages name: one canonical entity per namespace, however it is spelled.

Names that differ only in case are one. Two names are one entity only with evidence: the one spoken to is called by a
nickname, or says that it is theirs. What was learned so holds for the whole namespace from then on, and an entity that
stood under the nickname before is merged into the canonical one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.ids import entity_id
from reverie.pipelines.ingest.language.base import Claim, EntityMention
from reverie.pipelines.ingest.language.en.nicknames import full_names, nicknames
from reverie.pipelines.ingest.reading import Reading
from reverie.store import nicknames as stored
from reverie.store.nicknames import Nickname
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord
from reverie.store.retry import attempts

_AT_ONCE = 500


@dataclass(frozen=True)
class People:
    """The canonical names and records of what a batch of readings names."""

    kb: KnowledgeBase
    known: dict[str, Nickname]
    """By the folded nickname."""

    def settled(self, reading: Reading, claim: Claim) -> Claim:
        """The claim with its subject and object under their canonical names."""
        return replace(
            claim,
            subject=self._canonical(reading, claim.subject),
            object=None if claim.object is None else self._canonical(reading, claim.object),
        )

    def named(self, reading: Reading) -> dict[str, EntityRecord]:
        """The entities of a reading by their folded names."""
        found: dict[str, EntityRecord] = {}
        for mention in reading.extraction.entities:
            name = self._canonical(reading, mention.name)
            found.setdefault(name.casefold(), self._record(EntityMention(name, mention.type)))
        return found

    def _canonical(self, reading: Reading, name: str) -> str:
        nickname = self.known.get(name.casefold())
        if nickname is not None:
            return nickname.name
        return full_names([mention.name for mention in reading.extraction.entities], name)

    def _record(self, mention: EntityMention) -> EntityRecord:
        return EntityRecord.new(
            self.kb.space.keys,
            entity_id(mention.name),
            name=mention.name,
            type=mention.type,
            aliases=sorted(one.nickname for one in self.known.values() if one.name == mention.name),
            recorded_at=self.kb.clock(),
        )


def settle(kb: KnowledgeBase, readings: Sequence[Reading]) -> People:
    """Learn the nicknames these readings give evidence of, and look up those learned before."""
    for reading in readings:
        found = nicknames(reading.turn, reading.extraction.entities, reading.extraction.observations)
        for alias, name in found.items():
            _learn(kb, reading.message, alias, name)
    return People(kb, stored.known(kb.space))


def _learn(kb: KnowledgeBase, message: MessageRecord, alias: str, name: str) -> None:
    """Hold from now on that `alias` means `name`; what is known already stays."""
    transaction = kb.space.transaction()
    transaction.require("present", message.key())
    stored.learn(transaction, alias, name)
    transaction.commit()
    for _ in attempts("an entity"):
        entity = kb.space.get(EntityRecord, entity_id(name))
        if entity is None or alias in entity.aliases:
            break
        changed = entity.model_copy(update={"aliases": [*entity.aliases, alias], "revision": entity.revision + 1})
        transaction = kb.space.transaction()
        transaction.require("revision", entity.key(), entity.revision)
        transaction.put(changed)
        if transaction.commit().committed:
            break
    _merge(kb, entity_id(alias), entity_id(name))


def _merge(kb: KnowledgeBase, old: str, new: str) -> None:
    """Move what pointed to the entity `old` over to `new`, and remove it. Nothing to do when there is no `old`."""
    record = kb.space.get(EntityRecord, old)
    if record is None or old == new:
        return
    moved = (("MENTIONS", MessageRecord, "message"), ("ABOUT", ObservationRecord, "observation"))
    for edge, model, kind in moved:
        while sources := kb.space.sources(edge, kind, ("entity", old), newest=_AT_ONCE):
            transaction = kb.space.transaction()
            for id, source in zip(sources, kb.space.get_many(model, sources), strict=True):
                transaction.unlink(edge, (kind, id), ("entity", old))
                if source is not None:
                    at = source.at if isinstance(source, MessageRecord) else source.observed_at
                    transaction.link(edge, (kind, id), ("entity", new), at)
            transaction.commit()
    transaction = kb.space.transaction()
    transaction.run("DEL", record.key())
    transaction.commit()
