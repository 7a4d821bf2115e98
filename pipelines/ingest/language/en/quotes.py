"""Who says what stands in quotation marks."""

from __future__ import annotations

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.naming import Voice
from reverie.pipelines.ingest.language.en.words import lemma

_TELLING = lexicon.SAYING | lexicon.words("ask reply answer shout text message post yell go be mutter think")


def quoted_by(holder: Token, voice: Voice) -> str | None:
    """The name of who says the quotation that `holder` stands for; None when it cannot be told.

    "Ana said ...", "... says my brother Nils", "Annika on the phone just now: ...".
    """
    for verb in holder.sent:
        if lemma(verb) not in _TELLING or verb.pos_ not in ("VERB", "AUX") or abs(verb.i - holder.i) > 20:
            continue
        subject = next(
            (token for token in verb.children if token.dep_ in ("nsubj", "nsubjpass") and token != holder), None
        )
        if subject is None and 0 < verb.i - holder.i < 4:  # '"...", writes Haruki'
            subject = next((token for token in verb.children if token.pos_ == "PROPN" and token.i > verb.i), None)
        if subject is None or subject == holder:
            continue
        if voice.is_speaker(subject):
            return voice.utterance.speaker
        referent = voice.refer(subject)
        if referent is not None and (referent.person or subject.pos_ == "PROPN"):
            return referent.name
    before = [token for token in holder.sent if token.i < holder.i and token.pos_ == "PROPN"]
    for token in before:
        if token.dep_ in ("compound", "poss"):
            continue
        referent = voice.refer(token)
        if referent is not None and referent.person and token.ent_type_ not in ("GPE", "LOC", "DATE", "TIME", "ORG"):
            return referent.name
    return None
