"""Reading messages anew that rules read while the language model was out.

A message takes the way that every message takes: it is queued for ingest again, whose transaction replaces what the
rules drew from it. So a run that ends in the middle has done what it had done, and the next one goes on from there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reverie.config.errors import ConfigurationError, LanguageModelMissing
from reverie.pipelines import erasure, ingest
from reverie.pipelines.context import Context
from reverie.store import fallbacks
from reverie.store.records.conversation import MessageRecord

Heed = Callable[[int, int], None]
"""Told after each batch how many messages were tried, and of how many."""


@dataclass(frozen=True)
class Reextracted:
    """What one run did: messages that the model read, those that it was asked to read in vain, and all that still wait.

    `unavailable` is true when the run ended because the model is still out.
    """

    read: int
    missed: int
    left: int
    unavailable: bool = False

    def __str__(self) -> str:
        out = ", the language model is out" if self.unavailable else ""
        return f"{self.read} messages read anew, {self.left} left{out}"


def reextract(ctx: Context, *, most: int | None = None, skip: int = 0, heed: Heed | None = None) -> Reextracted:
    """Read the noted messages by the model, oldest first, `most` of them or all; ends when the model is still out.

    `skip` passes over the oldest, which were tried in vain before.

    Raises LanguageModelMissing, ConfigurationError (extraction by the model is switched off), StoreUnavailable.
    """
    if ctx.llm is None:
        raise LanguageModelMissing
    if not ctx.settings.llm_extract:
        raise ConfigurationError("REVERIE_LLM_EXTRACT is off: no message is read by the language model")
    wanted = fallbacks.noted(ctx.ns)[skip:][:most]
    read = missed = 0
    unavailable = False
    for start in range(0, len(wanted), ctx.settings.work_batch):
        batch = wanted[start : start + ctx.settings.work_batch]
        _read(ctx, batch)
        left = [id for id, noted in zip(batch, fallbacks.are_noted(ctx.ns, batch), strict=True) if noted]
        read += len(batch) - len(left)
        missed += len(left)
        if heed is not None:
            heed(start + len(batch), len(wanted))
        unavailable = bool(left) and all(
            message is None or message.fell_back == "unavailable" for message in ctx.ns.get_many(MessageRecord, left)
        )
        if unavailable:
            break
    return Reextracted(read, missed, fallbacks.count(ctx.ns), unavailable)


def _read(ctx: Context, message_ids: Sequence[str]) -> None:
    """Queue messages for ingest, held for as long as a claim would be, and read them."""
    held = ctx.clock() + ctx.settings.work_lease
    transactions = []
    for id, message in zip(message_ids, ctx.ns.get_many(MessageRecord, message_ids), strict=True):
        transaction = ctx.ns.transaction()
        if message is None:
            fallbacks.leave(transaction, id)
        else:
            transaction.require_present(message.kind, message.id)
            transaction.queue(ingest.TOPIC, id, held, bulk=True)
        transactions.append(transaction)
    ctx.ns.commit(transactions)
    erasure.finish_replaced(ctx, ingest.ingest(ctx, message_ids).replacing)
