"""Whom and what messages name: one canonical entity per namespace, however it is spelled.

Names that differ only in case are one. Two names are one entity only with evidence: the one spoken to is called by a
nickname, or says that it is theirs. What was learned so holds for the whole namespace from then on, and an entity that
stood under the nickname before is merged into the canonical one.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.extract import Claim, EntityMention
from reverie.pipelines.extract.nicknames import full_names, nicknames
from reverie.pipelines.ingest.ids import entity_id
from reverie.pipelines.ingest.reading import Reading
from reverie.store.records.conversation import MessageRecord
from reverie.store.records.knowledge import EntityRecord, ObservationRecord
from reverie.store.space import reachable

_TRIES = 5
_AT_ONCE = 500


@dataclass(frozen=True)
class People:
    """The canonical names and records of what a batch of readings names."""

    kb: KnowledgeBase
    aliases: dict[str, tuple[str, str]]
    """Folded nickname to the nickname as it is written and the canonical name."""

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
            found.setdefault(name.casefold(), self._record(reading.message, EntityMention(name, mention.type)))
        return found

    def _canonical(self, reading: Reading, name: str) -> str:
        known = self.aliases.get(name.casefold())
        if known is not None:
            return known[1]
        return full_names([mention.name for mention in reading.extraction.entities], name)

    def _record(self, message: MessageRecord, mention: EntityMention) -> EntityRecord:
        return EntityRecord.new(
            self.kb.space.keys,
            entity_id(mention.name),
            name=mention.name,
            type=mention.type,
            aliases=sorted(alias for alias, name in self.aliases.values() if name == mention.name),
            first_seen=message.at,
            recorded_at=self.kb.clock(),
        )


def settle(kb: KnowledgeBase, readings: Sequence[Reading]) -> People:
    """Learn the nicknames these readings give evidence of, and look up those learned before."""
    for reading in readings:
        found = nicknames(reading.turn, reading.extraction.entities, reading.extraction.observations)
        for alias, name in found.items():
            _learn(kb, reading.message, alias, name)
    with reachable():
        known = kb.space.client.hgetall(kb.space.keys.named("aliases"))
    return People(kb, {alias.decode(): _pair(json.loads(document)) for alias, document in known.items()})


def _pair(document: list[str]) -> tuple[str, str]:
    alias, name = document
    return alias, name


def _learn(kb: KnowledgeBase, message: MessageRecord, alias: str, name: str) -> None:
    """Hold from now on that `alias` means `name`; what is known already stays."""
    keys = kb.space.keys
    transaction = kb.space.transaction()
    transaction.require("present", message.key())
    transaction.run("HSETNX", keys.named("aliases"), alias.casefold(), json.dumps([alias, name]))
    transaction.commit()
    for _ in range(_TRIES):
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
