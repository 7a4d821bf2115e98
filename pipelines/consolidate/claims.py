"""An observation read as evidence for a claim."""

import re
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.knowledge.exclusion import Position
from reverie.knowledge.kinds import COUNTED, SINGLE
from reverie.knowledge.positions import FORMERLY, NOT, PLANNED, WRONG, parted
from reverie.knowledge.timeline import Evidence
from reverie.knowledge.wording import folded, gist
from reverie.pipelines.consolidate.wording import Statement, statement
from reverie.pipelines.facts import fact_id
from reverie.store.records.knowledge import ObservationRecord

_LONGEST_SENTENCE = 160
_DATED = frozenset({"due", "birthday"})
"""Kinds whose object is a date; the claim holds from when it is told."""
_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_ROLE = re.compile(r"be ([a-z-]+(?: [a-z-]+)?) of")
"""Who somebody is to another: "be sister of"."""
_SHOWN = re.compile(r"(?:\S+ )?\S+['’]s (?:[a-z-]+ ){1,2}$")
"""Who the subject is, before its name: "Mia's sister"."""
_FILLERS = re.compile(r" (?:just|even|really|actually|definitely|super|so|pretty|totally|also|still|all) ")


@dataclass(frozen=True)
class Triple:
    """What holds, or its denial, or that it held once. `id` is that of the fact, also before there is one."""

    id: str
    subject: str
    predicate: str
    object: str | None

    @classmethod
    def of(cls, subject: str, predicate: str, object: str | None) -> "Triple":
        return cls(fact_id(subject, predicate, object), subject, predicate, object)

    @property
    def denial(self) -> "Triple":
        """ "not smoke": rules the triple out while it holds."""
        return Triple.of(self.subject, f"{NOT}{self.predicate}", self.object)

    @property
    def past(self) -> "Triple":
        """ "used to smoke": holds from the end of the triple on."""
        return Triple.of(self.subject, f"{FORMERLY}{self.predicate}", self.object)

    def planned(self, predicate: str | None = None) -> "Triple":
        """ "plan to move to", of "live in": holds until the triple does or the plan is given up."""
        return Triple.of(self.subject, f"{PLANNED}{predicate or self.predicate}", self.object)

    @property
    def wrong(self) -> "Triple":
        """That the triple was said by mistake. Never a fact: it takes back what was said."""
        return Triple.of(self.subject, f"{WRONG}{self.predicate}", self.object)

    @property
    def cancelled(self) -> "Triple":
        """That the triple is planned no more. Never a fact: it ends the plan."""
        return Triple.of(self.subject, f"{NOT}{PLANNED}{self.predicate}", self.object)

    @property
    def forms(self) -> tuple["Triple", ...]:
        """The claims that may be made of the triple in the wording of its state."""
        return (self, self.denial, self.past, self.planned(), self.wrong, self.cancelled)


@dataclass(frozen=True)
class Reading:
    """A new observation with what it states. `tentative`: believed only when another message says it too."""

    observation: ObservationRecord
    statement: Statement
    tentative: bool

    @property
    def triple(self) -> Triple:
        """What the observation is about, in its own wording."""
        said = self.statement
        return Triple.of(said.subject, said.predicate, said.object)

    @property
    def moment(self) -> tuple[datetime, datetime, str]:
        return (self.observation.when_start or self.observation.observed_at, self.observation.observed_at, self.id)

    @property
    def id(self) -> str:
        return self.observation.id


def spoken_for(said: Statement, observation: ObservationRecord, triple: Triple, single: bool) -> Triple:
    """The claim, of those that may be made of a triple, which an observation makes."""
    if said.bearing == "denied":
        return triple.denial
    if said.bearing == "planned":
        return triple.planned(said.plan)
    if said.bearing == "wrong":
        return triple.wrong
    if said.bearing == "cancelled":
        return triple.cancelled
    untimed = observation.when_start is None and observation.since is None
    held_once = single or said.kind in SINGLE | COUNTED
    if said.bearing == "ended" or (held_once and said.over and untimed):
        return triple.past
    return triple


def position(said: Statement, claim: Triple, single: bool | None, beside: frozenset[str] = frozenset()) -> Position:
    """Where a claim stands among those of its subject."""
    stance, _ = parted(claim.predicate)
    return Position(said.predicate, claim.object, stance, said.kind, single, said.number, said.counted, beside)


def evidence(observation: ObservationRecord, claim: str, tentative: bool) -> Evidence | None:
    """What an observation says for a claim; None for one that states nothing.

    A state told of a time with an end is over then; an event told of such a time has happened for good. A plan holds
    from when it is told.
    """
    said = statement(observation)
    if said is None:
        return None
    change = said.bearing in ("began", "ended", "cancelled")
    start, end = _times(observation, said, change)
    return Evidence(
        id=observation.id,
        claim=claim,
        message=observation.message,
        start=start,
        end=end if end is None or start < end else None,
        observed_at=observation.observed_at,
        origin=observation.origin,
        weight=observation.confidence,
        change=change,
        adds=said.adds,
        tentative=tentative,
    )


