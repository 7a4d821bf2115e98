"""Erasing messages.

The transaction that removes a message also queues, without any of its text, the removal of what was drawn from it: a
process that dies in between leaves it to the workers. From then on no task can add to it, because each one's
transaction requires that the message is there.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from reverie.pipelines import ingest, summaries, topics, vectors
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.claims import erase_observations, erase_orphans
from reverie.pipelines.erasure.cycles import scrub_cycles
from reverie.pipelines.erasure.graphs import unlearn
from reverie.pipelines.erasure.removing import remove
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import learning
from reverie.pipelines.rows import CONTEXT_MESSAGES, message_draft
from reverie.store import nicknames, timeline, work
from reverie.store.client import freeing
from reverie.store.commit import Transaction
from reverie.store.records.conversation import ChunkRecord, MessageRecord
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.records.synopses import SummaryRecord
from reverie.store.retry import attempts

TOPIC = "erasure"
_TOPICS = (ingest.TOPIC, topics.TOPIC, learning.TOPIC)


@dataclass(frozen=True)
class Gone:
    """Where an erased message stood: what is needed to remove what was drawn from it."""

    id: str
    session: str
    at: str
    entities: tuple[str, ...]

    def entry(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def read(cls, entry: str) -> "Gone":
        found = json.loads(entry)
        return cls(found["id"], found["session"], found["at"], tuple(found["entities"]))


def erase_messages(tally: Tally, ids: Sequence[str]) -> None:
    """Remove messages and everything drawn from them."""
    _finish_all(tally, [entry for entry in (_erase(tally, id) for id in ids) if entry is not None])


@freeing()
def finish(kb: KnowledgeBase, entries: Sequence[str]) -> str:
    """Remove what was drawn from messages that are gone, and end that work. Doing it again changes nothing."""
    tally = Tally(kb)
    _finish_all(tally, entries)
    return f"{len(entries)} messages forgotten, {sum(tally.erased.values())} records with them"


def _erase(tally: Tally, id: str) -> str | None:
    kb = tally.kb
    entries: list[str] = []

    def leave(transaction: Transaction, message: MessageRecord) -> None:
        mentioned = tuple(target for _, target in kb.space.targets(("message", id), "MENTIONS"))
        entry = Gone(id, message.session, message.at.isoformat(), mentioned).entry()
        entries[:] = [entry]
        now = kb.clock()
        transaction.queue(TOPIC, entry, now)
        summary = kb.space.get(SummaryRecord, summaries.summary_id(message.session))
        if summary is not None:
            summaries.withdraw(transaction, message.session, again_at=now)

    gone = remove(kb, MessageRecord, id, leave, _TOPICS)
    if gone is None:
        return None
    tally.gone(gone, gone.content)
    return entries[0]


def _finish_all(tally: Tally, entries: Sequence[str]) -> None:
    space = tally.kb.space
    nodes = [("message", Gone.read(entry).id) for entry in entries]
    # First of all: once the observations are gone, nothing says any more which they were.
    ids = [id for node in nodes for id in space.sources("OBSERVED_IN", "observation", node)]
    believe_anew(tally, [one for one in space.get_many(ObservationRecord, ids) if one is not None])
    scrub_cycles(tally, {*ids, *tally.moved})
    for entry in entries:
        _finish(tally, entry)


def _finish(tally: Tally, entry: str) -> None:
    kb, gone = tally.kb, Gone.read(entry)
    node = ("message", gone.id)
    for id in kb.space.sources("CHUNK_OF", "chunk", node):
        chunk = remove(kb, ChunkRecord, id)
        if chunk is not None:
            tally.gone(chunk)
    erase_observations(tally, kb.space.sources("OBSERVED_IN", "observation", node))
    unlearn(tally, gone.id)
    erase_orphans(tally, gone.entities)
    _tell_anew(tally, gone.session, datetime.fromisoformat(gone.at))
    transaction = kb.space.transaction()
    nicknames.take_back(transaction, [one for one in nicknames.given(kb.space) if one.message == gone.id])
    work.finish(transaction, TOPIC, entry)
    transaction.commit()
    kb.wake(summaries.TOPIC, kb.namespace)


def _tell_anew(tally: Tally, session: str, at: datetime) -> None:
    """Make the rows of the messages that followed anew: each bears the words of those before it.

    Their revision grows, so that a row that is being made from the old words is refused.
    """
    kb = tally.kb
    for _ in attempts("the messages of the session"):
        later = timeline.messages(kb.space, session, since=at, first=CONTEXT_MESSAGES + 1)
        before = timeline.preceding(kb.space, later, CONTEXT_MESSAGES)
        changed = [one.model_copy(update={"revision": one.revision + 1}) for one in later]
        drafts = [message_draft(one, earlier) for one, earlier in zip(changed, before, strict=True)]
        embedded = kb.quick_embedder.documents([draft.embedded for draft in drafts])
        transaction = kb.space.transaction()
        for old, new, draft, vector in zip(later, changed, drafts, embedded, strict=True):
            transaction.require("revision", old.key(), old.revision)
            transaction.put(new)
            transaction.row(draft.with_vector(vector))
            if vector is None:
                transaction.queue(vectors.TOPIC, vectors.entry("message", new.id), kb.clock())
        if not later or transaction.commit().committed:
            tally.rewritten["message"] += len(later)
            return
