"""The queue of sessions to be summarised."""

from datetime import datetime

from reverie.store.keys import decode, encode
from reverie.store.times import to_micros

TOPIC = "summaries"


def entry(session: str, at: datetime) -> str:
    """Entry of a session that changed at `at`. One a change: a change during a run is work of its own."""
    return f"{encode(session)}@{to_micros(at)}"


def session_of(entry: str) -> str:
    return decode(entry.partition("@")[0])
