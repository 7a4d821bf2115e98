"""Turns in, entities and observations out. Deterministic: the same turns give the same result."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc

from reverie.pipelines.extract import attention, lexicon, times
from reverie.pipelines.extract.case import Case
from reverie.pipelines.extract.clauses import Clause, clauses_of
from reverie.pipelines.extract.discourse import Discourse
from reverie.pipelines.extract.entities import entities_of
from reverie.pipelines.extract.language import english, spoken
from reverie.pipelines.extract.model import Claim, Extraction, Turn
from reverie.pipelines.extract.naming import Voice
from reverie.pipelines.extract.rules import claims_of
from reverie.pipelines.extract.words import is_past


class Extractor:
    """Extraction by rules over a parsed sentence. The language model is loaded at the first use."""

    def extract(self, turns: Sequence[Turn], history: Sequence[Turn] = ()) -> list[Extraction]:
        """One `Extraction` a turn, in order. `history` was said before in the session: pronouns may point to it."""
        everything = [*history, *turns]
        names: dict[str, None] = {}
        for turn in everything:
            for name in (turn.speaker, *turn.addressed_to):
                names.setdefault(name)
        discourse = Discourse(participants=tuple(names))
        docs = english().pipe(spoken(turn.text) for turn in everything)
        found = [
            _of_turn(doc, Voice(turn, discourse), tuple(names)) for doc, turn in zip(docs, everything, strict=True)
        ]
        return found[len(history) :]


def _of_turn(doc: Doc, voice: Voice, names: tuple[str, ...]) -> Extraction:
    claims: list[Claim] = []
    voice.discourse.turn += 1
    for sent in doc.sents:
        siblings = clauses_of(sent)
        made: list[Claim] = []
        for clause in siblings:
            when, cut = _when(clause, voice)
            made += claims_of(Case(clause, voice, siblings, made, when, cut))
            attention.focus(clause, voice)
            attention.remember(clause.own, voice)
        claims += _without_echo(made)
        if not siblings:
            attention.remember(sent, voice)
    unique = {(claim.subject, claim.predicate, claim.object, claim.negated): claim for claim in reversed(claims)}
    kept = tuple(reversed(unique.values()))
    return Extraction(entities_of(doc, names, kept), kept)


def _without_echo(claims: list[Claim]) -> list[Claim]:
    """ "I used to smoke, but I stopped" is one claim."""
    ended = {claim.subject for claim in claims if claim.predicate.split()[0] in lexicon.ENDING}
    return [claim for claim in claims if not (claim.predicate.startswith("used to") and claim.subject in ended)]


def _when(clause: Clause, voice: Voice) -> tuple[times.When | None, frozenset[int]]:
    """When the clause happened, and the words that say so."""
    text = ""
    places: list[tuple[int, int]] = []
    for token in clause.own:
        places.append((len(text), token.i))
        text += token.text_with_ws
    when = times.find(text, voice.turn.at, _is_past(clause))
    if when is None:
        return None, frozenset()
    first = text.lower().find(when.phrase.lower())
    last = first + len(when.phrase)
    return when, frozenset(index for place, index in places if first <= place < last)


def _is_past(clause: Clause) -> bool:
    auxiliaries = clause.auxiliaries
    if any(token.lower_ in ("will", "'ll", "going") for token in auxiliaries):
        return False
    if auxiliaries:
        return any(token.tag_ == "VBD" or token.lemma_ == "have" for token in auxiliaries)
    return is_past(clause.head)
