"""The chunks of long messages, a share of the text at a time.

A message that is no longer than a share has its chunks stored with what it says. Of a longer one each share is a piece
of work by itself: the transaction that stores its chunks queues the next one. So a message of any length holds a
worker up for no longer than a share takes, and what is killed goes on from the share it was at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.knowledge.chunks import chunks
from reverie.knowledge.ids import derived_id
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.rows import chunk_draft
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.keys import decode, encode
from reverie.store.records.conversation import ChunkRecord, MessageRecord

TOPIC = "chunks"
SHARE = 16_000
"""Characters of a message that are cut at once: some 15 chunks of 256 tokens."""


@dataclass(frozen=True)
class Cut:
    """What one run did."""

    chunks: int
    messages: int

    def __str__(self) -> str:
        return f"{self.chunks} chunks of {self.messages} long messages stored"


def whole(ctx: Context, message: MessageRecord) -> tuple[ChunkRecord, ...]:
    """The chunks of a message of one share; none when it is short enough to be found whole, or longer than a share."""
    settings = ctx.settings
    if not settings.chunk_tokens < len(message.content) <= SHARE:  # a token has at least one character
        return ()
    parts = chunks(message.content, settings.chunk_tokens, settings.chunk_overlap, ctx.tokens.count)
    if len(parts) < 2:
        return ()
    return tuple(_record(ctx, message, part.start, part.end) for part in parts)


def queue(transaction: Transaction, message: MessageRecord) -> None:
    """Let the transaction that stores what a message says also queue the shares of one that is too long for it."""
    if is_cut(message):
        # Somebody may search in it at once: no bulk work, though its vectors are.
        transaction.queue(TOPIC, entry(message.id, 0), message.recorded_at)


def is_cut(message: MessageRecord) -> bool:
    """Whether a message is longer than a share."""
    return len(message.content) > SHARE


def entry(message: str, start: int) -> str:
    """Entry of the share of a message that begins at a character."""
    return f"{encode(message)}@{start}"


def cut(ctx: Context, entries: Sequence[str]) -> Cut:
    """Store the chunks of these shares and queue the next ones. Doing it again changes nothing.

    A share whose message is gone ends without a trace. Raises StoreUnavailable.
    """
    ids = [decode(one.partition("@")[0]) for one in entries]
    done = stored = 0
    for one, message in zip(entries, ctx.ns.get_many(MessageRecord, ids), strict=True):
        transaction = ctx.ns.transaction()
        work.finish(transaction, TOPIC, one)
        made: list[ChunkRecord] = []
        if message is not None:
            transaction.require_present(message.kind, message.id)
            made, after = _share(ctx, message, int(one.partition("@")[2]))
            store(transaction, message, made)
            for chunk in made:
                vectors.write_row(transaction, chunk_draft(chunk, message), None, ctx.clock(), bulk=True)
            if after is not None:
                transaction.queue(TOPIC, entry(message.id, after), ctx.clock())
        if transaction.commit().committed and message is not None:
            done, stored = done + 1, stored + len(made)
    if stored:
        ctx.wake(vectors.TOPIC, ctx.namespace)
    return Cut(stored, done)


def store(transaction: Transaction, message: MessageRecord, made: Sequence[ChunkRecord]) -> None:
    """Store chunks with their edges to the message; their rows are the caller's."""
    for chunk in made:
        transaction.put(chunk)
        transaction.link("CHUNK_OF", ("chunk", chunk.id), ("message", message.id), message.at)


def _share(ctx: Context, message: MessageRecord, start: int) -> tuple[list[ChunkRecord], int | None]:
    """The chunks of the share that begins at `start`, and where the next one begins; None after the last."""
    settings, end = ctx.settings, start + SHARE
    parts = chunks(message.content[start:end], settings.chunk_tokens, settings.chunk_overlap, ctx.tokens.count)
    after: int | None = None
    if end < len(message.content):
        # The last chunk may go on beyond the share: the next one begins with it.
        after = start + parts.pop().start if len(parts) > 1 else end
    return [_record(ctx, message, start + part.start, start + part.end) for part in parts], after


def _record(ctx: Context, message: MessageRecord, start: int, end: int) -> ChunkRecord:
    return ChunkRecord.new(
        ctx.ns,
        derived_id("chunk", message.id, str(start), str(end)),
        message=message.id,
        text=message.content[start:end],
        start=start,
        end=end,
        recorded_at=ctx.clock(),
    )
