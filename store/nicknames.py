"""Names that mean somebody known under another one, by namespace: a hash of the folded nickname."""

import json
from dataclasses import dataclass

from reverie.store.commit import Transaction
from reverie.store.space import Space, reachable

_NAME = "aliases"


@dataclass(frozen=True)
class Nickname:
    """A nickname as it is written, and the canonical name it stands for."""

    nickname: str
    name: str


def learn(transaction: Transaction, nickname: str, name: str) -> None:
    """Hold from now on that a nickname stands for a name; one that is known stays as it is."""
    document = json.dumps([nickname, name])
    transaction.run("HSETNX", transaction.space.keys.named(_NAME), nickname.casefold(), document)


def forget(transaction: Transaction, nickname: str) -> None:
    transaction.run("HDEL", transaction.space.keys.named(_NAME), nickname.casefold())


def known(space: Space) -> dict[str, Nickname]:
    """All of the namespace's nicknames, by their folded form."""
    with reachable():
        found: dict[bytes, bytes] = space.client.hgetall(space.keys.named(_NAME))
    return {folded.decode(): Nickname(*json.loads(document)) for folded, document in found.items()}
