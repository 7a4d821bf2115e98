"""What a claim is about once its wording is set aside: the triple that holds, and how the claim bears on it."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from reverie.config.changes import BEGINNINGS, ENDINGS, LASTING, STARTING, STOPPING
from reverie.knowledge.exclusion import Stance
from reverie.knowledge.identity import shipped
from reverie.knowledge.kinds import COUNTED, is_added, kind_of
from reverie.knowledge.positions import FORMERLY, PLANNED
from reverie.knowledge.wording import counted
from reverie.pipelines.facts import base_form
from reverie.store.records.knowledge import ObservationRecord

Bearing = Literal["holds", "began", "ended", "denied", "planned", "wrong", "cancelled"]
"""A claim says that a triple holds, that it began to, that it holds no more, that it does not hold, that it is planned,
that it was said by mistake, or that it is planned no more."""


_PARTICIPLE = re.compile(r"(?:born|made|given|told|sent|hurt|hit|built|\w+ed)(?: (?:by|from|to))?")


@dataclass(frozen=True)
class Statement:
    """A claim in canonical wording. `predicate` is in its base form and says neither "not" nor "no longer"."""

    subject: str
    predicate: str
    object: str | None
    bearing: Bearing
    over: bool = False
    """Told of a time that is past: "worked at Acme in 2019"."""
    kind: str | None = None
    """What kind of thing it is (`reverie.knowledge.kinds`)."""
    adds: bool = False
    """Told as one more beside what holds."""
    number: float | None = None
    counted: str | None = None
    """How many of what, where the object is a number of things."""
    plan: str | None = None
    """The predicate as it was planned ("move to" of "live in")."""

    @property
    def stance(self) -> Stance:
        return _STANCES[self.bearing]

    @property
    def lasting(self) -> bool:
        """Whether the predicate names a state, which has an end, and not an event, which has happened for good."""
        verb, _, rest = self.predicate.partition(" ")
        if verb == "be" and shipped(self.predicate):
            return not rest.startswith("born")
        # "be fired", "be made by": done once, while "be tired", "be interested in" are states.
        return verb in LASTING and not (verb == "be" and _PARTICIPLE.fullmatch(rest))


_STANCES: Final[dict[Bearing, Stance]] = {
    "holds": "holds",
    "began": "holds",
    "ended": "formerly",
    "denied": "denied",
    "planned": "planned",
    "wrong": "wrong",
    "cancelled": "cancelled",
}
_BEARINGS: Final[dict[str, Bearing]] = {
    "asserted": "holds",
    "denied": "denied",
    "ended": "ended",
    "corrected": "wrong",
    "planned": "planned",
    "instructed": "holds",
}


def statement(observation: ObservationRecord) -> Statement | None:
    """The claim of an observation; None when it has no subject or predicate, or claims nothing."""
    if not (observation.subject and observation.predicate) or observation.mood in ("wished", "asked"):
        return None
    subject, object = observation.subject.strip(), (observation.object or "").strip() or None
    predicate, bearing = _read(observation)
    over = bearing == "holds" and observation.state is None and is_past(predicate, observation.content)
    kind = kind_of(predicate, observation.kind_of_thing)
    count = counted(object) if object is not None and observation.counted is None and kind in COUNTED else None
    return Statement(
        subject,
        predicate,
        object,
        bearing,
        over,
        kind,
        observation.adds or (is_added(kind) and bearing != "began"),
        observation.quantity if count is None else count[0],
        observation.counted if count is None else count[1],
        base_form(observation.predicate.removeprefix(PLANNED)) if bearing == "planned" else None,
    )


def _read(observation: ObservationRecord) -> tuple[str, Bearing]:
    """The predicate of what is spoken of, and how it is spoken of."""
    told = observation.predicate or ""
    if told.startswith(PLANNED):
        return base_form(observation.state or told.removeprefix(PLANNED)), _of_plan(observation)
    mood = observation.mood or "asserted"
    if observation.mood is None:
        predicate, bearing = canonical(told, observation.negated, observation.content)
        return predicate, "began" if bearing == "holds" and observation.began else bearing
    bearing = "denied" if observation.negated and mood == "asserted" else _BEARINGS[mood]
    if bearing == "ended" and _is_bounded(observation):
        bearing = "holds"  # from then until then, or from now until what is still to come
    return base_form(observation.state or told), "began" if bearing == "holds" and observation.began else bearing


def _is_bounded(observation: ObservationRecord) -> bool:
    """Whether something that ends is told from when until when, or ends only after it was told."""
    if observation.since is not None:
        return observation.until is not None
    end = observation.until or observation.when_start
    return end is not None and end > observation.observed_at


def _of_plan(observation: ObservationRecord) -> Bearing:
    if observation.negated or observation.mood in ("denied", "ended"):
        return "cancelled"
    return "wrong" if observation.mood == "corrected" else "planned"


def canonical(predicate: str, negated: bool = False, content: str = "") -> tuple[str, Bearing]:
    """The predicate in its base form and how it bears on it: "stop smoking" ends "smoke"."""
    plain = base_form(predicate)
    if plain.startswith(FORMERLY):
        return base_form(plain.removeprefix(FORMERLY)), "ended"
    for verbs, bearing in ((STARTING, "began"), (STOPPING, "ended")):
        state = _of_gerund(plain, verbs)
        if state is not None and not negated:
            return base_form(state), bearing  # type: ignore[return-value]  # both literals above are bearings
    if plain in BEGINNINGS and not negated:
        return base_form(BEGINNINGS[plain]), "began"
    if plain in ENDINGS and not negated:
        return base_form(ENDINGS[plain]), "ended"
    if negated:
        return plain, "ended" if _no_longer(content) else "denied"
    return plain, "holds"


def _no_longer(content: str) -> bool:
    words = f" {content.casefold().rstrip('.!')} "
    return any(f" {phrase} " in words for phrase in ("no longer", "anymore", "any more", "any longer"))


def _of_gerund(predicate: str, verbs: frozenset[str]) -> str | None:
    """ "playing chess" of "start playing chess" in base forms; None when none of the verbs begins the predicate."""
    for verb in verbs:
        rest = predicate.removeprefix(f"{verb} ")
        if rest != predicate and rest:
            first, _, latest_known = rest.partition(" ")
            base = base_of(first)
            return None if base is None else f"{base} {latest_known}".strip()
    return None


@cache
def base_of(word: str) -> str | None:
    """The verb of a gerund: "smoking" → "smoke", "running" → "run"; None for another word."""
    # They bring spaCy along, which a process that only writes and recalls never needs.
    from reverie.pipelines.ingest.language.en.parser import verbs
    from reverie.pipelines.ingest.language.en.words import gerund

    if not word.endswith("ing"):
        return None
    stem = word.removesuffix("ing")
    candidates = [f"{stem}e", stem, f"{stem[:-1]}ie" if stem.endswith("y") else stem, stem[:-1]]
    return next((one for one in candidates if one in verbs() and gerund(one) == word), None)


def is_past(predicate: str, content: str) -> bool:
    """Whether the sentence tells a lasting state in the past tense."""
    past = LASTING.get(predicate.split(" ", 1)[0], ())
    words = content.casefold().replace(".", " ").split()
    present = {"is", "are", "am", "has", "have"} - {"has" if "had" in past else ""}
    for word in words:
        if word in past:
            return True
        if word in present:
            return False
    return False
