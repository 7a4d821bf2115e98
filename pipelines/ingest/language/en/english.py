"""The reader of English: turns in, entities and claims out, by rules over a parsed sentence."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc

from reverie.pipelines.ingest.language.base import WINDOW, Claim, Extraction, Turn
from reverie.pipelines.ingest.language.en import lexicon, salience, times
from reverie.pipelines.ingest.language.en.claiming import Case
from reverie.pipelines.ingest.language.en.clauses import Clause, clauses_of
from reverie.pipelines.ingest.language.en.discourse import Discourse
from reverie.pipelines.ingest.language.en.entities import entities_of
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.parser import english, spoken
from reverie.pipelines.ingest.language.en.rules import claims_of
from reverie.pipelines.ingest.language.en.words import is_past

_BATCH = 64


class English:
    """Reads English. The parser's model is loaded at the first use."""

    def extract(self, turns: Sequence[Turn], history: Sequence[Turn] = ()) -> list[Extraction]:
        """One `Extraction` a turn, in order. `history` was said before in the session: pronouns may point to it.

        A turn gives the same in any batch, as long as the `WINDOW` turns before it are in the batch or the history.
        """
        everything = [*history, *turns]
        docs = list(english().pipe((spoken(turn.text) for turn in everything), batch_size=_BATCH))
        said = list(zip(everything, docs, strict=True))
        return [_extraction(said[max(0, place - WINDOW) : place + 1]) for place in range(len(history), len(said))]


def _extraction(said: Sequence[tuple[Turn, Doc]]) -> Extraction:
    """What the last of these turns holds, heard after the others."""
    names = tuple(dict.fromkeys(name for turn, _ in said for name in (turn.speaker, *turn.addressed_to)))
    discourse = Discourse(participants=names)
    for turn, doc in said[:-1]:
        _listen(doc, Voice(turn, discourse))
    turn, doc = said[-1]
    claims = _claims(doc, Voice(turn, discourse))
    unique = {(claim.subject, claim.predicate, claim.object, claim.negated): claim for claim in reversed(claims)}
    kept = tuple(reversed(unique.values()))
    return Extraction(entities_of(doc, names, kept), kept)


def _listen(doc: Doc, voice: Voice) -> None:
    """Take in what was mentioned, and drop the claims."""
    voice.discourse.turn += 1
    for sent in doc.sents:
        clauses = clauses_of(sent)
        for clause in clauses:
            if clause.subject is not None:
                voice.refer(clause.subject)
            salience.focus(clause, voice)
            salience.remember(clause.own, voice)
        if not clauses:
            salience.remember(sent, voice)


def _claims(doc: Doc, voice: Voice) -> list[Claim]:
    claims: list[Claim] = []
    voice.discourse.turn += 1
    for sent in doc.sents:
        siblings = clauses_of(sent)
        made: list[Claim] = []
        for clause in siblings:
            when, cut = _when(clause, voice)
            made += claims_of(Case(clause, voice, siblings, made, when, cut))
            salience.focus(clause, voice)
            salience.remember(clause.own, voice)
        claims += _without_echo(made)
        if not siblings:
            salience.remember(sent, voice)
    return claims


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
