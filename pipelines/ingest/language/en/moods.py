"""In which mood a clause is said, as far as it is no plain statement: averted, imagined, planned.

"I almost bought a house"        averted: nothing happened
"I was going to buy a Tesla"     averted
"I will move to Paris in June"   planned
"let's say I earned 90k"         imagined
"""

from __future__ import annotations

from datetime import datetime

from spacy.tokens import Token

from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.times import When
from reverie.pipelines.ingest.language.en.words import lemma

_NEARLY = words("almost nearly practically virtually")
_INTENDING = words("go plan intend mean suppose hope think consider try want prepare decide agree promise arrange")
_IMAGINING = words("imagine suppose pretend assume dream fantasise fantasize picture daydream")
_CHANGING = words(
    "move leave start begin join marry quit sell buy adopt retire relocate return switch emigrate divorce get open "
    "close"
)
"""Said to be going on, these are still to come."""
_SCHEDULED = words("visit travel fly go come meet launch release have study see host attend take spend stay work teach")
"""These are to come where the time told is."""


def is_averted(clause: Clause) -> bool:
    """Something that nearly was, was to be, or was planned once: it did not come about, or nobody says that it did."""
    head = clause.head
    for token in head.children:
        if token.dep_ == "advmod" and token.i < head.i and token.lower_ in _NEARLY and _is_event(clause):
            return True
        if token.lower_ == "about" and token.nbor(1).lower_ in ("just",):
            return True
    auxiliaries = clause.auxiliaries
    past = any(token.lower_ in ("was", "were", "had", "'d") for token in auxiliaries)
    inner = next((token for token in head.children if token.dep_ in ("xcomp", "ccomp") and token.tag_ == "VB"), None)
    infinitive = inner is not None and any(token.lower_ == "to" for token in inner.children)
    if past and infinitive and lemma(head) in _INTENDING and head.tag_ in ("VBG", "VBN"):
        return True
    if lemma(head) == "be" and head.lower_ in ("was", "were") and _about_to(head):
        return True
    if head.tag_ == "VBD" and infinitive and lemma(head) in words("plan intend mean want hope try think consider"):
        return True
    return any(token.lower_ in ("would", "could", "should", "might", "'d") for token in auxiliaries) and any(
        token.lower_ == "have" for token in auxiliaries
    )


def _is_event(clause: Clause) -> bool:
    return clause.head.tag_ in ("VBD", "VBN") and clause.child("attr", "acomp") is None


def _about_to(head: Token) -> bool:
    """ "was about to", "was supposed to"."""
    return any(
        token.lower_ in ("about", "supposed", "meant", "due", "close", "set", "ready")
        and any(each.tag_ in ("VB", "VBG") for each in token.children)
        for token in head.children
    )


def is_imagined(clause: Clause) -> bool:
    """Said of a world that is not this one: "let's say", "imagine", "I dreamt that", and what hangs on them."""
    for token in (clause.head, *clause.head.ancestors):
        if (
            lemma(token) in _IMAGINING
            and token.pos_ in ("VERB", "AUX")
            and (
                token != clause.head
                or lemma(token) in ("dream", "imagine", "pretend", "fantasise", "fantasize", "daydream")
            )
        ):
            return True
        if lemma(token) == "say" and any(
            lemma(each) == "let" for each in (token.head, *token.children) if each.pos_ in ("VERB", "AUX")
        ):
            return True
    opening = clause.head.sent[0 : min(4, len(clause.head.sent))].text.lower()
    return opening.startswith(
        ("let's say", "let us say", "say i ", "suppose ", "imagine ", "pretend ", "what if", "assuming ")
    )


def is_planned(clause: Clause, when: When | None, at: datetime) -> bool:
    """Intended or announced: "will", "going to", "plan to", "am moving (in May)"."""
    auxiliaries = clause.auxiliaries
    if any(token.lower_ in ("will", "'ll", "wo", "shall") for token in auxiliaries):
        return True
    head = clause.head
    verb = lemma(head)
    present = any(token.lower_ in ("am", "is", "are", "'m", "'s", "'re") for token in auxiliaries)
    inner = next((token for token in head.children if token.dep_ == "xcomp" and token.tag_ == "VB"), None)
    to = inner is not None and any(token.lower_ == "to" for token in inner.children)
    if head.tag_ == "VBG" and present:
        if verb == "go" and to:
            return True
        start = None if when is None else when.end or when.start
        ahead = start is not None and start > at
        return (verb in _CHANGING and (start is None or ahead)) or (
            verb in _SCHEDULED and ahead and _is_later(when, at)
        )
    if verb in ("plan", "intend", "decide", "aim") and to:
        return True
    state = clause.child("acomp")
    return (
        verb == "be"
        and state is not None
        and state.lower_ in ("about", "set", "due")
        and any(child.tag_ == "VB" for child in state.children)
    )


def _is_later(when: When | None, at: datetime) -> bool:
    return when is not None and when.start is not None and when.start > at
