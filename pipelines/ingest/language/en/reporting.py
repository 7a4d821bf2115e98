"""What is said, asked and wanted: reported speech, standing requests, names to be called by, preferences."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.assertions import (
    is_order,
    is_preference,
    is_question,
)
from reverie.pipelines.ingest.language.en.claiming import REPORTED, THOUGHT, Case, claim
from reverie.pipelines.ingest.language.en.clauses import Clause, from_head
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.predicates import relation_of
from reverie.pipelines.ingest.language.en.rendering import sentence
from reverie.pipelines.ingest.language.en.words import is_verb, lemma


def names(case: Case) -> list[Claim] | None:
    """ "Call me Pip", "everyone calls me Pip": what the speaker is called."""
    clause = case.clause
    if lemma(clause.head) != "call" or not (is_order(clause) or clause.subject is not None) or is_question(clause):
        return None
    name = next(
        (
            token
            for token in clause.own
            if token.pos_ == "PROPN" and token.i > clause.head.i + 1 and token.nbor(-1).lower_ == "me"
        ),
        None,
    )
    if name is None:
        return None
    who = case.voice.utterance.speaker
    return [claim(case, who, "be called", name.text, f"{who} is called {name.text}.", negated=is_negated(clause))]


def wanting(case: Case) -> list[Claim] | None:
    """ "I'd like to return order 88213", "I'd rather take the train"."""
    clause = case.clause
    if not is_preference(clause) or clause.subject is None:
        return None
    referent = case.voice.refer(clause.subject)
    if referent is None:
        return []
    relation = relation_of(clause, case.voice, case.cut)
    _, _, rest = relation.predicate.partition(" ")
    if any(token.lower_ == "rather" for token in clause.head.children):
        predicate = f"prefer to {relation.predicate}"
    else:
        predicate = f"want {rest}".strip()
    return [
        claim(case, referent.name, predicate, relation.object, sentence(clause, case.voice), negated=is_negated(clause))
    ]


def reminder(clause: Clause) -> list[Clause] | None:
    """The clauses of what is to be remembered; None when the clause is no such order."""
    inner = clause.child("ccomp")
    if (
        inner is None
        or not is_verb(inner)
        or lemma(clause.head) not in ("remember", "note", "remind")
        or not is_order(clause)
    ):
        return None
    if is_question(clause):
        return []
    return [each for each in from_head(inner, None) if each.subject is not None]


@dataclass(frozen=True)
class Said:
    """The clauses that somebody said or thinks, how far they are trusted, and whether they are denied."""

    clauses: tuple[Clause, ...]
    confidence: float
    denied: bool = False


def said(case: Case) -> Said | None:
    """What "she told me that ..." or "I think ..." reports; None when the clause reports nothing.

    What is denied is not asserted either way, but "I don't think that ..." denies what follows.
    """
    clause = case.clause
    verb = lemma(clause.head)
    inner = clause.child("ccomp")
    turned_out = verb == "turn" and any(token.lower_ == "out" for token in clause.head.children)
    known = verb in lexicon.SAYING | lexicon.THINKING or turned_out
    if verb == "be" and inner is not None and inner.i > clause.head.i and _is_denied_twice(clause.head, inner):
        return Said(tuple(from_head(inner, None)), THOUGHT)
    if inner is None or inner.i < clause.head.i or not is_verb(inner) or not known:
        return None
    confidence = 1.0 if turned_out else THOUGHT if verb in lexicon.THINKING else REPORTED
    is_denied = any(token.dep_ == "neg" for token in clause.head.children)
    if is_denied and verb not in ("think", "believe"):
        return Said((), confidence)
    teller = (
        None if clause.subject is None or case.voice.is_speaker(clause.subject) else case.voice.refer(clause.subject)
    )
    if teller is not None and teller.person:
        case.voice.discourse.mention(teller)
    heard = [each for each in from_head(inner, None, reported=True) if each.subject is not None]
    return Said(tuple(heard), confidence, is_denied)


def _is_denied_twice(head: Token, inner: Token) -> bool:
    """ "It's not that I don't have siblings"."""
    return all(any(child.dep_ == "neg" for child in verb.children) for verb in (head, inner))