def _times(observation: ObservationRecord, said: Statement, change: bool) -> tuple[datetime, datetime | None]:
    """When the claim began to hold, and when it was over."""
    if said.bearing in ("planned", "wrong", "cancelled"):
        return observation.observed_at, None
    if observation.mood == "ended" and said.bearing == "holds" and observation.since is None:
        return observation.observed_at, observation.until or observation.when_start
    if observation.kind_of_thing in _DATED:
        return observation.observed_at, None
    if observation.since is not None or observation.until is not None:
        if said.bearing == "ended":
            return observation.until or observation.since or observation.observed_at, None
        return observation.since or observation.observed_at, observation.until
    if observation.when_start is None or _is_what_is_said(observation):
        return observation.observed_at, None
    return observation.when_start, observation.when_end if said.lasting and not change else None


def _is_what_is_said(observation: ObservationRecord) -> bool:
    """Whether the time is the claim's object ("my birthday is May 3") and says nothing of when the claim holds."""
    if observation.kind_of_thing in _DATED:
        return True
    phrase = gist(observation.temporal_phrase or "")
    numbers = {word for word in phrase if any(letter.isdigit() for letter in word)} or set(phrase)
    return bool(numbers) and numbers <= set(gist(observation.object or ""))


def sentence(observation: ObservationRecord, said: Statement, claim: Triple) -> str:
    """A claim as a short sentence: the observation's own words from the subject to the object, without its time.

    Where they are not found, or are not short, the triple is put into words.
    """
    content = observation.content
    if observation.temporal_phrase:
        content = re.sub(rf"\s*,?\s*{re.escape(observation.temporal_phrase)}", "", content, flags=re.IGNORECASE)
    if observation.mood == "ended" and said.bearing == "ended" and len(content) <= _LONGEST_SENTENCE:
        return content.rstrip(".!")
    told = _told(content, said) if said.bearing in ("holds", "ended", "denied") else None
    return told if told is not None and len(told) <= _LONGEST_SENTENCE else in_words(claim)


def _told(content: str, said: Statement) -> str | None:
    """The part of a sentence that makes the claim, without its fillers; None when it cannot be found."""
    last = said.object or said.predicate.rsplit(" ", 1)[-1]
    place = content.casefold().find(last.casefold(), len(said.subject) if content.startswith(said.subject) else 0)
    if place <= 0:
        return None
    before = [one.start() for one in re.finditer(rf"{re.escape(said.subject)}\b(?!['’])", content[:place])]
    first = before[-1] if before else 0 if content.startswith(said.subject) else -1
    end = re.compile(r"\b|$").search(content, place + len(last))
    if first < 0 or end is None:
        return None
    told = content[first : end.start()]
    if (shown := _SHOWN.search(content[:first])) is not None:
        told = f"{shown[0]}{told}"
    words = told.casefold().split()
    latest_known = [word for word in said.predicate.split(" ")[1:] if len(word) > 3]
    if not all(any(word[:4] == other[:4] for other in words) for word in latest_known):
        return None
    if said.predicate.split(" ", 1)[0] == "be" and not _BEING.intersection(words):
        return None
    return " ".join(_FILLERS.sub(" ", told).split())


def in_words(triple: Triple) -> str:
    """ "Ana lives in Lyon", "Ana does not smoke", "Ana used to smoke"."""
    from reverie.pipelines.ingest.language.en.words import third_person  # brings spaCy along: see `wording.base_of`

    predicate = triple.predicate
    if (role := _ROLE.fullmatch(predicate)) is not None and triple.object:
        return f"{triple.subject} is {triple.object}'s {role[1]}"
    if predicate.startswith(FORMERLY):
        told = predicate
    elif predicate.startswith(PLANNED):
        told = f"plans to {predicate.removeprefix(PLANNED)}"
    elif predicate.startswith(NOT):
        first, _, rest = predicate.removeprefix(NOT).partition(" ")
        told = f"is not {rest}" if first == "be" else f"does not {first} {rest}"
    else:
        first, _, rest = predicate.partition(" ")
        told = predicate if folded(predicate) != predicate or first.endswith("s") else f"{third_person(first)} {rest}"
    return " ".join(f"{triple.subject} {told} {triple.object or ''}".split())


def reworded(triple: Triple, record_subject: str, record_object: str | None, id: str) -> Triple:
    """The triple in the wording, and with the id, of a fact that means the same."""
    return replace(triple, id=id, subject=record_subject, object=record_object)
