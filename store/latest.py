"""The ends of sessions that this process wrote to last, so that a session's next message needs no reading before it.

A tail is a guess: the write that builds on it requires that the session still ends so (`require`), and is made again
from a reading when it does not. Nothing is ever taken from here that the store does not confirm in the same step.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.store.commit import Transaction
from reverie.store.keys import member_of
from reverie.store.records.conversation import MessageRecord
from reverie.store.times import to_micros

_SESSIONS = 256
_CHARS = 8192
"""Longer messages are not held: a process of many sessions would grow with them."""


@dataclass(frozen=True)
class Latest:
    """The last messages of a session, oldest first."""

    messages: tuple[MessageRecord, ...]
    length: int
    """How many were asked for; fewer messages mean that the session has no more."""

    def precedes(self, message: MessageRecord) -> bool:
        """Whether the message comes after all of the session."""
        last = self.messages[-1]
        return (last.at, last.recorded_at) < (message.at, message.recorded_at)

    def require(self, transaction: Transaction, session: str) -> int:
        """Nothing is written unless the session still ends with these messages; returns the number of the guard."""
        members = [member_of(one.id, to_micros(one.recorded_at)) for one in self.messages]
        return transaction.by_key.require_latest(transaction.ns.keys.messages_of(session), members, self.length)


class LatestMessages:
    """The tails of the sessions written to last; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Latest] = OrderedDict()

    def get(self, session: str) -> Latest | None:
        with self._lock:
            return self._held.get(session)

    def put(self, session: str, messages: Sequence[MessageRecord], length: int) -> None:
        """Hold the last `length` of the messages, which are all that come before the next one, oldest first."""
        kept = tuple(messages[-length:])
        with self._lock:
            self._held.pop(session, None)
            if kept and sum(len(one.content) for one in kept) <= _CHARS:
                self._held[session] = Latest(kept, length)
            if len(self._held) > _SESSIONS:
                self._held.popitem(last=False)

    def drop(self, session: str) -> None:
        with self._lock:
            self._held.pop(session, None)
