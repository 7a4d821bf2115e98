"""Writing and refreshing the one summary of a session."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from reverie.knowledge.ids import derived_id
from reverie.pipelines import ingest, vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import summary_draft
from reverie.pipelines.summaries import abstractive
from reverie.pipelines.summaries.extractive import Unit, select
from reverie.pipelines.summaries.material import Material, gather, read_of
from reverie.pipelines.summaries.queue import TOPIC, entry, session_of
from reverie.pipelines.summaries.units import units_of
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.records.synopses import Method, SummaryRecord
from reverie.store.retry import attempts

LONGEST = 2000
"""Characters of a summary."""
_SHORTEST = 400
"""A session that is no longer than this is told whole."""
_SHARE = 3
"""A longer one is told in a third of its length; no summary of LoCoMo's sessions gains by more."""
_READ = 16_000
"""Characters of a session that a language model is given: the most central ones of a longer session."""
PARTIAL = "partial"
"""The digest of a summary that some of the session was left out of, because its vectors were not made yet."""
_VECTORS_COME = timedelta(minutes=5)
"""After which it is written anew."""
_TRIES = 3
_PATIENCE = timedelta(seconds=5)


@dataclass(frozen=True)
class Summarised:
    """What one run over the queue did."""

    written: int = 0
    unchanged: int = 0
    empty: int = 0
    waiting: int = 0

    def __str__(self) -> str:
        return (
            f"{self.written} summaries written, {self.unchanged} unchanged, {self.empty} with nothing to tell, "
            f"{self.waiting} wait for their messages' ingest"
        )


def summary_id(session: str) -> str:
    """The id of the summary of a session."""
    return derived_id("summary", session)


def summarize(ctx: Context, session: str) -> str | None:
    """Write or refresh the summary of a session; its id, or None when there is nothing to summarise.

    Nothing is written when neither the session nor the way of summarising changed. Raises ModelFailed when texts that
    wait for their vector cannot be embedded, StoreUnavailable.
    """
    return _summarize(ctx, session)[0]


def _summarize(ctx: Context, session: str) -> tuple[str | None, bool]:
    id = summary_id(session)
    for _ in attempts("the session", _TRIES):
        known = ctx.ns.get(SummaryRecord, id)
        material = gather(ctx.ns, session)
        if material is not None and known is not None and known.digest == _digest(material, _way(ctx)):
            return id, False
        record = None if material is None else _compose(ctx, material, known)
        if record is None and known is None:
            return None, False
        transaction = ctx.ns.transaction()
        # What was erased since must not come back, and a model was shown all of it, whatever it cites.
        for message in material.messages if material is not None else ():
            transaction.require_present(message.kind, message.id)
        if known is None:
            transaction.require_absent("summary", id)
        else:
            transaction.require_unchanged(known.kind, known.id, known.revision)
        if record is None:
            _remove(transaction, session)
        else:
            _store(ctx, transaction, record)
        if transaction.commit().committed:
            return (None if record is None else id), record is not None
    raise AssertionError("attempts end by raising")


def run(ctx: Context, entries: Sequence[str]) -> Summarised:
    """Summarise the sessions of these entries and end their work. Raises ModelFailed, StoreUnavailable.

    A session whose messages are still being ingested is put off: it would be summarised twice.
    """
    counts = {"written": 0, "unchanged": 0, "empty": 0, "waiting": 0}
    for one in entries:
        session = session_of(one)
        if any(work.pending(ctx.ns, ingest.TOPIC, read_of(ctx.ns, session))):
            work.postpone(ctx.ns, TOPIC, one, ctx.clock() + _PATIENCE)
            counts["waiting"] += 1
            continue
        id, written = _summarize(ctx, session)
        counts["empty" if id is None else "written" if written else "unchanged"] += 1
        transaction = ctx.ns.transaction()
        work.finish(transaction, TOPIC, one)
        transaction.commit()
    return Summarised(**counts)


def withdraw(transaction: Transaction, session: str, *, again_at: datetime | None) -> None:
    """Make a write take the summary of a session away, because what it tells must go.

    With `again_at` the session is queued to be summarised anew from what is left.
    """
    _remove(transaction, session)
    if again_at is not None:
        transaction.queue(TOPIC, entry(session, again_at), again_at)


def _digest(material: Material, way: str) -> str:
    return f"{material.digest}:{way}"


def _way(ctx: Context) -> str:
    return ctx.llm.name if ctx.llm else "extractive"


def _compose(ctx: Context, material: Material, known: SummaryRecord | None) -> SummaryRecord | None:
    units, all_of_it = units_of(ctx, material)
    heading = _heading(material)
    length = sum(len(message.content) for message in material.messages)
    characters = min(LONGEST, max(_SHORTEST, length // _SHARE)) - len(heading) - 1
    text, chosen, method = _told(ctx, units, characters)
    if not text:
        return None
    spoken = [message for message in material.messages if message.role != "system"]
    return SummaryRecord.new(
        ctx.ns,
        summary_id(material.session.id),
        session=material.session.id,
        agent=material.session.agent,
        text=f"{heading} {text}",
        method=method,
        started_at=material.messages[0].at,
        ended_at=material.messages[-1].at,
        participants=list(dict.fromkeys(message.sender for message in spoken)),
        sources=list(dict.fromkeys(id for unit in chosen for id in unit.sources)),
        recorded_at=ctx.clock(),
        digest=_digest(material, _way(ctx) if method == "abstractive" else method) if all_of_it else PARTIAL,
        revision=0 if known is None else known.revision + 1,
    )


def _told(ctx: Context, units: Sequence[Unit], characters: int) -> tuple[str, Sequence[Unit], Method]:
    if ctx.llm is not None and units:
        written = abstractive.write(ctx, ctx.llm, select(units, _READ), characters)
        if written is not None:
            return written.text, written.cited, "abstractive"
    chosen = select(units, characters)
    return " ".join(unit.text for unit in chosen), chosen, "extractive"


def _heading(material: Material) -> str:
    names = list(
        dict.fromkeys(message.sender for message in material.messages if message.role in ("user", "assistant"))
    )
    who = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names[:1])
    first, last = material.messages[0].at, material.messages[-1].at
    day = f"{first.day} {first:%B %Y}"
    if first.date() == last.date():
        return f"{who} had a conversation on {day}."
    return f"{who} had a conversation from {day} to {last.day} {last:%B %Y}."


def _store(ctx: Context, transaction: Transaction, record: SummaryRecord) -> None:
    transaction.put(record)
    if record.digest == PARTIAL:
        at = ctx.clock() + _VECTORS_COME
        transaction.queue(TOPIC, entry(record.session, at), at)
    vectors.embed_row(ctx, transaction, summary_draft(record))
    transaction.link("SUMMARY_OF", ("summary", record.id), ("session", record.session), record.ended_at)


def _remove(transaction: Transaction, session: str) -> None:
    id = summary_id(session)
    transaction.delete("summary", id)
    transaction.drop_row("summary", id)
    transaction.unlink("SUMMARY_OF", ("summary", id), ("session", session))
