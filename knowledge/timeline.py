"""From all the evidence for claims that exclude each other to the intervals in which each is believed to have held.

Pure, and a function of the evidence alone: whatever order it arrived in, whatever was consolidated before, the same
evidence gives the same intervals. Evidence is read in order of the time it speaks of. What is said of a claim that
holds reinforces it; what is said of another opens that one if nothing stands in its way. If a rival holds, a statement
of change ("moved to", "no longer") closes it at once, and a plain dissent only when it weighs enough.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from reverie.knowledge.versions import Interval, joined, without
from reverie.store.records.knowledge import Origin

RANK: dict[Origin, int] = {"model": 1, "tool": 2, "user": 3}
"""Who may overrule whom: what a model inferred never closes what a user said."""

TENTATIVE_MESSAGES = 2
"""A tentative claim is believed once so many messages say it."""


@dataclass(frozen=True)
class Evidence:
    """One observation as it bears on one claim.

    `start` is when the claim began to hold or was seen to hold; `end` is set when it is over again. A `change` is
    told as one ("moved to", "stopped"); what `adds` stands beside what holds and closes nothing; what is `tentative` is
    believed only when it is said again.
    """

    id: str
    claim: str
    message: str
    start: datetime
    observed_at: datetime
    end: datetime | None = None
    origin: Origin = "user"
    weight: float = 1.0
    change: bool = False
    adds: bool = False
    tentative: bool = False


Rivals = Callable[[str], Collection[str]]
"""The claims that cannot hold while the given one holds."""


@dataclass
class _Stand:
    """What speaks for a claim since a moment."""

    start: datetime
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def rank(self) -> int:
        """The highest rank at which the evidence is enough to be believed; 0 when it is at none."""
        for rank in sorted(RANK.values(), reverse=True):
            firm = [one for one in self.evidence if RANK[one.origin] >= rank]
            if not all(one.tentative for one in firm) or len({one.message for one in firm}) >= TENTATIVE_MESSAGES:
                return rank
        return 0

    def weight(self, rank: int) -> float:
        """The sum of the weights of the evidence from sources of at least this rank."""
        return sum(one.weight for one in self.evidence if RANK[one.origin] >= rank)


def needed(weight: float) -> float:
    """The least weight with which a plain dissent ends a claim: half the square root of the claim's weight.

    So one dissent is enough against up to four statements, and three are needed against twenty.
    """
    return math.sqrt(weight) / 2


@dataclass(frozen=True)
class Ending:
    """That a claim was over at a moment. An explicit call that says so gives no evidence, and may end anything."""

    claim: str
    at: datetime
    origin: Origin = "user"


@dataclass(frozen=True)
class Retraction:
    """That what was said of a claim up to `observed_at` was said by mistake, so that it never held for that."""

    claim: str
    observed_at: datetime
    origin: Origin = "user"
    by_hand: bool = False
    """Whether somebody corrected it by hand: then no later word of a model brings it back either."""


def resolve(
    evidence: Iterable[Evidence],
    rivals: Rivals,
    endings: Iterable[Ending] = (),
    retractions: Iterable[Retraction] = (),
) -> dict[str, list[Interval]]:
    """The intervals of each claim that is believed at any time, oldest first; claims never believed are left out."""
    sweep = _Sweep(rivals)
    said = sorted(_kept(evidence, retractions), key=lambda one: (one.start, one.observed_at, one.id))
    over = [Ending(one.claim, one.end, one.origin) for one in said if one.end is not None]
    ended = sorted([*over, *endings], key=lambda one: (one.at, one.claim))
    for one in said:
        while ended and ended[0].at <= one.start:
            sweep.end(ended.pop(0))
        sweep.say(one)
    for ending in ended:
        sweep.end(ending)
    return sweep.lives()


def _kept(evidence: Iterable[Evidence], retractions: Iterable[Retraction]) -> Iterator[Evidence]:
    """The evidence without what was taken back by somebody of at least its rank."""
    taken: dict[str, list[Retraction]] = {}
    for one in retractions:
        taken.setdefault(one.claim, []).append(one)
    for said in evidence:
        back = [one for one in taken.get(said.claim, ()) if _reaches(one, said)]
        if not any(_outranks(one.origin, said.origin) for one in back):
            yield said


def _reaches(retraction: Retraction, said: Evidence) -> bool:
    return said.observed_at <= retraction.observed_at or (retraction.by_hand and said.origin == "model")


def _outranks(new: Origin, old: Origin) -> bool:
    return RANK[new] > RANK["model"] or RANK[old] < RANK["user"]


class _Sweep:
    def __init__(self, rivals: Rivals) -> None:
        self._rivals = rivals
        self._open: dict[str, _Stand] = {}
        self._waiting: dict[str, _Stand] = {}
        self._closed: dict[str, list[Interval]] = {}

    def say(self, one: Evidence) -> None:
        standing = self._open.get(one.claim)
        if standing is not None:
            standing.evidence.append(one)
        elif one.end is not None:
            if not one.tentative:
                self._closed.setdefault(one.claim, []).append(Interval(one.start, one.end))
            return
        elif not self._opens(one):
            return
        for rival in () if one.adds else self._rivals(one.claim):
            if rival in self._waiting and self._waiting[rival].rank <= RANK[one.origin]:
                del self._waiting[rival]

    def _opens(self, one: Evidence) -> bool:
        waiting = self._waiting.setdefault(one.claim, _Stand(one.start))
        waiting.evidence.append(one)
        if not waiting.rank:
            return False
        # Two values told of one moment are no change from one to the other: both stand.
        rivals = () if one.adds else self._rivals(one.claim)
        against = [r for r in rivals if r in self._open and self._open[r].start < one.start]
        if not all(_yields(self._open[rival], waiting, one) for rival in against):
            return False
        moment = one.start if one.change else waiting.start
        for rival in against:
            self._close(rival, max(moment, self._open[rival].start))
        self._open[one.claim] = _Stand(moment, waiting.evidence)
        del self._waiting[one.claim]
        return True

    def _close(self, claim: str, at: datetime) -> None:
        stand = self._open.pop(claim)
        if stand.start < at:
            self._closed.setdefault(claim, []).append(Interval(stand.start, at))

    def end(self, ending: Ending) -> None:
        standing = self._open.get(ending.claim)
        if standing is not None and standing.start < ending.at and _may_close(RANK[ending.origin], standing):
            self._close(ending.claim, ending.at)

    def lives(self) -> dict[str, list[Interval]]:
        found = {claim: list(closed) for claim, closed in self._closed.items()}
        for claim, stand in self._open.items():
            found.setdefault(claim, []).append(Interval(stand.start))
        return {claim: joined(life) for claim, life in found.items()}


def _may_close(rank: int, standing: _Stand) -> bool:
    return rank > RANK["model"] or standing.rank < RANK["user"]


def _yields(standing: _Stand, challenger: _Stand, last: Evidence) -> bool:
    """Whether what stands gives way: to a change that is told as one, or to a dissent of enough weight."""
    rank = challenger.rank
    if not _may_close(rank, standing):
        return False
    if last.change and RANK[last.origin] >= rank:
        return True
    if last.observed_at < min(one.observed_at for one in standing.evidence):
        return False  # what stands was told later, looking back: it knew better
    return challenger.weight(rank) >= needed(standing.weight(rank))


def moved(life: Iterable[Interval], old: Iterable[Interval], new: Iterable[Interval]) -> list[Interval]:
    """A life after what is worked out for it went from `old` to `new`; where it differed from `old` it still does."""
    before, after = list(old), list(new)
    left, added = list(life), list(after)
    for one in after:
        before = without(before, one)
    for gone in before:
        left = without(left, gone)
    for one in old:
        added = without(added, one)
    return joined([*left, *added])
