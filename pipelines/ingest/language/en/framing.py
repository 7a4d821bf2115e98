"""What the words around a verb add to a claim: its mood, that it is one more, the number in its object, its kind."""

from __future__ import annotations

import re
from dataclasses import replace

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import times
from reverie.pipelines.ingest.language.en.claiming import Case
from reverie.pipelines.ingest.language.en.kinds import kind_of
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.moods import is_planned
from reverie.pipelines.ingest.language.en.negation import reach
from reverie.pipelines.ingest.language.en.words import is_past, lemma, verb_base

_LASTING = words("live work study own use reside rent belong")
_COUNTED = words("have own keep get buy adopt foster raise")
_ADDING = words("also too additionally")
_NOW = words("now")
_NUMBER = re.compile(r"(?:about |around |over |almost |nearly |exactly |only |just )?(\d[\d.,]*|[a-z]+)\s+(.+)", re.I)


def framed(case: Case, claim: Claim) -> Claim:
    """The claim with its mood, kind and number."""
    clause = case.clause
    if claim.mood in ("asserted", "denied"):
        claim = _in_its_mood(case, claim)
    spoken = {token.lower_ for token in clause.head.children if token.dep_ in ("advmod", "npadvmod")}
    adds = claim.adds or bool(spoken & _ADDING) or "as well" in clause.head.sent.text.lower()
    began = claim.began or (bool(spoken & _NOW) and claim.mood == "asserted")
    if (
        claim.object
        and claim.temporal_phrase
        and re.sub(
            r"^(?:(?:on|by|in|to) )?the "
            r"",
            "",
            claim.temporal_phrase.lower(),
        )
        in claim.object.lower()
    ):
        claim = _undated(claim)  # the time is what is said: "my birthday is the 3rd of May"
    if claim.kind == "due":
        claim = _undated(claim)
    verb = (claim.state or claim.predicate).split(" ")[0]
    quantity, counted = _counted(claim.object) if claim.object and verb in _COUNTED else (None, None)
    kind = claim.kind or kind_of(claim, counted)
    return replace(claim, adds=adds, began=began, kind=kind, quantity=quantity, counted=counted)


def _undated(claim: Claim) -> Claim:
    """A claim whose time is its object and not the time over which it holds."""
    return replace(claim, since=None, until=None, when_start=None, when_end=None)


def _in_its_mood(case: Case, claim: Claim) -> Claim:
    clause = case.clause
    if claim.negated and reach(clause) == "ended":
        return replace(claim, mood="ended")
    if claim.predicate.startswith("used to "):
        return replace(claim, mood="ended", state=claim.predicate.removeprefix("used to "))
    verb, _, rest = claim.predicate.partition(" ")
    gerund, _, latest_known = rest.partition(" ")
    if verb in ("stop", "quit", "cease", "give") and not claim.negated and gerund.removeprefix("up ").endswith("ing"):
        state = f"{verb_base(gerund)} {latest_known}".strip()
        return replace(claim, mood="ended", state=state)
    if verb in ("start", "begin") and not claim.negated and gerund.endswith("ing"):
        return replace(claim, began=True, state=f"{verb_base(gerund)} {latest_known}".strip())
    if is_planned(clause, case.when, case.voice.utterance.at):
        return claim if claim.negated else replace(claim, mood="planned")
    told = verb in _LASTING and verb == lemma(clause.head) and not claim.began and not claim.negated
    if told and is_past(clause.head) and not clause.auxiliaries:
        return replace(claim, mood="ended")
    return claim


def _counted(object: str) -> tuple[float | None, str | None]:
    """The number that an object begins with, and what it counts, in the singular: "two guitars" → 2, "guitar"."""
    match = _NUMBER.fullmatch(object)
    if match is None:
        return None, None
    word = match[1].lower()
    if word[0].isdigit():
        try:
            number = float(word.replace(",", "").rstrip("."))
        except ValueError:
            return None, None
    elif word in times.NUMBERS and word not in ("a", "an"):
        number = float(times.NUMBERS[word])
    else:
        return None, None
    noun = match[2].split(" of ")[0].split(" in ")[0].split(",")[0].split()[-1].lower()
    return number, _singular(noun)


def _singular(noun: str) -> str:
    if noun in ("children", "people", "mice", "geese"):
        return {"children": "child", "people": "person", "mice": "mouse", "geese": "goose"}[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
