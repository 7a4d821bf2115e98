"""Search rows beside the records that they are made of."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.doctor.finding import Finding, finding
from reverie.pipelines.rows import DRAFTERS, Draft
from reverie.store import inspection
from reverie.store.inspection import Place
from reverie.store.keys import decode

_BATCH: Final = 200

Name = tuple[str, str, int]
"""Kind, id and part of a row."""


def check_rows(ctx: Context, places: Sequence[Place], *, fix: bool) -> list[Finding]:
    """Compare the rows of the index in use with what would be made of the records now."""
    generation = ctx.ns.generation
    stored = {_name(place.rest): place.key for place in places if place.generation == generation}
    ids: dict[str, list[str]] = defaultdict(list)
    for place in places:
        kind, _, id = place.rest.partition(":")
        if place.generation is None and kind in DRAFTERS and ":" not in id:
            ids[kind].append(decode(id))
    wrong: dict[str, list[Name]] = {"missing": [], "unsound": [], "vectors": []}
    drafted: set[Name] = set()
    mended: dict[str, int] = dict.fromkeys(wrong, 0)
    for kind, known in ids.items():
        for first in range(0, len(known), _BATCH):
            drafts = DRAFTERS[kind](ctx.ns, known[first : first + _BATCH])
            drafted |= {_of(draft) for draft in drafts}
            for what, found in _wrong(ctx, drafts).items():
                wrong[what] += [_of(draft) for draft in found]
                mended[what] += _make(ctx, found) if fix else 0
    orphans = [name for name in stored if name not in drafted]
    others = [place.key for place in places if place.generation is not None and place.generation < generation]
    if fix:
        inspection.drop_keys(ctx.ns, [*(stored[name] for name in orphans), *others])
        ctx.wake(vectors.TOPIC, ctx.namespace)
    later = [place.key for place in places if place.generation is not None and place.generation > generation]
    of = ctx.namespace
    return [
        *finding("rows.missing", of, "records have no search row", wrong["missing"], mended=mended["missing"]),
        *finding(
            "rows.unsound", of, "search rows are such that the index refuses them: another dimension, or no number",
            wrong["unsound"], mended=mended["unsound"],
        ),
        *finding(
            "rows.vectors", of, "search rows have no vector and none is on its way",
            wrong["vectors"], mended=mended["vectors"],
        ),
        *finding("rows.orphans", of, "search rows have no record", orphans, mended=len(orphans) if fix else 0),
        *finding(
            "rows.old", of, "search rows are of an index that was replaced", others, mended=len(others) if fix else 0
        ),
        *finding(
            "rows.unfinished", of, "search rows are of an index that is not in use yet", later,
            advice="a reindex runs, or was killed: `reverie reindex` builds over them",
        ),
    ]  # fmt: skip


def _name(rest: str) -> Name:
    kind, _, id = rest.partition(":")
    encoded, _, part = id.partition(".")
    return kind, decode(encoded), int(part or 0)


def _of(draft: Draft) -> Name:
    return draft.row.kind, draft.row.id, draft.row.part


def _wrong(ctx: Context, drafts: Sequence[Draft]) -> dict[str, list[Draft]]:
    """The drafts whose stored rows are not as they should be, by what is wrong."""
    states = inspection.rows(ctx.ns, [_of(draft) for draft in drafts], ctx.embedder.dimension)
    entries = [vectors.entry(draft.row.kind, draft.row.id) for draft in drafts]
    waits = inspection.waits(ctx.ns, vectors.TOPIC, entries)
    found: dict[str, list[Draft]] = {"missing": [], "unsound": [], "vectors": []}
    for draft, state, is_waiting in zip(drafts, states, waits, strict=True):
        if not state.is_there:
            found["missing"].append(draft)
        elif not state.is_sound:
            found["unsound"].append(draft)
        elif not state.has_vector and not is_waiting:
            found["vectors"].append(draft)
    return found


def _make(ctx: Context, drafts: Sequence[Draft]) -> int:
    """Write rows anew, found by their words at once and by meaning when a worker has embedded them; how many."""
    now = ctx.clock()
    transactions = []
    for draft in drafts:
        transaction = ctx.ns.transaction()
        transaction.require_unchanged(draft.row.kind, draft.row.id, draft.revision)
        vectors.write_row(transaction, draft, None, now, bulk=True)
        transactions.append(transaction)
    return sum(one.committed for one in ctx.ns.commit(transactions)) if transactions else 0
