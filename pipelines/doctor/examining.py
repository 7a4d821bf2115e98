"""The whole examination: the store, then namespace by namespace."""

from collections.abc import Callable, Iterator, Sequence

from reverie.pipelines.context import Context
from reverie.pipelines.doctor.edges import check_edges
from reverie.pipelines.doctor.finding import Finding, finding
from reverie.pipelines.doctor.orders import check_orders
from reverie.pipelines.doctor.rows import check_rows
from reverie.pipelines.doctor.work import check_work
from reverie.pipelines.opening import Connection
from reverie.store import inspection, restoring

Heard = Callable[[str], None]
"""Called with the name of each namespace when its turn comes."""


def _unheard(namespace: str) -> None:
    """For whoever does not look."""


def examine(
    connection: Connection, namespaces: Sequence[str] | None = None, *, fix: bool = False, heard: Heard = _unheard
) -> Iterator[Finding]:
    """What is wrong in these namespaces, or in all and the store around them; with `fix` what can be mended is.

    What is written meanwhile may look wrong for a moment: nothing is mended that is right by then. Raises
    StoreUnavailable.
    """
    anywhere = connection.context(connection.settings.namespace)
    named, unknown = inspection.tenants(anywhere.ns)
    if namespaces is None:
        yield from finding(
            "keys.unknown", None, "keys of the database are none of Reverie's", unknown,
            advice="keep them in a database of their own; delete them when nobody needs them",
        )  # fmt: skip
        yield from _check_index(anywhere)
    for name in sorted(named) if namespaces is None else namespaces:
        heard(name)
        ctx = connection.context(name)
        yield from _check_registered(ctx, fix=fix)
        if not fix and inspection.marker(ctx.ns) is None:
            continue
        places = inspection.places(ctx.ns)
        yield from check_edges(ctx, places, fix=fix)
        yield from check_orders(ctx, places, fix=fix)
        yield from check_rows(ctx, places, fix=fix)
        yield from check_work(ctx, fix=fix)


def _check_index(ctx: Context) -> list[Finding]:
    refused = inspection.refused(ctx.ns)
    if refused is None:
        return finding("index.gone", None, "the search index is gone", ["rv:rows"], advice="run `reverie reindex`")
    return finding(
        "index.refused", None, "rows were refused by the index since it was made", list(range(refused)),
        advice="rows that are wrong still are told of as rows.unsound; the count itself starts anew with a reindex",
    )  # fmt: skip


def _check_registered(ctx: Context, *, fix: bool) -> list[Finding]:
    """Whether the namespace is in use as it says, and for the index that is."""
    found = inspection.marker(ctx.ns)
    wrong = []
    if found is None or not inspection.is_registered(ctx.ns):
        wrong.append("is not registered")
    elif found != ctx.ns.keys.generation:
        wrong.append(f"is written for index {found}")
    if not wrong or restoring.standing(ctx.ns) is not None:
        return []
    if fix:
        inspection.register(ctx.ns)
    return finding(
        "namespace.unregistered", ctx.namespace, "the namespace holds keys and is not in use", wrong,
        mended=len(wrong) if fix else 0,
    )  # fmt: skip
