"""When facts of a subject were closed: a sorted set for each subject, by the moments at which they ended."""

from collections.abc import Sequence
from datetime import datetime

from reverie.store.commit import Transaction
from reverie.store.keys import Keys
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord
from reverie.store.times import from_micros, to_micros


def _key(keys: Keys, subject: str) -> str:
    return keys.named(f"closings:{subject}")


def note(transaction: Transaction, subject: str, fact: FactRecord, at: datetime) -> None:
    """Make a write note that a fact about a subject (the term of its name) ended at `at`."""
    transaction.by_key.run("ZADD", _key(transaction.ns.keys, subject), to_micros(at), f"{fact.id}:{len(fact.versions)}")


def latest(ns: Namespace, subjects: Sequence[str], count: int) -> list[list[datetime]]:
    """The last `count` moments at which facts of each subject (the term of its name) ended; one round trip."""
    if not subjects:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for subject in subjects:
        pipe.zrange(_key(ns.keys, subject), -count, -1, withscores=True)
    replies = pipe.execute()
    return [[from_micros(at) for _, at in found] for found in replies]
