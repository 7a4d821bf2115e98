"""Turns in, entities and observations out. Deterministic: the same turns give the same result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spacy.tokens import Doc, Token

from reverie.pipelines.extract import lexicon, times
from reverie.pipelines.extract.clauses import Clause, clauses_of
from reverie.pipelines.extract.discourse import Discourse
from reverie.pipelines.extract.entities import entities_of
from reverie.pipelines.extract.language import english, spoken
from reverie.pipelines.extract.model import Claim, Extraction, Turn
from reverie.pipelines.extract.naming import Voice
from reverie.pipelines.extract.rules import Case, claims_of
from reverie.pipelines.extract.words import is_past


class Extractor:
    """Extraction by rules over a parsed sentence. The language model is loaded at the first use."""

    def extract(self, turns: Sequence[Turn], history: Sequence[Turn] = ()) -> list[Extraction]:
        """One `Extraction` a turn, in order. `history` is what was said before in the session: pronouns may point to it."""
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
    for sent in doc.sents:
        siblings = clauses_of(sent)
        made: list[Claim] = []
        for clause in siblings:
            when, cut = _when(clause, voice)
            made += claims_of(Case(clause, voice, siblings, made, when, cut))
        claims += _without_echo(made)
        _remember(sent, voice)
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


def _remember(sent: Iterable[Token], voice: Voice) -> None:
    """Note what the sentence mentioned, so that later pronouns find it."""
    later = []
    for token in sent:
        if token.dep_ in (
            "nsubj",
            "nsubjpass",
            "dobj",
            "pobj",
            "attr",
            "appos",
            "conj",
            "npadvmod",
            "ROOT",
        ) and token.pos_ in ("NOUN", "PROPN"):
            if token.ent_type_ in ("DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "QUANTITY", "PERCENT") or (
                token.dep_ == "npadvmod" and token.pos_ == "NOUN"
            ):
                continue
            if token.dep_ == "appos" and token.head.lemma_.lower() in lexicon.ROLES:
                continue
            referent = voice.refer(token)
            if referent is None or referent.name.lower() == voice.turn.speaker.lower():
                continue
            later.append((token.dep_ not in ("nsubj", "nsubjpass"), referent))
    for _, referent in sorted(later, key=lambda each: not each[0]):
        voice.discourse.mention(replace(referent))
