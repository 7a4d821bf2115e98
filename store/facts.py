"""Reading facts: one with its rivals for a change, and many for an answer, each in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reverie.store import scripts
from reverie.store.commit import Transaction
from reverie.store.keys import Keys, decode, encode
from reverie.store.namespace import Namespace
from reverie.store.predicates import predicates_key
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord
from reverie.store.rows import floats
from reverie.store.unreadable import readable

OF = "OF"
"""Edge from a fact to what it is found by: its subject, its predicate, its slot."""
TOKEN = "token"
"""Kind of node that stands for an assertion that was named, so that it counts once."""
GIVEN_ID = "given_id"
"""Kind of the term that finds the fact to which a caller gave an id."""
EVERY = ("every", "fact")
"""The term that finds all facts of a namespace."""
SUPPORTED_BY, STATED_IN, SAID_BY, ASSERTED_BY = "SUPPORTED_BY", "STATED_IN", "SAID_BY", "ASSERTED_BY"


@dataclass(frozen=True)
class Found:
    """A fact as it is stored, with the vector of its rows when they have one."""

    record: FactRecord
    vector: npt.NDArray[np.float32] | None


@dataclass(frozen=True)
class Standing:
    """What a change of a fact has to know: the fact if it exists, and for a single-valued predicate its rivals.

    `slot_revision` is the count of changes of the slot; a write that depends on the rivals requires it to be the same.
    `observations` are those asked for that exist, `counted` the ids of those that support the fact already;
    `token_counted` says that of the assertion's token.
    """

    slot_revision: str
    single: bool
    fact: Found | None
    rivals: list[Found]
    observations: list[ObservationRecord]
    counted: frozenset[str]
    token_counted: bool = False


def slot_revision_key(keys: Keys, slot: str) -> str:
    """Counter of the changes of a slot."""
    return keys.named(f"slot:{slot}")


def require_slot(transaction: Transaction, slot: str, slot_revision: str) -> None:
    """Refuse a write unless the slot was changed as often as when it was read."""
    transaction.by_key.require_value(slot_revision_key(transaction.ns.keys, slot), slot_revision)


def change_slot(transaction: Transaction, slot: str) -> None:
    """Make a write count as a change of the slot, so that what was planned from an older reading is made anew."""
    transaction.by_key.run("INCR", slot_revision_key(transaction.ns.keys, slot))


def following(slot_revision: str) -> str:
    """The count of a slot's changes after one more of them."""
    return str(int(slot_revision or "0") + 1)


@dataclass(frozen=True)
class Slot:
    """A (subject, predicate) pair. `single` is the predicate's cardinality unless the namespace declared another."""

    id: str
    predicate: str
    single: bool


ALONE = Slot("alone", "", False)
"""For a reading of a fact by itself: the id is no slot's."""


def standing(
    ns: Namespace, fact_id: str, slot: Slot = ALONE, observations: Sequence[str] = (), token: str | None = None
) -> Standing:
    """Read what a change of a fact needs, in one round trip."""
    keys = ns.keys
    id = encode(fact_id)
    supports = [("observation", one) for one in observations] + ([] if token is None else [(TOKEN, token)])
    words: list[scripts.Word] = [
        f"{keys.base}fact:",
        keys.row("fact", fact_id).removesuffix(id),
        id,
        slot.predicate,
        int(slot.single),
    ]
    script_keys = [
        slot_revision_key(keys, slot.id),
        predicates_key(keys),
        keys.linked(OF, "fact", "slot", slot.id),
        keys.links("fact", fact_id),
        *(keys.record(kind, one) for kind, one in supports),
    ]
    members = [f"{SUPPORTED_BY}:{kind}:{encode(one)}" for kind, one in supports]
    slot_revision, declared, own, rivals, asked = scripts.run(
        ns.client, "read_standing", script_keys, [*words, *members]
    )
    found = [one for document, vector in rivals if document for one in readable(ns, "fact", [document], _with(vector))]
    return Standing(
        slot_revision=slot_revision.decode(),
        single=declared == b"1",
        fact=Found(ns.read(FactRecord, fact_id, own[0]), _vector(own[1])) if own[0] else None,
        rivals=found,
        observations=readable(ns, "observation", [one for one, _ in asked if one], ObservationRecord.read),
        counted=frozenset(
            one for (kind, one), (_, known) in zip(supports, asked, strict=True) if known and kind != TOKEN
        ),
        token_counted=token is not None and bool(asked[-1][1]),
    )


def own_id(ns: Namespace, id: str) -> str:
    """The id under which the fact is stored that a caller gave this id; `id` itself where no caller did."""
    return next(iter(ids(ns, [(GIVEN_ID, id)])), id)


def require_free(transaction: Transaction, given_id: str) -> None:
    """Refuse a write if a caller gave this id to a fact."""
    transaction.by_key.require_unset(transaction.ns.keys.linked(OF, "fact", GIVEN_ID, given_id))


def _with(vector: bytes) -> Callable[[bytes], Found]:
    """Reads a fact's document together with the vector of its row."""
    unpacked = _vector(vector)
    return lambda document: Found(FactRecord.read(document), unpacked)


def _vector(stored: bytes) -> npt.NDArray[np.float32] | None:
    return floats(stored)[0] if stored else None


def slot_revision(ns: Namespace, slot: str) -> str:
    """The count of changes of a slot, as `require_slot` takes it."""
    found: bytes | None = ns.client.get(slot_revision_key(ns.keys, slot))
    return (found or b"").decode()


def ids(ns: Namespace, terms: Sequence[tuple[str, str]]) -> list[str]:
    """Ids of the facts found by every one of the terms (kind, id), in order of the first recording."""
    wanted = [ns.keys.linked(OF, "fact", kind, id) for kind, id in terms]
    members = ns.client.zrange(wanted[0], 0, -1) if len(wanted) == 1 else ns.client.zinter(wanted, aggregate="MIN")
    return [decode(member) for member in members]


@dataclass(frozen=True)
class Backing:
    """Ids of what stands behind a fact, oldest first."""

    observations: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    invalidated_by: tuple[str, ...] = ()


def backing(ns: Namespace, fact_ids: Sequence[str]) -> list[Backing]:
    """What stands behind each of the facts, and what replaced it; one round trip for all."""
    if not fact_ids:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in fact_ids:
        pipe.zrange(ns.keys.links("fact", id), 0, -1)
        pipe.zrange(ns.keys.linked("INVALIDATES", "fact", "fact", id), 0, -1)
    replies = pipe.execute()
    return [_backing(out, gone) for out, gone in zip(replies[::2], replies[1::2], strict=True)]


def _backing(out: Sequence[bytes], replacements: Sequence[bytes]) -> Backing:
    by_edge: dict[str, list[str]] = {}
    for member in out:
        edge, kind, id = member.split(b":")
        if kind.decode() == TOKEN:
            continue
        by_edge.setdefault(edge.decode(), []).append(decode(id))
    said = [*by_edge.get(SAID_BY, ()), *by_edge.get(ASSERTED_BY, ())]
    return Backing(
        observations=tuple(by_edge.get(SUPPORTED_BY, ())),
        messages=tuple(by_edge.get(STATED_IN, ())),
        participants=tuple(dict.fromkeys(said)),
        invalidated_by=tuple(decode(member) for member in replacements),
    )
