"""Messages that a language model was to read and that rules read instead: noted on each, and listed by their time."""

import json
from collections.abc import Sequence

from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import FellBack, MessageRecord
from reverie.store.times import to_micros


def _key(keys: Keys) -> str:
    return keys.named("fallbacks")


def note(transaction: Transaction, message: MessageRecord, why: FellBack | None) -> None:
    """Make a write note on a message why no model read it; with None that one did, or that none was to."""
    if why == message.fell_back:
        return
    transaction.by_key.run("JSON.NUMINCRBY", message.key(), "$.revision", 1)
    if why is None:
        transaction.by_key.run("JSON.DEL", message.key(), "$.fell_back")
        leave(transaction, message.id)
    else:
        transaction.by_key.run("JSON.SET", message.key(), "$.fell_back", json.dumps(why))
        transaction.by_key.run("ZADD", _key(transaction.ns.keys), to_micros(message.at), encode(message.id))


def leave(transaction: Transaction, message_id: str) -> None:
    """Make a write take a message off the list."""
    transaction.by_key.run("ZREM", _key(transaction.ns.keys), encode(message_id))


def noted(ns: Namespace) -> list[str]:
    """The ids of all such messages, oldest first."""
    return [decode(member) for member in ns.client.zrange(_key(ns.keys), 0, -1)]


def are_noted(ns: Namespace, message_ids: Sequence[str]) -> list[bool]:
    """Which of these messages are on the list; one round trip."""
    if not message_ids:
        return []
    scores = ns.client.zmscore(_key(ns.keys), [encode(id) for id in message_ids])
    return [score is not None for score in scores]


def count(ns: Namespace) -> int:
    """How many there are."""
    return int(ns.client.zcard(_key(ns.keys)))
