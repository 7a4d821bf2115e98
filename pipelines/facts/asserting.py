"""Asserting a fact: it is made, reinforced or given another interval, and closes what it rules out.

Every change is one transaction, made from one reading and refused when anything it depends on changed since; then it
is read and made again. So any number of writers end where they would have ended one after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.config.errors import Conflict
from reverie.knowledge.exclusion import excludes
from reverie.knowledge.identity import base_form, fact_id, object_term, predicate_term, shipped, slot_of, subject_term
from reverie.knowledge.kinds import group_of, kind_of
from reverie.knowledge.positions import place_of, position_of
from reverie.knowledge.reasons import REPLACED, WORKED_OUT
from reverie.knowledge.versions import Interval, cut, extended, intervals, rewritten, without
from reverie.models.embedders import Vector
from reverie.pipelines import vectors
from reverie.pipelines.context import Context
from reverie.pipelines.facts.settling import Extra, settle
from reverie.pipelines.facts.storing import store
from reverie.pipelines.rows import fact_draft
from reverie.pipelines.rows.claims import confidence
from reverie.store import facts as stored
from reverie.store.commit import Transaction
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord
from reverie.store.records.knowledge import ObservationRecord, Origin

SOURCES_KEPT = 16
"""Message ids kept in the record and its rows; all of them are edges."""
MARKS_KEPT = 32
"""Moments of confirmation kept; they settle what an old word, learned late, may still close."""
_RANK: dict[Origin, int] = {"model": 0, "tool": 1, "user": 2}


@dataclass(frozen=True)
class Assertion:
    """The word of `origin` that a triple holds from `valid_from` until `valid_to` (None: until further notice).

    `observations` are the ids of the observations it rests on; `origin` None takes the strongest of theirs, else
    "model". Without observations it counts as one support by itself, and once under one `token`, however often it is
    made. `by` is the participant who asserts it, `content` its sentence. `said_at` is when it was said (None: now);
    what a later word confirmed stays as it was said. With `exclusive` off it closes nothing, whatever the cardinality.
    """

    subject: str
    predicate: str
    object: str | None
    valid_from: datetime
    valid_to: datetime | None = None
    origin: Origin | None = None
    observations: tuple[str, ...] = ()
    by: str | None = None
    token: str | None = None
    said_at: datetime | None = None
    content: str | None = None
    exclusive: bool = True
    life: tuple[Interval, ...] | None = None
    """The intervals in which it is to be believed from now on, where the caller worked them out from all it knows."""
    vector: Vector | None = field(default=None, compare=False)
    """Of the sentence, where the caller has it already."""
    kind_of_thing: str | None = None
    """What kind of thing it is; None takes that of the predicate."""
    slot: str | None = None
    """Id of the slot it belongs to, where the caller knows it; None takes that of its predicate."""
    told: Mapping[datetime, str] = field(default_factory=dict, compare=False)
    """Bounds of the intervals as precise as they were told."""
    given_id: str | None = None
    """An id that the caller gives the fact, under which it is found beside its own."""

    @property
    def id(self) -> str:
        return fact_id(self.subject, self.predicate, self.object)


@dataclass(frozen=True)
class Asserted:
    """What became of an assertion.

    `applied` is False when a guard of the caller's own (see `Extra`) failed: then nothing was written. `closed` are
    the ids of the facts it ended, `missing` the observations that do not exist and were left out. `given_id` is the
    first id that a caller gave the fact.
    """

    fact_id: str
    created: bool
    support: int
    applied: bool = True
    closed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    embedded: bool = True
    given_id: str | None = None

    @property
    def confidence(self) -> float:
        return confidence(self.support)


def closes(new: Origin, old: Origin) -> bool:
    """Whether what `new` says may end what `old` said: what a model inferred never ends what a user said."""
    return not (new == "model" and old == "user")


def assert_fact(ctx: Context, assertion: Assertion, extra: Extra | None = None) -> Asserted:
    """Make or reinforce a fact. `extra` adds guards and commands to the same transaction.

    Raises StoreUnavailable, and Conflict where the id that the caller gives is another fact's. Never closes a user's
    fact by a model's word.
    """
    embedding = _Embedding(ctx, assertion)

    def attempt() -> tuple[Transaction, Asserted]:
        return _attempt(ctx, assertion, embedding)

    result = settle(attempt, extra)
    if not result.embedded:
        ctx.wake(vectors.TOPIC, ctx.namespace)
    return result


@dataclass
class _Embedding:
    """The vector of a new fact, made at most once however often the write is tried."""

    ctx: Context
    assertion: Assertion
    _made: list[stored.Found] = field(default_factory=list)

    def of(self, record: FactRecord) -> stored.Found:
        if not self._made:
            text = fact_draft(record, record.versions[0]).embedded
            given = self.assertion.vector
            vector = self.ctx.quick_embedder.documents([text])[0] if given is None else given
            self._made.append(stored.Found(record, vector))
        return replace(self._made[0], record=record)


def _attempt(ctx: Context, assertion: Assertion, embedding: _Embedding) -> tuple[Transaction, Asserted]:
    predicate = base_form(assertion.predicate)
    kind = kind_of(predicate, assertion.kind_of_thing)
    slot = stored.Slot(
        assertion.slot or slot_of(assertion.subject, predicate, group_of(kind)), predicate, shipped(predicate)
    )
    wanted = tuple(dict.fromkeys(assertion.observations))
    is_named = _is_named(ctx.ns, assertion)
    standing = stored.standing(ctx.ns, assertion.id, slot, wanted, assertion.token)
    now = ctx.clock()
    said = assertion.said_at or now
    new = [record for record in standing.observations if record.id not in standing.counted]
    origin = assertion.origin or _strongest([record.origin for record in standing.observations])
    exclusive = standing.single and assertion.exclusive
    rivals = [one for one in standing.rivals if closes(origin, one.record.origin)] if exclusive else []
    place = position_of(assertion.predicate, assertion.object, kind, standing.single)
    rivals = [one for one in rivals if excludes(place, place_of(one.record, standing.single))]
    life = _life(assertion, said, standing.fact, rivals) if assertion.life is None else list(assertion.life)
    before = standing.fact.record if standing.fact else None
    gained = len(new) if standing.observations else int(not standing.token_counted)
    record = _record(ctx.ns, assertion, before, slot.id, origin, new, gained, life, said, now)
    transaction = ctx.ns.transaction()
    if exclusive:
        stored.require_slot(transaction, slot.id, standing.slot_revision)
        stored.change_slot(transaction, slot.id)
    embedded = True
    closed = []
    if before is None or before != record:
        found = replace(standing.fact, record=record) if standing.fact else embedding.of(record)
        embedded = store(transaction, before, found, now)
    else:
        transaction.require_unchanged(record.kind, record.id, record.revision)
    _link(transaction, assertion, record, new, now, known=before is not None)
    if assertion.given_id is not None and not is_named:
        stored.require_free(transaction, assertion.given_id)
        transaction.link(stored.OF, ("fact", record.id), (stored.GIVEN_ID, assertion.given_id), now)
    for rival in rivals:
        if _end(transaction, rival, assertion, said, record.id, now):
            closed.append(rival.record.id)
            transaction.link(
                "INVALIDATES", ("fact", record.id), ("fact", rival.record.id), now, properties={"reason": REPLACED}
            )
    found_ids = {record.id for record in standing.observations}
    missing = tuple(one for one in wanted if one not in found_ids)
    return transaction, Asserted(
        record.id,
        before is None,
        record.support,
        closed=tuple(closed),
        missing=missing,
        embedded=embedded,
        given_id=record.given_id,
    )


def _is_named(ns: Namespace, assertion: Assertion) -> bool:
    """Whether the fact is known by the id that the caller gives it. Raises Conflict where another fact is."""
    given = assertion.given_id
    if given is None or given == assertion.id:
        return True
    own = stored.own_id(ns, given)
    if own == given and ns.get(FactRecord, given) is None:
        return False
    if own != assertion.id:
        raise Conflict("fact", given, "with another subject, predicate or object")
    return True


def _strongest(origins: Sequence[Origin]) -> Origin:
    return max(origins, key=_RANK.__getitem__, default="model")


def _life(
    assertion: Assertion, said: datetime, fact: stored.Found | None, rivals: Sequence[stored.Found]
) -> list[Interval]:
    """The fact's intervals with the assertion's: it reaches no further than where a rival is known to begin again."""
    start = assertion.valid_from
    limits = [one.start for rival in rivals for one in intervals(rival.record.versions) if one.start > start]
    limits += [mark for rival in rivals for mark in [_confirmed(rival.record, start, said)] if mark is not None]
    life = intervals(fact.record.versions) if fact else []
    return extended(life, start, assertion.valid_to, min(limits, default=None))


def _confirmed(rival: FactRecord, start: datetime, said: datetime) -> datetime | None:
    """When a rival was first said to hold after `start` by a later word than the one of `said`."""
    life = intervals(rival.versions)
    return min(
        (mark for mark in rival.marks if mark > max(start, said) and any(mark in one for one in life)), default=None
    )


def _record(
    ns: Namespace,
    assertion: Assertion,
    before: FactRecord | None,
    slot: str,
    origin: Origin,
    new: Sequence[ObservationRecord],
    gained: int,
    life: Sequence[Interval],
    said: datetime,
    now: datetime,
) -> FactRecord:
    mark = max(assertion.valid_from, said)
    messages = list(dict.fromkeys(record.message for record in new))
    if before is None:
        words = (assertion.subject, assertion.predicate, assertion.object or "")
        return FactRecord.new(
            ns,
            assertion.id,
            given_id=assertion.given_id,
            subject=assertion.subject,
            predicate=assertion.predicate,
            object=assertion.object,
            content=assertion.content or " ".join(word for word in words if word),
            kind_of_thing=kind_of(base_form(assertion.predicate), assertion.kind_of_thing),
            slot=slot,
            origin=origin,
            support=max(gained, 1),
            marks=[mark],
            sources=messages[-SOURCES_KEPT:],
            versions=rewritten([], life, now, None if assertion.life is None else WORKED_OUT, told=assertion.told),
            recorded_at=now,
        )
    reason = None if assertion.life is None else WORKED_OUT
    versions = rewritten(before.versions, life, now, reason, told=assertion.told)
    stronger = _strongest([before.origin, origin]) if gained else before.origin
    given_id = before.given_id or assertion.given_id
    if not gained and versions == before.versions and stronger == before.origin and given_id == before.given_id:
        return before
    sources = list(dict.fromkeys([*before.sources, *messages]))[-SOURCES_KEPT:]
    changed: FactRecord = before.revised(
        {
            "given_id": given_id,
            "support": before.support + gained,
            "origin": stronger,
            "marks": sorted({*before.marks, mark})[-MARKS_KEPT:],
            "sources": sources,
            "versions": versions,
            "mistaken_at": before.mistaken_at if assertion.life is not None else None,
        }
    )
    return changed


def _link(
    transaction: Transaction,
    assertion: Assertion,
    record: FactRecord,
    new: Sequence[ObservationRecord],
    now: datetime,
    *,
    known: bool,
) -> None:
    node = ("fact", record.id)
    if not known:
        terms = [("subject", subject_term(record.subject)), ("predicate", predicate_term(record.predicate))]
        terms += [("object", object_term(record.object))] if record.object is not None else []
        for term in [*terms, ("slot", record.slot), stored.EVERY]:
            transaction.link(stored.OF, node, term, now)
    for observation in new:
        transaction.link(stored.SUPPORTED_BY, node, ("observation", observation.id), now)
    for message, at in {one.message: one.observed_at for one in new}.items():
        transaction.link(stored.STATED_IN, node, ("message", message), at)
    for speaker in dict.fromkeys(one.said_by for one in new):
        transaction.link(stored.SAID_BY, node, ("participant", speaker), now)
    if assertion.token is not None:
        transaction.link(stored.SUPPORTED_BY, node, (stored.TOKEN, assertion.token), now)
    if assertion.by is not None:
        transaction.link(stored.ASSERTED_BY, node, ("participant", assertion.by), now)


def _end(
    transaction: Transaction, rival: stored.Found, assertion: Assertion, said: datetime, by: str, now: datetime
) -> bool:
    """End what the assertion rules out of a rival; False when nothing of it is."""
    life = intervals(rival.record.versions)
    until = assertion.valid_to or _confirmed(rival.record, assertion.valid_from, said)
    start = assertion.valid_from
    left = cut(life, start) if until is None else without(life, Interval(start, until))
    if left == life:
        return False
    record = rival.record.revised({"versions": rewritten(rival.record.versions, left, now, REPLACED, by)})
    store(transaction, rival.record, replace(rival, record=record), now)
    return True
