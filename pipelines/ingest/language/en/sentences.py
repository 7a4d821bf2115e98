"""A text of one speaker, sentence by sentence, to its claims."""

from __future__ import annotations

from dataclasses import replace

from spacy.tokens import Doc

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import intervals, lexicon, salience, times
from reverie.pipelines.ingest.language.en.claiming import Case
from reverie.pipelines.ingest.language.en.clauses import Clause, clauses_of
from reverie.pipelines.ingest.language.en.contrast import contrast_of, set_apart
from reverie.pipelines.ingest.language.en.intervals import Setting
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.noise import takes_back
from reverie.pipelines.ingest.language.en.rules import claims_of
from reverie.pipelines.ingest.language.en.words import is_past


def claims_of_text(doc: Doc, voice: Voice) -> list[Claim]:
    """The claims of all sentences, in order."""
    claims: list[Claim] = []
    latest = 0
    for sent in doc.sents:
        if takes_back(sent.text):
            claims = claims[:latest]
            continue
        latest = len(claims)
        siblings = clauses_of(sent)
        made: list[Claim] = []
        for clause in siblings:
            when, cut = _when(clause, voice)
            made += _told(clause, Case(clause, voice, siblings, made, when, cut, claims))
            salience.focus(clause, voice)
            salience.remember(clause.own, voice)
        claims += _without_echo(made)
        if not siblings:
            salience.remember(sent, voice)
    return claims


def _told(clause: Clause, case: Case) -> list[Claim]:
    """The claims of one clause; a value that is set aside ("Bath, not Bristol") is a claim of its own."""
    contrast = contrast_of(clause)
    if contrast is None:
        return claims_of(case)
    own = tuple(token for token in clause.own if token.i not in contrast.cut)
    plain = replace(case, clause=replace(clause, own=own), cut=case.cut | contrast.cut)
    return set_apart(claims_of(plain), contrast)


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
    perfect = any(token.lemma_ == "have" for token in clause.auxiliaries) or not _is_past(clause)
    found = intervals.find(text, Setting(voice.utterance.at, _is_past(clause), perfect, voice.discourse.told_day))
    if found is None:
        return None, frozenset()
    if found.when.start is not None:
        voice.discourse.told_day = found.when.start.astimezone(voice.utterance.at.tzinfo).date()
    return found.when, frozenset(index for place, index in places if found.first <= place < found.last)


def _is_past(clause: Clause) -> bool:
    auxiliaries = clause.auxiliaries
    if any(token.lower_ in ("will", "'ll", "going") for token in auxiliaries):
        return False
    if auxiliaries:
        return any(token.tag_ == "VBD" or token.lemma_ == "have" for token in auxiliaries)
    return is_past(clause.head)
