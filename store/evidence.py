"""Which observations bear on which claims. A claim has the id its fact has, or would have if it were believed."""

from collections.abc import Sequence

from reverie.store.commit import Transaction
from reverie.store.facts import OF, SUPPORTED_BY, slot_revision_key
from reverie.store.keys import decode, encode
from reverie.store.namespace import Namespace
from reverie.store.records.knowledge import ObservationRecord

BEARS_ON = "BEARS_ON"
"""Edge from an observation to a claim it speaks for."""
CLAIM_OF = "CLAIM_OF"
"""Edge from a claim to the slot of a single-valued predicate, believed or not."""

FACTS_READ, CLAIMS_READ = 32, 32
_OLDEST, _NEWEST = 8, 120
READ = _OLDEST + _NEWEST
"""Of the evidence for a claim so much is read at most: enough for its beginning and its present weight."""


def slots(ns: Namespace, ids: Sequence[str]) -> list[tuple[str, list[str], list[str]]]:
    """For each slot the count of its changes, the ids of its newest facts, and of its newest claims; one round trip."""
    if not ids:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in ids:
        pipe.get(slot_revision_key(ns.keys, id))
        pipe.zrange(ns.keys.linked(OF, "fact", "slot", id), -FACTS_READ, -1)
        pipe.zrange(ns.keys.linked(CLAIM_OF, "fact", "slot", id), -CLAIMS_READ, -1)
    replies = pipe.execute()
    return [
        ((slot_revision or b"").decode(), [decode(one) for one in facts], [decode(one) for one in claims])
        for slot_revision, facts, claims in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
    ]


def bearing(ns: Namespace, claims: Sequence[str]) -> list[list[str]]:
    """For each claim the ids of the observations that bear on it, by the time they speak of; one round trip.

    Of very many the first and the last are read.
    """
    if not claims:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for claim in claims:
        key = ns.keys.linked(BEARS_ON, "observation", "fact", claim)
        pipe.zrange(key, 0, _OLDEST - 1)
        pipe.zrange(key, -_NEWEST, -1)
    replies = pipe.execute()
    return [
        [decode(member) for member in dict.fromkeys([*first, *last])]
        for first, last in zip(replies[::2], replies[1::2], strict=True)
    ]


def supporting(ns: Namespace, pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """For each (observation, claim) whether the observation counts as support of the fact already."""
    if not pairs:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for observation, claim in pairs:
        pipe.zscore(ns.keys.links("fact", claim), f"{SUPPORTED_BY}:observation:{encode(observation)}")
    return [score is not None for score in pipe.execute()]


def claims_of(ns: Namespace, observations: Sequence[str]) -> list[list[str]]:
    """The claims each observation bears on; one round trip."""
    prefix = f"{BEARS_ON}:fact:".encode()
    return [
        [decode(one.removeprefix(prefix)) for one in links if one.startswith(prefix)]
        for links in _links(ns, observations)
    ]


def named_subjects(ns: Namespace, observations: Sequence[str]) -> list[bool]:
    """For each observation whether its subject is an entity; one round trip."""
    return [any(one.startswith(b"ABOUT:") for one in links) for links in _links(ns, observations)]


def _links(ns: Namespace, observations: Sequence[str]) -> list[list[bytes]]:
    if not observations:
        return []
    pipe = ns.client.pipeline(transaction=False)
    for id in observations:
        pipe.zrange(ns.keys.links("observation", id), 0, -1)
    replies: list[list[bytes]] = pipe.execute()
    return replies


def cease(transaction: Transaction, observations: Sequence[str], claim: str, slot: str) -> None:
    """Take back that these observations, all there are, speak for a claim."""
    for id in observations:
        transaction.unlink(BEARS_ON, ("observation", id), ("fact", claim))
    transaction.unlink(CLAIM_OF, ("fact", claim), ("slot", slot))


def claims_in(ns: Namespace, slot: str) -> list[str]:
    """Every claim of the slot of a single-valued predicate, and every fact in the slot of any."""
    node = ("slot", slot)
    return list(dict.fromkeys([*ns.sources(OF, "fact", node), *ns.sources(CLAIM_OF, "fact", node)]))


def bear(transaction: Transaction, observation: ObservationRecord, claim: str, slot: str | None) -> None:
    """Note that an observation speaks for a claim; `slot` when the claim's predicate has one value."""
    at = observation.when_start or observation.observed_at
    transaction.link(BEARS_ON, ("observation", observation.id), ("fact", claim), at)
    if slot is not None:
        transaction.link(CLAIM_OF, ("fact", claim), ("slot", slot), at)
