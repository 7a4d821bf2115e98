"""What a namespace declares of its predicates: a hash of base forms, 1 for one value at a time, 0 for many."""

from reverie.store.commit import Transaction
from reverie.store.keys import Keys
from reverie.store.namespace import Namespace


def predicates_key(keys: Keys) -> str:
    """The hash, for scripts of the store that read it."""
    return keys.named("predicates")


def declare(transaction: Transaction, predicate: str, *, single: bool) -> None:
    """Make a write declare whether a predicate, in its base form, holds one value at a time."""
    transaction.by_key.run("HSET", predicates_key(transaction.ns.keys), predicate, int(single))


def declared(ns: Namespace) -> dict[str, bool]:
    """What was declared: predicate in its base form to whether it holds one value at a time."""
    found: dict[bytes, bytes] = ns.client.hgetall(predicates_key(ns.keys))
    return {name.decode(): value == b"1" for name, value in found.items()}


def declared_of(ns: Namespace, predicate: str) -> bool | None:
    """What was declared of one predicate in its base form; None when nothing was."""
    found = ns.client.hget(predicates_key(ns.keys), predicate)
    return None if found is None else bool(found == b"1")
