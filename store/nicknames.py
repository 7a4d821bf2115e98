"""Names that were said to mean somebody known under another one. The one place that knows how they are stored.

A hash of the namespace, a field for each message that says so; what stands for whom is worked out when it is read, so
that a message which is erased takes its word along.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.store.commit import Transaction
from reverie.store.keys import encode
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import ParticipantRecord

CALLED = "CALLED"
"""Edge from an observation to the folded nickname under which its subject was spoken of."""
_NAME = "nicknames"


@dataclass(frozen=True)
class Given:
    """That a nickname stands for a name, by word of a participant in a message. Both names are as they were written."""

    nickname: str
    name: str
    giver: str
    message: str

    @property
    def field(self) -> str:
        return f"{encode(self.message)}:{encode(self.nickname.casefold())}"


def give(transaction: Transaction, given: Given) -> None:
    """Keep what a message says of a nickname; said twice in one message, the first stays."""
    document = json.dumps([given.nickname, given.name, given.giver, given.message])
    transaction.by_key.run("HSETNX", transaction.ns.keys.named(_NAME), given.field, document)


def given(ns: Namespace) -> list[Given]:
    """Everything that was said of nicknames in the namespace."""
    found: list[bytes] = ns.client.hvals(ns.keys.named(_NAME))
    return sorted((Given(*json.loads(document)) for document in found), key=lambda one: one.field)


def take_back(transaction: Transaction, words: Iterable[Given]) -> None:
    """Forget that these were said."""
    for one in words:
        transaction.by_key.run("HDEL", transaction.ns.keys.named(_NAME), one.field)


def participants(ns: Namespace, names: Sequence[str]) -> frozenset[str]:
    """Those of the names under which somebody takes part, in this or another usual case; one round trip."""
    pipe = ns.client.pipeline(transaction=False)
    for name in names:
        written = dict.fromkeys((name, name.casefold(), name.capitalize(), name.title(), name.upper()))
        pipe.exists(*(ns.keys.record(ParticipantRecord.kind, one) for one in written))
    counts = pipe.execute() if names else []
    return frozenset(name for name, count in zip(names, counts, strict=True) if count)
