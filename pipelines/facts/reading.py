"""Reading facts as of any pair of times."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from reverie.knowledge.identity import object_term, predicate_term, subject_term
from reverie.knowledge.versions import holding
from reverie.pipelines.context import Context
from reverie.pipelines.rows.claims import confidence
from reverie.store import facts as stored
from reverie.store.namespace import Namespace
from reverie.store.records.facts import FactRecord, Version
from reverie.store.records.knowledge import Origin


class FactView(BaseModel):
    """A fact in one of its versions, with what stands behind it.

    `fact_id` is the id that a caller gave it, else Reverie's own; wherever a call takes a fact's id, both are right.

    It held in the world from `valid_from` until `valid_to` (exclusive; None is open), and was so believed from
    `recorded_at` until `retired_at`. `confidence` is (n+1)/(n+2) of the support n.
    """

    model_config = ConfigDict(frozen=True)

    fact_id: str
    subject: str
    predicate: str
    object: str | None
    kind_of_thing: str | None
    """What kind of thing the object is to the subject, such as "home"; None where that is not known."""
    content: str
    valid_from: datetime
    valid_to: datetime | None
    since: str
    """`valid_from` as precise as it was told, in the zone of who told it: "2021", "2024-04", "2024-03-14T09:30+01:00".
    """
    until: str | None
    """`valid_to` as precise as it was told; of a day, month or year the last one in which it held."""
    recorded_at: datetime
    retired_at: datetime | None
    confidence: float
    observation_count: int
    source: Origin
    """The strongest that stands behind it: a user said it, a tool returned it or a model inferred it."""
    observations: tuple[str, ...]
    messages: tuple[str, ...]
    participants: tuple[str, ...]
    reason: str | None = None
    """Why it ended or is believed no more."""
    invalidated_by: tuple[str, ...] = ()
    """Ids of the facts that replaced it."""


def facts(
    ctx: Context,
    *,
    subject: str | None = None,
    predicate: str | None = None,
    object: str | None = None,
    valid_as_of: datetime | None = None,
    known_as_of: datetime | None = None,
) -> list[FactView]:
    """The facts that held at one moment by what was known at another (both: now), in order of their beginning."""
    now = ctx.clock()
    valid, known = valid_as_of or now, known_as_of or now
    chosen = []
    for record in records(ctx.ns, subject=subject, predicate=predicate, object=object):
        version = holding(record.versions, valid, known)
        if version is not None:
            chosen.append((record, version))
    chosen.sort(key=lambda pair: (pair[1].valid_from, pair[0].recorded_at))
    return _views(ctx.ns, chosen)


def records(
    ns: Namespace, *, subject: str | None = None, predicate: str | None = None, object: str | None = None
) -> list[FactRecord]:
    """The facts of a subject, predicate and object, current or not; all of the namespace when none is given."""
    terms = [] if subject is None else [("subject", subject_term(subject))]
    terms += [] if predicate is None else [("predicate", predicate_term(predicate))]
    terms += [] if object is None else [("object", object_term(object))]
    ids = stored.ids(ns, terms or [stored.EVERY])
    return [record for record in ns.get_many(FactRecord, ids) if record is not None]


def history(ns: Namespace, fact_id: str) -> list[FactView]:
    """Every version of a fact, in the order they were recorded; [] for an unknown id."""
    record = ns.get(FactRecord, fact_id)
    return [] if record is None else _views(ns, [(record, version) for version in record.versions])


def fact(ctx: Context, fact_id: str) -> FactView | None:
    """A fact in the version that holds now, else in its last one; None for an unknown id."""
    record = ctx.ns.get(FactRecord, fact_id)
    if record is None:
        return None
    return latest(ctx, [record])[0]


def latest(ctx: Context, found: Sequence[FactRecord]) -> list[FactView]:
    """Each of these facts in the version that holds now, else in its last one."""
    now = ctx.clock()
    return _views(ctx.ns, [(one, holding(one.versions, now, now) or one.versions[-1]) for one in found])


def holds(record: FactRecord, at: datetime) -> bool:
    """Whether a fact holds at a moment, by what is known then."""
    return holding(record.versions, at, at) is not None


def views(ctx: Context, ids: Sequence[str]) -> list[FactView]:
    """The facts of these ids that hold now, in the order asked."""
    now = ctx.clock()
    chosen = []
    for record in ctx.ns.get_many(FactRecord, ids):
        version = None if record is None else holding(record.versions, now, now)
        if record is not None and version is not None:
            chosen.append((record, version))
    return _views(ctx.ns, chosen)


def _views(ns: Namespace, chosen: Sequence[tuple[FactRecord, Version]]) -> list[FactView]:
    backing = stored.backing(ns, [record.id for record, _ in chosen])
    return [_view(record, version, behind) for (record, version), behind in zip(chosen, backing, strict=True)]


def _view(record: FactRecord, version: Version, behind: stored.Backing) -> FactView:
    return FactView(
        fact_id=record.given_id or record.id,
        subject=record.subject,
        predicate=record.predicate,
        object=record.object,
        kind_of_thing=record.kind_of_thing,
        content=record.content,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        since=version.told_from or version.valid_from.isoformat(timespec="minutes"),
        until=_until(version),
        recorded_at=version.recorded_at,
        retired_at=version.retired_at,
        confidence=confidence(record.support),
        observation_count=record.support,
        source=record.origin,
        observations=behind.observations,
        messages=behind.messages,
        participants=behind.participants,
        reason=version.retirement or version.reason,
        invalidated_by=behind.invalidated_by,
    )


def _until(version: Version) -> str | None:
    if version.valid_to is None:
        return None
    return version.told_to or version.valid_to.isoformat(timespec="minutes")
