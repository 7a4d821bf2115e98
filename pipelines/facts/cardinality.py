"""Which predicates hold one value at a time: the shipped list, and what a namespace declares."""

from reverie.knowledge.identity import base_form, shipped
from reverie.store import predicates
from reverie.store.namespace import Namespace


def single_valued(ns: Namespace, predicate: str) -> bool:
    """Whether a predicate holds one value at a time in this namespace."""
    declared = predicates.declared_of(ns, base_form(predicate))
    return shipped(predicate) if declared is None else declared


def declare(ns: Namespace, predicate: str, *, single: bool) -> None:
    """Settle a predicate's cardinality for the namespace. Facts that stand side by side already stay as they are."""
    transaction = ns.transaction()
    predicates.declare(transaction, base_form(predicate), single=single)
    transaction.commit()


def declared(ns: Namespace) -> dict[str, bool]:
    """What the namespace declared: predicate in its base form to whether it holds one value."""
    return predicates.declared(ns)
