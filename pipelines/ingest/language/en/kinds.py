"""What kind of thing a claim's object is to its subject, told by the predicate and the noun."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reverie.knowledge.claims import Kind
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en.lexicon import ROLES, words
from reverie.pipelines.ingest.language.en.things import DIETS, is_occupation, kind_of_possession

_BY_PREDICATE: Mapping[str, Kind] = {
    "live in": "home", "live at": "home", "reside in": "home", "be based in": "home", "stay put in": "home",
    "work at": "employer", "work for": "employer", "be employed by": "employer", "be employed at": "employer",
    "work as": "role", "be allergic to": "allergy", "speak": "language", "be fluent in": "language",
    "be married to": "partner", "be engaged to": "partner", "date": "partner", "be called": "name", "be named": "name",
    "be born on": "birthday", "have birthday": "birthday", "have phone number": "contact", "have email": "contact",
    "have address": "contact", "have phone": "contact", "have number": "contact", "be due": "due", "be due on": "due",
    "use": "tool", "study at": "study", "be member of": "membership", "be a member of": "membership",
    "run on": "version", "listen on": "place", "be in charge of": "duty", "be responsible for": "duty",
    "look after": "duty", "take care of": "duty", "take over": "duty",
}  # fmt: skip
_OWNING = words("have own keep possess")
_LEADING = words("lead run manage maintain own head handle oversee coordinate edit chair organise organize")
_LIKING = words("like love hate dislike enjoy prefer detest adore loathe")


def kind_of(claim: Claim, counted: str | None) -> Kind | None:
    """The kind of a claim's object; None when none of the known kinds fits."""
    predicate = claim.state or claim.predicate
    if predicate in _BY_PREDICATE:
        return _BY_PREDICATE[predicate]
    verb = predicate.split(" ")[0]
    target = (claim.object or "").lower()
    if verb in _LIKING:
        return "preference"
    if verb in ("run", "need", "require", "support") and any(char.isdigit() for char in target):
        return "version"
    if predicate in ("own", "have", "keep", "possess") and target:
        if counted is not None:
            return "count"
        noun = re.split(r",| (?:of|in|called|named|with|who|that|from|for)\b", target)[0].split()[-1]
        return kind_of_possession(noun.removesuffix("s") if not noun.endswith("ss") else noun)
    if predicate in _LEADING and target and not any(char.isdigit() for char in target):
        return "duty"
    if predicate == "be aged":
        return "age"
    if predicate in ("be", "be on", "be at", "cost", "weigh", "hold", "run on") and _is_a_value(claim.subject, target):
        return "version"
    if verb == "be":
        said = f"{predicate.removeprefix('be').strip()} {target}".strip()
        if said.split(" ")[0] in DIETS:
            return "diet"
        if predicate == "be" and target:
            noun = target.split(" at ")[0].split(" of ")[0].split(" for ")[0].split(" in ")[0].split(",")[0].split()[-1]
            return "role" if is_occupation(noun) else None
    return None


def _is_a_value(subject: str, target: str) -> bool:
    """Whether a thing, and no person, is said to have a value with a number in it."""
    noun = subject.split()[-1]
    return noun.islower() and noun not in ROLES and re.match(r"(?:v?\d|[a-z]+ \d)", target) is not None
