"""Which predicates hold one value at a time: the shipped list, and what a namespace declares."""

from reverie.knowledge.identity import base_form
from reverie.knowledge.predicates import SINGLE_VALUED
from reverie.pipelines.base import KnowledgeBase
from reverie.store.facts import predicates_key
from reverie.store.space import reachable


def shipped(predicate: str) -> bool:
    """Whether a predicate is single-valued where nothing was declared."""
    return base_form(predicate) in SINGLE_VALUED


def single_valued(kb: KnowledgeBase, predicate: str) -> bool:
    """Whether a predicate holds one value at a time in this namespace."""
    with reachable():
        declared = kb.space.client.hget(predicates_key(kb.space.keys), base_form(predicate))
    return shipped(predicate) if declared is None else bool(declared == b"1")


def declare(kb: KnowledgeBase, predicate: str, *, single: bool) -> None:
    """Settle a predicate's cardinality for the namespace. Facts that stand side by side already stay as they are."""
    transaction = kb.space.transaction()
    transaction.run("HSET", predicates_key(kb.space.keys), base_form(predicate), int(single))
    transaction.commit()


def declared(kb: KnowledgeBase) -> dict[str, bool]:
    """What the namespace declared: predicate in its base form to whether it holds one value."""
    with reachable():
        found: dict[bytes, bytes] = kb.space.client.hgetall(predicates_key(kb.space.keys))
    return {name.decode(): value == b"1" for name, value in found.items()}
