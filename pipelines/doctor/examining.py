"""The whole examination: the store, then namespace by namespace."""

from collections.abc import Callable, Iterator, Sequence

from reverie.pipelines.doctor.edges import check_edges
from reverie.pipelines.doctor.finding import Finding, finding
from reverie.pipelines.doctor.orders import check_orders
from reverie.pipelines.doctor.rows import check_rows
from reverie.pipelines.doctor.work import check_work
from reverie.pipelines.opening import Connection
from reverie.store import inspection, restoring
from reverie.store.namespace import Namespace

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
        yield from _check_index(anywhere.ns)
    for name in sorted(named) if namespaces is None else namespaces:
        heard(name)
        ctx = connection.context(name)
        yield from _check_registered(ctx.ns, fix=fix)
        if not fix and inspection.marker(ctx.ns) is None:
            continue
        places = inspection.places(ctx.ns)
        yield from check_edges(ctx.ns, places, fix=fix)
        yield from check_orders(ctx, places, fix=fix)
        yield from check_rows(ctx, places, fix=fix)
        yield from check_work(ctx, fix=fix)


def _check_index(ns: Namespace) -> list[Finding]:
    refused = inspection.refused(ns)
    if refused is None:
        return finding("index.gone", None, "the search index is gone", ["rv:rows"], advice="run `reverie reindex`")
    return finding(
        "index.refused", None, "rows were refused by the index since it was made", list(range(refused)),
        advice="rows that are wrong still are told of as rows.unsound; the count itself starts anew with a reindex",
    )  # fmt: skip


def _check_registered(ns: Namespace, *, fix: bool) -> list[Finding]:
    """Whether the namespace is in use as it says, and for the index that is."""
    found = inspection.marker(ns)
    if found is not None and found > ns.generation:
        return finding(
            "namespace.refused", ns.namespace, "the namespace takes no writes but of a reindex", [f"index {found}"],
            advice="a reindex runs, or was killed: `reverie reindex` ends it",
        )  # fmt: skip
    wrong = []
    if found is None or not inspection.is_registered(ns):
        wrong.append("is not registered")
    elif found != ns.generation:
        wrong.append(f"is written for index {found}")
    if not wrong or restoring.standing(ns) is not None:
        return []
    if fix:
        inspection.register(ns)
    return finding(
        "namespace.unregistered", ns.namespace, "the namespace holds keys and is not in use", wrong,
        mended=len(wrong) if fix else 0,
    )  # fmt: skip
