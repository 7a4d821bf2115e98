"""Erasing messages.

The transaction that removes a message also queues, without any of its text, the removal of what was drawn from it: a
process that dies in between leaves it to the workers. From then on no task can add to it, because each one's
transaction requires that the message is there.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from reverie.pipelines import ingest, summaries, topics, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.erasure.activity import erase_actions, erase_episodes
from reverie.pipelines.erasure.beliefs import believe_anew
from reverie.pipelines.erasure.claims import erase_observations, erase_orphans
from reverie.pipelines.erasure.cycles import scrub_cycles
from reverie.pipelines.erasure.graphs import unlearn
from reverie.pipelines.erasure.naming import let_go
from reverie.pipelines.erasure.removing import remove_all
from reverie.pipelines.erasure.report import Tally
from reverie.pipelines.graph import learning
from reverie.pipelines.rows import CONTEXT_MESSAGES, message_draft
from reverie.store import fallbacks, nicknames, timeline, work
from reverie.store.client import freeing
from reverie.store.commit import Transaction
from reverie.store.facts import SUPPORTED_BY
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ChunkRecord, MessageRecord
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.records.synopses import SummaryRecord
from reverie.store.retry import attempts
from reverie.store.unreadable import salvaging

TOPIC = "erasure"
_TOPICS = (ingest.TOPIC, topics.TOPIC, learning.TOPIC)


_AT_ONCE = 100
"""Messages that are finished together."""
PATIENCE = 5.0
"""Seconds after which a caller who does not wait is answered: the time in which every call answers."""


@dataclass(frozen=True)
class Gone:
    """Where an erased message stood: what is needed to remove what was drawn from it, and what it triggered."""

    id: str
    session: str
    at: str
    entities: tuple[str, ...]
    actions: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()

    def entry(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def read(cls, entry: str) -> "Gone":
        found = json.loads(entry)
        return cls(
            found["id"],
            found["session"],
            found["at"],
            tuple(found["entities"]),
            tuple(found.get("actions", ())),
            tuple(found.get("episodes", ())),
        )


def erase_messages(tally: Tally, ids: Sequence[str]) -> None:
    """Remove messages and everything drawn from them.

    The messages themselves go at once. What was drawn from them goes in batches, as long as the tally has time; of the
    rest no row is left to be found, and the workers do it.
    """
    entries = _erase(tally, ids)
    tally.expected += len(entries)
    for start in range(0, len(entries), _AT_ONCE):
        if tally.is_late:
            hide(tally.ctx.ns, [Gone.read(entry).id for entry in entries[start:]])
            tally.ctx.wake(TOPIC, tally.ctx.namespace)
            return
        _finish_all(tally, entries[start : start + _AT_ONCE])
        tally.advance(len(entries[start : start + _AT_ONCE]))


@freeing()
@salvaging()
def finish(ctx: Context, entries: Sequence[str]) -> str:
    """Remove what was drawn from messages that are gone, and end that work. Doing it again changes nothing."""
    tally = Tally(ctx, ends=time.monotonic() + PATIENCE)
    _finish_all(tally, entries)
    return f"{len(entries)} messages forgotten, {sum(tally.erased.values())} records with them"


def _erase(tally: Tally, ids: Sequence[str]) -> list[str]:
    """Remove the messages; the entries of what is still to be done about them."""
    ctx, entries = tally.ctx, []
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        known: dict[str, Gone] = {}
        for id, sessions, mentioned, actions, episodes in zip(
            batch,
            ctx.ns.targets_of_many("message", batch, "IN_SESSION"),
            ctx.ns.targets_of_many("message", batch, "MENTIONS"),
            ctx.ns.sources_of_many("TRIGGERED_BY", "action", "message", batch),
            ctx.ns.sources_of_many("TRIGGERED_BY", "episode", "message", batch),
            strict=True,
        ):
            known[id] = Gone(id, sessions[0] if sessions else "", "", tuple(mentioned), tuple(actions), tuple(episodes))
        summarised: dict[str, bool] = {}
        made: dict[str, str] = {}

        def leave(
            transaction: Transaction,
            message: MessageRecord,
            known: Mapping[str, Gone] = known,
            summarised: dict[str, bool] = summarised,
            made: dict[str, str] = made,
        ) -> None:
            now, session = ctx.clock(), known[message.id].session or message.session
            made[message.id] = replace(known[message.id], session=session, at=message.at.isoformat()).entry()
            transaction.queue(TOPIC, made[message.id], now)
            fallbacks.leave(transaction, message.id)
            if session not in summarised:
                summarised[session] = ctx.ns.get(SummaryRecord, summaries.summary_id(session)) is not None
            if summarised[session]:
                summaries.withdraw(transaction, session, again_at=now)

        for gone in remove_all(ctx, MessageRecord, batch, leave, _TOPICS):
            tally.gone(gone, gone.content)
            entries.append(made[gone.id])
    return entries


def hide(ns: Namespace, messages: Sequence[str]) -> None:
    """Let no search find what was drawn from these messages, which are gone, until it is removed."""
    gone: set[str] = set()
    for start in range(0, len(messages), _AT_ONCE):
        batch = messages[start : start + _AT_ONCE]
        transaction = ns.transaction()
        chunks = ns.sources_of_many("CHUNK_OF", "chunk", "message", batch)
        observations = ns.sources_of_many("OBSERVED_IN", "observation", "message", batch)
        for kind, groups in (("chunk", chunks), ("observation", observations)):
            for id in _flat(groups):
                transaction.drop_row(kind, id)
        transaction.commit()
        gone |= set(_flat(observations))
    supported = _flat(ns.sources_of_many(SUPPORTED_BY, "fact", "observation", sorted(gone)))
    backing = ns.targets_of_many("fact", supported, SUPPORTED_BY)
    alone = [id for id, behind in zip(supported, backing, strict=True) if gone.issuperset(behind)]
    for start in range(0, len(alone), _AT_ONCE):
        transaction = ns.transaction()
        facts = [one for one in ns.get_many(FactRecord, alone[start : start + _AT_ONCE]) if one is not None]
        for fact in facts:
            for version in fact.versions:
                transaction.drop_row("fact", fact.id, version.number)
        transaction.commit()


def _finish_all(tally: Tally, entries: Sequence[str]) -> None:
    ctx, gone = tally.ctx, [Gone.read(entry) for entry in entries]
    messages = [one.id for one in gone]
    ids = _flat(ctx.ns.sources_of_many("OBSERVED_IN", "observation", "message", messages))
    observations = [one for one in ctx.ns.get_many(ObservationRecord, ids) if one is not None]
    believe_anew(tally, observations)
    # Before they go: once the observations are gone, nothing says any more which they were.
    scrub_cycles(tally, {*ids, *tally.moved})
    for chunk in remove_all(ctx, ChunkRecord, _flat(ctx.ns.sources_of_many("CHUNK_OF", "chunk", "message", messages))):
        tally.gone(chunk)
    erased = set(messages)
    parted = let_go(tally, [one for one in nicknames.given(ctx.ns) if one.message in erased])
    entities = erase_observations(tally, observations)
    unlearn(tally, messages)
    erase_actions(tally, [id for one in gone for id in one.actions])
    erase_episodes(tally, [id for one in gone for id in one.episodes])
    erase_orphans(tally, [*entities, *parted, *(id for one in gone for id in one.entities)])
    _tell_anew_all(tally, gone)
    transaction = ctx.ns.transaction()
    for entry in entries:
        work.finish(transaction, TOPIC, entry)
    transaction.commit()
    ctx.wake(summaries.TOPIC, ctx.namespace)


def _flat(groups: Sequence[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(id for group in groups for id in group))


def _tell_anew_all(tally: Tally, gone: Sequence[Gone]) -> None:
    """Make the rows of the messages that followed each of these anew, where any are left."""
    sessions = list(dict.fromkeys(one.session for one in gone))
    left = tally.ctx.ns.sources_of_many("IN_SESSION", "message", "session", sessions)
    alive = {session for session, messages in zip(sessions, left, strict=True) if messages}
    for session in sessions:
        if session in alive:
            for at in sorted({one.at for one in gone if one.session == session}):
                _tell_anew(tally, session, datetime.fromisoformat(at))


def _tell_anew(tally: Tally, session: str, at: datetime) -> None:
    """Make the rows of the messages that followed anew: each bears the words of those before it.

    Their revision grows, so that a row that is being made from the old words is refused.
    """
    ctx = tally.ctx
    for _ in attempts("the messages of the session"):
        later = timeline.messages(ctx.ns, session, since=at, first=CONTEXT_MESSAGES + 1)
        before = timeline.preceding(ctx.ns, later, CONTEXT_MESSAGES)
        changed = [one.revised({}) for one in later]
        drafts = [message_draft(one, earlier) for one, earlier in zip(changed, before, strict=True)]
        embedded = ctx.quick_embedder.documents([draft.embedded for draft in drafts])
        transaction = ctx.ns.transaction()
        for old, new, draft, vector in zip(later, changed, drafts, embedded, strict=True):
            transaction.require_unchanged(old.kind, old.id, old.revision)
            transaction.put(new)
            vectors.write_row(transaction, draft, vector, ctx.clock())
        if not later or transaction.commit().committed:
            tally.rewritten["message"] += len(later)
            return
