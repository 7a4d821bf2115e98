"""Edges, which are kept from both of their ends, and the records that they come from."""

from collections.abc import Sequence

from reverie.pipelines.doctor.finding import Finding, finding
from reverie.store import inspection
from reverie.store.inspection import EdgeEnd, Place
from reverie.store.namespace import Namespace


def check_edges(ns: Namespace, places: Sequence[Place], *, fix: bool) -> list[Finding]:
    """Find edges that are kept from one end alone, and such whose source is gone."""
    outgoing = [place.rest for place in places if place.generation is None and place.rest.startswith("out:")]
    incoming = [place.rest for place in places if place.generation is None and place.rest.startswith("in:")]
    sourceless = inspection.sourceless(ns, outgoing)
    gone = set(sourceless)
    lost = [end for end in _lost(ns, outgoing, incoming) if end.pair[0] not in gone]
    if fix:
        for end in lost:
            inspection.add_end(ns, end)
        for key in sourceless:
            inspection.drop_edges(ns, key)
    of = ns.namespace
    return [
        *finding(
            "edges.torn", of, "edges are kept from one of their ends alone", [" ".join(end.pair) for end in lost],
            mended=len(lost) if fix else 0,
        ),
        *finding(
            "edges.sourceless", of, "edges come from records that are gone", sourceless,
            mended=len(sourceless) if fix else 0,
        ),
    ]  # fmt: skip


def _lost(ns: Namespace, outgoing: Sequence[str], incoming: Sequence[str]) -> list[EdgeEnd]:
    """The edges that are kept from one end alone, from that end."""
    # Hashes, so that a million edges take some tens of megabytes and not hundreds.
    kept_in = {hash(end.pair) for end in inspection.edge_ends(ns, incoming)}
    kept_out: set[int] = set()
    lost: list[EdgeEnd] = []
    for end in inspection.edge_ends(ns, outgoing):
        kept_out.add(hash(end.pair))
        lost += [] if hash(end.pair) in kept_in else [end]
    if not kept_in <= kept_out:
        lost += [end for end in inspection.edge_ends(ns, incoming) if hash(end.pair) not in kept_out]
    return lost
