"""The algebra of a fact's life in two times. Pure: versions in, versions out.

A fact's versions are rectangles: an interval in the world by an interval of belief. What is believed now is the set of
versions that are not retired; their intervals never overlap. A change is made by saying which intervals are to be
believed from now on: versions of other intervals are retired, missing ones are added, and nothing else is touched.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.store.records.facts import Version


@dataclass(frozen=True)
class Interval:
    """From `start` until `end`, exclusive; None is an open end."""

    start: datetime
    end: datetime | None = None

    def __contains__(self, at: datetime) -> bool:
        return self.start <= at and (self.end is None or at < self.end)

    def overlaps(self, other: "Interval") -> bool:
        return (other.end is None or self.start < other.end) and (self.end is None or other.start < self.end)


def believed(versions: Iterable[Version], known_as_of: datetime | None = None) -> list[Version]:
    """The versions believed at a moment (None: by the last word), oldest interval first."""
    found = [
        version
        for version in versions
        if (
            version.retired_at is None
            if known_as_of is None
            else version.recorded_at <= known_as_of and (version.retired_at is None or known_as_of < version.retired_at)
        )
    ]
    return sorted(found, key=lambda version: version.valid_from)


def intervals(versions: Iterable[Version]) -> list[Interval]:
    """The intervals believed by the last word."""
    return [Interval(version.valid_from, version.valid_to) for version in believed(versions)]


def holding(versions: Iterable[Version], valid_as_of: datetime, known_as_of: datetime) -> Version | None:
    """The version that held at one moment by what was believed at another."""
    for version in believed(versions, known_as_of):
        if valid_as_of in Interval(version.valid_from, version.valid_to):
            return version
    return None


def extended(
    life: Sequence[Interval], start: datetime, end: datetime | None = None, limit: datetime | None = None
) -> list[Interval]:
    """The life with the assertion that it held from `start` until `end`, and no further than `limit`.

    An assertion with an open end that falls into an interval says nothing new, even when that interval is closed: an
    old message that arrives late never reopens what ended since. Otherwise it runs on into the next interval.
    """
    if end is not None:
        return _with(life, Interval(start, end if limit is None else min(end, limit)))
    if any(start in one for one in life):
        return list(life)
    later = min((one.start for one in life if one.start > start), default=None)
    if later is None or (limit is not None and limit < later):
        return _in_order([*life, Interval(start, limit)])
    return _in_order([Interval(start, one.end) if one.start == later else one for one in life])


def _with(life: Sequence[Interval], new: Interval) -> list[Interval]:
    touched = [one for one in life if one.overlaps(new)]
    first = min([new.start, *(one.start for one in touched)])
    ends = [one.end for one in (new, *touched)]
    last = None if None in ends else max(end for end in ends if end is not None)
    return _in_order([*(one for one in life if one not in touched), Interval(first, last)])


def without(life: Sequence[Interval], gone: Interval) -> list[Interval]:
    """The life with one stretch of time taken out."""
    left = []
    for one in life:
        if not one.overlaps(gone):
            left.append(one)
            continue
        if one.start < gone.start:
            left.append(Interval(one.start, gone.start))
        if gone.end is not None and (one.end is None or gone.end < one.end):
            left.append(Interval(gone.end, one.end))
    return left


def cut(life: Sequence[Interval], at: datetime) -> list[Interval]:
    """The life in which the interval that holds at `at` ends there; nothing is left of one that starts there."""
    ended = [Interval(one.start, at) if at in one else one for one in life]
    return [one for one in ended if one.start != one.end]


def called_off(life: Sequence[Interval], at: datetime) -> list[Interval]:
    """Like `cut`; when nothing holds at `at`, the next interval to come is taken out instead."""
    if any(at in one for one in life):
        return cut(life, at)
    later = [one for one in life if one.start > at]
    return [one for one in life if not later or one != _in_order(later)[0]]


def joined(life: Iterable[Interval]) -> list[Interval]:
    """Intervals in order, those that overlap or touch made one."""
    found: list[Interval] = []
    for one in sorted(life, key=lambda interval: interval.start):
        last = found[-1] if found else None
        if last is None or (last.end is not None and last.end < one.start):
            found.append(one)
        elif last.end is not None and (one.end is None or one.end > last.end):
            found[-1] = Interval(last.start, one.end)
    return found


def rewritten(
    versions: Sequence[Version],
    life: Sequence[Interval],
    now: datetime,
    reason: str | None = None,
    by: str | None = None,
    told: Mapping[datetime, str] | None = None,
) -> list[Version]:
    """The versions after it is believed, from `now` on, that the fact held in the intervals of `life` and no others.

    `reason` says why: it is kept with what is retired, and with what is added and has an end. `by` is the id of the
    fact that brought the change about (see `reopened`). A `now` before the last change (another machine's clock) counts
    as that change's moment, so that belief never runs backwards. `told` are the bounds of new intervals as precise as
    they were told; a bound that a version had already stays as it was told there.
    """
    stamps = [at for version in versions for at in (version.recorded_at, version.retired_at) if at is not None]
    moment = max([now, *stamps])
    wanted = set(life)
    kept = [
        version
        if version.retired_at is not None or Interval(version.valid_from, version.valid_to) in wanted
        else version.model_copy(update={"retired_at": moment, "retirement": reason, "retired_by": by})
        for version in versions
    ]
    known = set(intervals(versions))
    last = max((version.number for version in versions), default=0)
    words = dict(told or {})
    for version in versions:
        for at, word in ((version.valid_from, version.told_from), (version.valid_to, version.told_to)):
            if at is not None and word is not None:
                words.setdefault(at, word)
    added = [
        Version(
            number=last + place,
            valid_from=one.start,
            valid_to=one.end,
            told_from=words.get(one.start),
            told_to=None if one.end is None else words.get(one.end),
            recorded_at=moment,
            reason=None if one.end is None else reason,
            by=by,
        )
        for place, one in enumerate(_in_order(wanted - known), start=1)
    ]
    return [*kept, *added]


def reopened(versions: Sequence[Version], gone: Collection[str]) -> list[Version]:
    """The versions as they would stand had these facts never ended or corrected anything."""
    return [
        version.model_copy(update={"retired_at": None, "retirement": None, "retired_by": None})
        if version.retired_by in gone
        else version
        for version in versions
        if version.by not in gone
    ]


def _in_order(life: Iterable[Interval]) -> list[Interval]:
    return sorted(life, key=lambda one: one.start)
