"""Late vectors: rows written without one, because the embedder was slow or down, get it here."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from reverie.config.errors import ModelFailed
from reverie.models.embedders import Vector
from reverie.pipelines.context import Context
from reverie.pipelines.rows import DRAFTERS, Draft
from reverie.store import work
from reverie.store.commit import Transaction
from reverie.store.keys import decode, encode

TOPIC = "embed"


def entry(kind: str, id: str) -> str:
    """Entry of a row that waits for its vector."""
    return f"{kind}:{encode(id)}"


def write_row(
    transaction: Transaction, draft: Draft, vector: Vector | None, at: datetime, *, bulk: bool = False
) -> bool:
    """Make a write store a search row, found by its text from then on; True when its vector is late (None).

    Then the row is queued to get it, due at `at`, as `bulk` work after everything live. Whoever commits wakes the
    workers.
    """
    transaction.row(draft.with_vector(vector))
    if vector is None:
        transaction.queue(TOPIC, entry(draft.row.kind, draft.row.id), at, bulk=bulk)
    return vector is None


def embed_row(ctx: Context, transaction: Transaction, draft: Draft) -> bool:
    """Like `write_row`, with the vector that the embedder gives within the time that a caller can wait."""
    return write_row(transaction, draft, ctx.quick_embedder.documents([draft.embedded])[0], ctx.clock())


def fill(ctx: Context, entries: Sequence[str]) -> int:
    """Embed the rows of these entries and end their work; how many rows got their vector. Raises ModelFailed."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for one in entries:
        kind, _, id = one.partition(":")
        wanted[kind].append(decode(id))
    filled = 0
    for kind, ids in wanted.items():
        drafts = DRAFTERS[kind](ctx.ns, ids)
        vectors = ctx.embedder.documents([draft.embedded for draft in drafts])
        if not np.isfinite(vectors).all():
            # The index would take the row out of every search.
            raise ModelFailed("the embedder gave numbers that are none")
        rows: dict[str, list[tuple[Draft, Vector]]] = defaultdict(list)
        for draft, vector in zip(drafts, vectors, strict=True):
            rows[draft.row.id].append((draft, vector))
        transactions = []
        for id, embedded in rows.items():
            transaction = ctx.ns.transaction()
            transaction.require_unchanged(kind, id, embedded[0][0].revision)
            work.finish(transaction, TOPIC, entry(kind, id))
            for draft, vector in embedded:
                transaction.row(draft.with_vector(vector))
            transactions.append(transaction)
        filled += sum(result.committed for result in ctx.ns.commit(transactions))
        for id in set(ids) - set(rows):
            transaction = ctx.ns.transaction()
            work.finish(transaction, TOPIC, entry(kind, id))
            transaction.commit()
    return filled
