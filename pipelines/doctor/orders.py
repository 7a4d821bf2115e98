"""The orders in which records are listed, and the due sets of episodes and sessions."""

from collections.abc import Sequence

from reverie.pipelines import decay
from reverie.pipelines.context import Context
from reverie.pipelines.doctor.finding import Finding, finding
from reverie.pipelines.sessions import IDLE
from reverie.store import inspection, pages
from reverie.store.inspection import Place
from reverie.store.keys import decode
from reverie.store.records.activity import EpisodeRecord
from reverie.store.records.listed import MODELS

_OF = {IDLE: "session", decay.ARCHIVE: "episode", decay.DELETE: "episode"}
"""Due sets, and the kind whose ids they hold."""
_BATCH = 500


def check_orders(ctx: Context, places: Sequence[Place], *, fix: bool) -> list[Finding]:
    """Find records that no listing shows, and entries of listings and due sets whose record is gone."""
    ids = {kind: _ids(places, kind) for kind in {*MODELS, *_OF.values()}}
    unlisted: list[str] = []
    gone: list[str] = []
    for kind, model in MODELS.items():
        missing, left = inspection.unlisted(ctx.ns, kind, ids[kind])
        unlisted += [f"{kind} {id}" for id in missing]
        gone += [f"{kind} {id}" for id in left]
        if fix:
            for first in range(0, len(missing), _BATCH):
                pages.list_records(ctx.ns, model, missing[first : first + _BATCH])
            inspection.unlist(ctx.ns, kind, left)
    stale: list[str] = []
    for due_set, kind in _OF.items():
        for id in sorted(inspection.planned(ctx.ns, due_set) - set(ids[kind])):
            stale.append(f"{due_set} {id}")
            if fix:
                transaction = ctx.ns.transaction()
                transaction.require_absent(kind, id)
                transaction.settle(due_set, id)
                transaction.commit()
    unplanned = _unplanned(ctx, ids["episode"], fix=fix)
    of = ctx.namespace
    return [
        *finding("orders.unlisted", of, "records are in no listing", unlisted, mended=len(unlisted) if fix else 0),
        *finding("orders.gone", of, "listings name records that are gone", gone, mended=len(gone) if fix else 0),
        *finding("due.gone", of, "due sets name what is gone", stale, mended=len(stale) if fix else 0),
        *finding(
            "due.unplanned", of, "episodes would never fade: nothing is planned for them", unplanned,
            mended=len(unplanned) if fix else 0,
        ),
    ]  # fmt: skip


def _ids(places: Sequence[Place], kind: str) -> list[str]:
    prefix = f"{kind}:"
    found = [one.rest.removeprefix(prefix) for one in places if one.generation is None and one.rest.startswith(prefix)]
    return [decode(id) for id in found if ":" not in id]


def _unplanned(ctx: Context, ids: Sequence[str], *, fix: bool) -> list[str]:
    """Episodes that are neither pinned nor archived and for which nothing is planned."""
    planned = inspection.planned(ctx.ns, decay.ARCHIVE)
    found = []
    for first in range(0, len(ids), _BATCH):
        for record in ctx.ns.get_many(EpisodeRecord, ids[first : first + _BATCH]):
            if record is None or record.id in planned or record.pinned or record.archived_at is not None:
                continue
            found.append(record.id)
            if fix:
                transaction = ctx.ns.transaction()
                transaction.require_unchanged(record.kind, record.id, record.revision)
                decay.plan(transaction, ctx.settings, record.id, record.importance, record.at)
                transaction.commit()
    return found
