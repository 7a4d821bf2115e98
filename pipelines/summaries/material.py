"""What a summary is made from: a session's messages and the observations drawn from them, and their fingerprint."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from reverie.store import timeline
from reverie.store.namespace import Namespace
from reverie.store.records.conversation import MessageRecord, SessionRecord
from reverie.store.records.knowledge import ObservationRecord

FIRST = 200
NEWEST = 800
"""Messages of a session that its summary is made from: of one with more than a thousand how it began, and its end.
So the work of one summary is bounded, and its 2,000 characters at most have a thousand messages to choose from."""


@dataclass(frozen=True)
class Exchange:
    """Messages that are told together or not at all: one message, or a tool call with what it returned."""

    messages: tuple[MessageRecord, ...]

    @property
    def is_call(self) -> bool:
        return any(message.role == "tool" for message in self.messages)


@dataclass(frozen=True)
class Material:
    """A session as its summary sees it, everything in order of time: the `FIRST` and the `NEWEST` of a long one's
    messages. `digest` changes whenever any of it does.
    """

    session: SessionRecord
    messages: tuple[MessageRecord, ...]
    observations: tuple[ObservationRecord, ...]
    digest: str


def gather(ns: Namespace, session: str) -> Material | None:
    """The material of a session; None for one that is unknown or holds no message."""
    record = ns.get(SessionRecord, session)
    found_messages = ns.get_many(MessageRecord, read_of(ns, session))
    messages = [message for message in found_messages if message is not None]
    if record is None or not messages:
        return None
    drawn = ns.sources_of_many("OBSERVED_IN", "observation", "message", [message.id for message in messages])
    found = ns.get_many(ObservationRecord, [id for ids in drawn for id in sorted(ids)])
    observations = [observation for observation in found if observation is not None]
    marks = [f"{one.kind} {one.id} {one.revision} {one.digest}" for one in (*messages, *observations)]
    digest = blake2b("\n".join(marks).encode(), digest_size=16).hexdigest()
    return Material(record, tuple(messages), tuple(observations), digest)


def read_of(ns: Namespace, session: str) -> list[str]:
    """Ids of the messages that a summary of the session is made from, oldest first."""
    return timeline.ends(ns, session, FIRST, NEWEST)


def exchanges(messages: Sequence[MessageRecord]) -> list[Exchange]:
    """The messages grouped, in the order of each group's first message.

    What a tool returned belongs to the call that bears its `tool_call_id` (in the caller's metadata, as most model
    APIs name it), else to what stands right before it.
    """
    groups: list[list[MessageRecord]] = []
    calls: dict[str, list[MessageRecord]] = {}
    for message in messages:
        asked = message.metadata.get("tool_call_id")
        if message.role == "tool":
            home = calls.get(str(asked)) if asked is not None else None
            if home is None and groups and groups[-1][-1].role in ("assistant", "tool"):
                home = groups[-1]
            if home is not None:
                home.append(message)
                continue
        group = [message]
        groups.append(group)
        for id in _call_ids(message):
            calls[id] = group
    return [Exchange(tuple(group)) for group in groups]


def _call_ids(message: MessageRecord) -> list[str]:
    named = message.metadata.get("tool_calls")
    listed = named if isinstance(named, list) else []
    ids = [call.get("id") for call in listed if isinstance(call, dict)]
    if message.role != "tool":
        ids.append(message.metadata.get("tool_call_id"))
    return [str(id) for id in ids if id is not None]
